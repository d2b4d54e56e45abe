package io.pathlore.testkit.reference;

/**
 * Where an INT metadata header was found.
 *
 * @param mark what led there
 * @param encapsulation its name in {@code encapsulation} of the decoded report
 * @param type 1 hop-by-hop or MD, 2 destination, 3 MX
 * @param shim offset of the shim; not used with Geneve, which has none
 * @param newStyle the shim of INT 2.x
 * @param header offset of the metadata header
 * @param end where INT ends by its length field, tail included
 * @param tail the INT 0.5 tail closes it
 * @param ipProtocol of the enclosing IP header, which the tail repeats
 */
record IntPlace(
        Mark mark,
        String encapsulation,
        int type,
        int shim,
        boolean newStyle,
        int header,
        int end,
        boolean tail,
        int ipProtocol) {
    /** What announced it [spec-notes 5.1]. */
    enum Mark {
        TUNNEL,
        UDP_PORT,
        PROBE_MARKER,
        DSCP,
        NONE;

        /** Reserved fields must be zero, or lenient mode does not believe it [spec-notes 5.3]. */
        boolean shaped() {
            return this == UDP_PORT || this == DSCP || this == NONE;
        }
    }

    boolean transport() {
        return mark != Mark.TUNNEL;
    }

    boolean blind() {
        return mark == Mark.NONE;
    }
}
