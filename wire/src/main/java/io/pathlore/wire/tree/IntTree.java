package io.pathlore.wire.tree;

import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;

/** An INT header with its shim, its stack and its tail. Hops stand as on the wire, the newest first. */
final class IntTree {
    /** MAC address and two octets of padding. */
    private static final int DEVICE_LENGTH = 8;

    private final IntHeaderView header;
    private final Fields all;

    private IntTree(IntHeaderView header, Fields all) {
        this.header = header;
        this.all = all;
    }

    static TreeNode of(IntHeaderView header, Fields packet) {
        int start = header.shimOffset() >= 0 ? header.shimOffset() : header.headerOffset();
        return new IntTree(header, packet.at(start)).tree(start);
    }

    private TreeNode tree(int start) {
        if (header.shimOffset() >= 0) {
            all.add(shim(all.at(start)));
        }
        if (header.opaque()) {
            all.add(opaque());
        } else {
            all.add(metadataHeader(all.at(header.headerOffset())));
            stack();
        }
        if (header.tailOffset() >= 0 && all.at(header.tailOffset()).has(0, 32)) {
            all.add(tail(all.at(header.tailOffset())));
        }
        return all.branch("INT", title(), start, header.end() - start);
    }

    private String title() {
        String type = switch (header.type()) {
            case IntShim.TYPE_MX -> "MX";
            case IntShim.TYPE_DESTINATION -> "destination";
            default -> header.version() == IntVersion.V2 ? "MD" : "hop-by-hop";
        };
        String title = header.version().label() + " " + type + " over "
                + header.encapsulation().label();
        if (header.opaque() || header.type() == IntShim.TYPE_MX) {
            return title;
        }
        int hops = header.hops() + (header.rawWords() > 0 ? 1 : 0);
        return title + ", " + hops + (hops == 1 ? " hop" : " hops") + (header.truncated() ? ", cut" : "");
    }

    private TreeNode opaque() {
        Fields fields = all.at(header.headerOffset());
        int length = Math.max(0, header.end() - header.headerOffset());
        fields.bytes("Contents", 0, length);
        return fields.branch("Destination header", "contents are not defined", header.headerOffset(), length);
    }

    // ---- shim

    private TreeNode shim(Fields f) {
        long first = f.peek(0, 8);
        boolean newStyle = first >= 0x10;
        String style;
        if (header.encapsulation() == Encapsulation.GRE) {
            gre(f);
            style = "GRE";
        } else if (header.encapsulation() == Encapsulation.VXLAN_GPE) {
            gpe(f, newStyle);
            style = "VXLAN-GPE";
        } else if (newStyle) {
            overL4(f);
            style = "2.x";
        } else {
            oldOverL4(f);
            style = "before 2.0";
        }
        return f.branch("INT shim", style, f.base(), IntShim.LENGTH);
    }

    private void overL4(Fields f) {
        f.number("Type", 0, 4, IntTree::typeName);
        long npt = f.number(
                "NPT",
                4,
                2,
                value -> value == IntShim.NPT_NONE
                        ? "original layer 4 header stays"
                        : value == IntShim.NPT_UDP_PORT
                                ? "original UDP payload follows"
                                : value == IntShim.NPT_IP_PROTOCOL ? "another IP payload follows" : "undefined");
        f.number("R", 6, 2);
        f.number("Length", 8, 8, this::counted);
        if (npt == IntShim.NPT_UDP_PORT) {
            f.number("Original UDP destination port", 16, 16);
        } else if (npt == IntShim.NPT_IP_PROTOCOL) {
            f.hex("Reserved", 16, 8);
            f.number("IP protocol", 24, 8, value -> Names.protocol((int) value));
        } else {
            f.hex("Reserved", 16, 8);
            f.hex("Original DSCP", 24, 6);
            f.number("R", 30, 2);
        }
    }

    /** One emitter counts the shim although INT 2.x does not. */
    private String counted(long words) {
        boolean withShim = header.end() - header.shimOffset() == 4 * words;
        return withShim ? "words with the shim" : "words behind the shim";
    }

    private void oldOverL4(Fields f) {
        f.number("Type", 0, 8, IntTree::typeName);
        f.hex("Reserved", 8, 8);
        f.number("Length", 16, 8, value -> "words with the shim");
        if (header.version() == IntVersion.V1_0) {
            f.hex("DSCP", 24, 6);
            f.number("R", 30, 2);
        } else {
            f.hex("Reserved", 24, 8);
        }
    }

    private static void gpe(Fields f, boolean newStyle) {
        if (newStyle) {
            f.number("Type", 0, 4, IntTree::typeName);
            f.number("Rsvd", 4, 4);
            f.number("Length", 8, 8, value -> "words behind the shim");
            f.flag("G", 16, "was plain VXLAN before INT");
            f.hex("Reserved", 17, 7);
        } else {
            f.number("Type", 0, 8, IntTree::typeName);
            f.hex("Reserved", 8, 8);
            f.number("Length", 16, 8, value -> "words with the shim");
        }
        f.hex("Next Protocol", 24, 8, value -> Names.gpeProtocol((int) value));
    }

    private static void gre(Fields f) {
        f.number("Type", 0, 4, IntTree::typeName);
        f.flag("G", 4, "GRE header was added by the source");
        f.number("Rsvd", 5, 3);
        f.number("Length", 8, 8, value -> "words behind the shim");
        f.hex("Next Protocol", 16, 16, value -> Names.etherType((int) value));
    }

    private static String typeName(long type) {
        return type == IntShim.TYPE_MD
                ? "MD, hop-by-hop"
                : type == IntShim.TYPE_DESTINATION ? "destination" : type == IntShim.TYPE_MX ? "MX" : "reserved";
    }

    // ---- header

    private TreeNode metadataHeader(Fields f) {
        switch (header.version()) {
            case JUNE_2016 -> june2016(f);
            case V0_5 -> v05(f);
            case V1_0 -> v10(f);
            case V2 -> {
                if (header.type() == IntShim.TYPE_MX) {
                    mx(f);
                } else {
                    md(f);
                }
            }
        }
        return f.branch("INT metadata header", header.version().label(), f.base(), header.headerBytes());
    }

    private void june2016(Fields f) {
        f.number("Ver", 0, 2);
        f.number("Rep", 2, 2);
        f.flag("C", 4, "copy");
        f.flag("E", 5, "max hop count exceeded");
        f.number("R", 6, 5);
        counts(f);
    }

    private void v05(Fields f) {
        f.number("Ver", 0, 4);
        f.number("Rep", 4, 2);
        f.flag("C", 6, "copy");
        f.flag("E", 7, "max hop count exceeded");
        f.number("R", 8, 3);
        counts(f);
    }

    private void bitmap(Fields f) {
        f.hex("Instruction Bitmap", 32, 16, value -> Names.instructions(header.version(), (int) value));
    }

    private void counts(Fields f) {
        f.number("Instruction Count", 11, 5);
        f.number("Max Hop Count", 16, 8);
        f.number("Total Hop Count", 24, 8);
        bitmap(f);
        f.hex("Reserved", 48, 16);
    }

    private void v10(Fields f) {
        f.number("Ver", 0, 4);
        f.number("Rep", 4, 2);
        f.flag("C", 6, "copy");
        f.flag("E", 7, "max hop count exceeded");
        f.flag("M", 8, "MTU exceeded");
        f.number("Reserved", 9, 10);
        f.number("Hop ML", 19, 5, value -> "words each hop adds");
        f.number("Remaining Hop Count", 24, 8);
        bitmap(f);
        f.hex("Reserved", 48, 16);
    }

    private void md(Fields f) {
        f.number("Ver", 0, 4);
        f.flag("D", 4, "discard at the sink");
        f.flag("E", 5, "max hop count exceeded");
        f.flag("M", 6, "MTU exceeded");
        f.number("Reserved", 7, 12);
        f.number("Hop ML", 19, 5, value -> "words each hop adds");
        f.number("Remaining Hop Count", 24, 8);
        domain(f);
    }

    private void mx(Fields f) {
        f.number("Ver", 0, 4);
        f.flag("D", 4, "discard at the sink");
        f.number("Reserved", 5, 27);
        domain(f);
    }

    private void domain(Fields f) {
        bitmap(f);
        f.hex("Domain Specific ID", 48, 16);
        f.hex("DS Instruction", 64, 16);
        f.hex("DS Flags", 80, 16);
    }

    // ---- behind the header

    private void stack() {
        HopView hop = new HopView();
        for (int index = header.hops() - 1; index >= 0; index--) {
            header.hop(index, hop);
            Fields f = all.at(hop.offset());
            HopItems.add(f, hop, header.version(), header.instructions(), header.sourceDeviceOffset());
            int length = hop.layout().length();
            // A device id that is all the source hop has more than others stands behind its items.
            int device = header.sourceDeviceOffset() - hop.offset();
            if (index == 0 && device >= length) {
                device(f, device);
                length = device + DEVICE_LENGTH;
            }
            all.add(f.branch("Hop " + (index + 1), role(index, hop), hop.offset(), length));
        }
        if (header.rawWords() > 0) {
            Fields f = all.at(header.rawOffset());
            f.bytes("Words", 0, 4 * header.rawWords());
            all.add(f.branch("Source hop", "cannot be split: unknown domain", f.base(), 4 * header.rawWords()));
        }
        if (header.hops() == 0 && header.sourceDeviceOffset() >= 0) {
            Fields f = all.at(header.sourceDeviceOffset());
            device(f, 0);
            all.add(f.branch("Source", "pushed no hop", f.base(), DEVICE_LENGTH));
        }
        inserted();
    }

    private static void device(Fields f, int at) {
        f.mac("Source device", 8 * at);
        f.hex("Padding", 8 * at + 48, 16);
    }

    private String role(int index, HopView hop) {
        String name = hop.nodeId() == HopView.ABSENT ? "" : "node " + hop.nodeId();
        String role = index == header.hops() - 1 ? "newest" : "";
        if (index == 0 && header.rawWords() == 0 && !header.truncated()) {
            role = "source";
        }
        return name.isEmpty() || role.isEmpty() ? name + role : name + ", " + role;
    }

    private void inserted() {
        if (header.insertedWords() > 0) {
            Fields f = all.at(header.stackOffset());
            for (int i = 0; i < header.insertedWords(); i++) {
                f.hex("Word " + (i + 1), 32 * i, 32);
            }
            all.add(f.branch("Source-inserted metadata", "", f.base(), 4 * header.insertedWords()));
        }
    }

    private static TreeNode tail(Fields f) {
        f.number("Proto", 0, 8, value -> Names.protocol((int) value));
        f.number("Destination Port", 8, 16);
        f.hex("DSCP", 24, 8);
        return f.branch("INT tail", "what the packet was before INT", f.base(), IntShim.LENGTH);
    }
}
