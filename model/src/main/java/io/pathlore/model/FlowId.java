package io.pathlore.model;

/** Short name of a flow: the first 64 bits of SHA-256 over {@link FlowKey#canonical}; 16 hex digits as text. */
public record FlowId(long bits) implements Comparable<FlowId> {
    public static FlowId of(FlowKey flow) {
        return new FlowId(Digest.of(flow.canonical()));
    }

    public static FlowId parse(String text) {
        return new FlowId(Digest.parse(text));
    }

    /** In the order of the text. */
    @Override
    public int compareTo(FlowId other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return Digest.hex(bits);
    }
}
