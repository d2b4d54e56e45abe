package io.pathlore.cli;

/**
 * One departure from a specification.
 *
 * @param number of the frame or record, as in {@link Place}
 * @param exporter address, or empty for data packets and bytes given by hand
 * @param rule name of the fault, or number of the known departure
 * @param offset byte of the datagram, or packet, at which it shows
 * @param meaning of the rule
 * @param numbers what was compared in this one case, or empty
 * @param note shown, but nothing wrong was sent
 */
record Finding(
        long number,
        String exporter,
        String rule,
        String clause,
        int offset,
        String meaning,
        String numbers,
        boolean note) {
    String detail() {
        return numbers.isEmpty() ? meaning : meaning + " (" + numbers + ")";
    }
}
