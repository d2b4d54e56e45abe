package io.pathlore.wire.tree;

import io.pathlore.wire.ioam.IoamNodeView;
import io.pathlore.wire.ioam.IoamView;

/** An IOAM option without its carrier's header. Nodes stand as on the wire, the newest first. */
final class IoamTree {
    private static final int TRACE_FIXED = 8;

    private IoamTree() {}

    static TreeNode of(IoamView option, Fields packet) {
        Fields f = packet.at(option.offset(), option.end());
        switch (option.type()) {
            case IoamView.PREALLOCATED_TRACE, IoamView.INCREMENTAL_TRACE -> trace(option, f);
            case IoamView.PROOF_OF_TRANSIT -> proofOfTransit(f, option.end() - option.offset());
            case IoamView.EDGE_TO_EDGE -> edgeToEdge(option, f);
            case IoamView.DIRECT_EXPORT -> directExport(option, f);
            default -> f.bytes("Data", 0, option.end() - option.offset());
        }
        return f.branch("IOAM", Names.ioamType(option.type()), option.offset(), option.end() - option.offset());
    }

    private static void trace(IoamView option, Fields f) {
        f.number("Namespace-ID", 0, 16);
        f.number("NodeLen", 16, 5, value -> "words of each node");
        f.flag("Overflow", 21, "no room for a node");
        f.flag("Loopback", 22, "");
        f.flag("Active", 23, "");
        f.number("RemainingLen", 25, 7, value -> "words still free");
        f.hex("IOAM-Trace-Type", 32, 24);
        f.hex("Reserved", 56, 8);
        if (option.type() == IoamView.PREALLOCATED_TRACE) {
            f.bytes("Free space", 8 * TRACE_FIXED, 4 * option.remainingLen());
        }
        IoamNodeView node = new IoamNodeView();
        for (int index = option.nodes() - 1; index >= 0; index--) {
            option.node(index, node);
            f.add(node(option, node, f.at(node.offset()), index));
        }
    }

    private static TreeNode node(IoamView option, IoamNodeView node, Fields f, int index) {
        for (int bit = 0; bit < 22; bit++) {
            if ((option.traceType() & 0x80_0000 >>> bit) != 0) {
                item(f, bit, 8 * (node.item(bit) - node.offset()));
            }
        }
        int length = node.length();
        if (node.hasSnapshot()) {
            Fields snapshot = f.at(node.snapshotOffset());
            snapshot.number("Length", 0, 8, value -> "words");
            snapshot.item("Schema ID", 8, 24);
            snapshot.bytes("Opaque data", 32, node.snapshotBytes());
            int bytes = 4 + node.snapshotBytes();
            f.add(snapshot.branch("Opaque State Snapshot", "", node.snapshotOffset(), bytes));
            length += bytes;
        }
        String name = node.nodeId() == IoamNodeView.ABSENT ? "" : "id " + Long.toUnsignedString(node.nodeId());
        return f.branch("Node " + (index + 1), name, node.offset(), length);
    }

    private static void item(Fields f, int bit, int at) {
        switch (bit) {
            case 0 -> {
                f.number("Hop_Lim", at, 8);
                f.item("node_id", at + 8, 24);
            }
            case 1 -> {
                f.item("ingress_if_id", at, 16);
                f.item("egress_if_id", at + 16, 16);
            }
            case 2 -> f.item("timestamp seconds", at, 32);
            case 3 -> f.item("timestamp fraction", at, 32);
            case 4 ->
                f.field(
                        "transit delay",
                        at,
                        32,
                        value -> value == 0xFFFF_FFFFL
                                ? "unavailable (all ones)"
                                : value > 0x7FFF_FFFFL ? "more than 31 bits hold" : Long.toString(value));
            case 5 -> f.item("namespace specific data", at, 32);
            case 6 -> f.item("queue depth", at, 32);
            case 7 -> f.item("checksum complement", at, 32);
            case 8 -> {
                f.number("Hop_Lim", at, 8);
                f.item("node_id (wide)", at + 8, 56);
            }
            case 9 -> {
                f.item("ingress_if_id (wide)", at, 32);
                f.item("egress_if_id (wide)", at + 32, 32);
            }
            case 10 -> f.item("namespace specific data (wide)", at, 64);
            case 11 -> f.item("buffer occupancy", at, 32);
            default -> f.hex("undefined", at, 32);
        }
    }

    private static void proofOfTransit(Fields f, int length) {
        f.number("Namespace-ID", 0, 16);
        f.number("IOAM POT-Type", 16, 8);
        f.hex("IOAM POT flags", 24, 8);
        f.bytes("POT data", 32, length - 4);
    }

    private static void edgeToEdge(IoamView option, Fields f) {
        f.number("Namespace-ID", 0, 16);
        f.hex("IOAM-E2E-Type", 16, 16);
        String[] labels = {"sequence number", "sequence number", "timestamp seconds", "timestamp fraction"};
        for (int bit = 0; bit < labels.length; bit++) {
            int at = option.e2eItem(bit);
            if (at >= 0) {
                f.number(labels[bit], 8 * (at - option.offset()), bit == 0 ? 64 : 32);
            }
        }
    }

    private static void directExport(IoamView option, Fields f) {
        f.number("Namespace-ID", 0, 16);
        f.hex("Flags", 16, 8);
        f.hex("Extension-Flags", 24, 8);
        f.hex("IOAM-Trace-Type", 32, 24);
        f.hex("Reserved", 56, 8);
        String[] labels = {"Flow ID", "Sequence Number"};
        for (int bit = 0; bit < 8; bit++) {
            int at = option.dexItem(bit);
            if (at >= 0) {
                f.number(bit < labels.length ? labels[bit] : "unknown", 8 * (at - option.offset()), 32);
            }
        }
    }
}
