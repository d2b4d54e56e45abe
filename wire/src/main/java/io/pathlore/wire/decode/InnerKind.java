package io.pathlore.wire.decode;

import io.pathlore.wire.net.PacketWalker;
import org.jspecify.annotations.Nullable;

/** What a report carries behind its own headers; in the order of InType [TR 2.0 §3.3]. */
public enum InnerKind {
    NONE("none", null),
    TLV("tlv", null),
    DS_EXTENSION("ds-extension", null),
    ETHERNET("ethernet", PacketWalker.Start.ETHERNET),
    IPV4("ipv4", PacketWalker.Start.IPV4),
    IPV6("ipv6", PacketWalker.Start.IPV6);

    private static final InnerKind[] BY_IN_TYPE = values();

    private final String label;
    private final PacketWalker.@Nullable Start start;

    InnerKind(String label, PacketWalker.@Nullable Start start) {
        this.label = label;
        this.start = start;
    }

    /** Only for 0 to 5. */
    static InnerKind ofInType(int inType) {
        return BY_IN_TYPE[inType];
    }

    public String label() {
        return label;
    }

    /** How a packet of this kind starts, or null when it is none. */
    PacketWalker.@Nullable Start start() {
        return start;
    }
}
