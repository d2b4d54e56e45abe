package io.pathlore.analysis.ddos;

/**
 * Somebody asks many hosts for the same port, and does not go on: how far it is by now.
 *
 * @param victims of the addresses asked
 * @param known whether it is known how many packets a report stands for
 */
public record ScanSign(
        Source source, long sinceNanos, long lastNanos, long syns, Bits victims, Way way, boolean known) {
    /** Who, and what is asked for. */
    public record Source(boolean v6, long high, long low, int port) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int order = Boolean.compare(v6, other.v6);
            order = order != 0 ? order : Long.compareUnsigned(high, other.high);
            order = order != 0 ? order : Long.compareUnsigned(low, other.low);
            return order != 0 ? order : Integer.compare(port, other.port);
        }
    }

    /** Those that some addresses have, and those that all have. */
    public record Bits(long highOr, long lowOr, long highAnd, long lowAnd) {}

    /** Where the packets came in, and who told of the last one. */
    public record Way(long mac, long node, long ingress, int marks, long reporter) {}
}
