package io.pathlore.cli;

import io.pathlore.model.Fault;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.tree.ReportTree;
import io.pathlore.wire.tree.TreeNode;
import java.nio.ByteBuffer;

/** Every field on its own line, on demand with the bytes it was read from in front of it. */
final class TreePrinter implements ReportPrinter {
    private static final int BYTES_PER_LINE = 8;
    private static final int INDENT = 2;
    private static final int HEX_WIDTH = 6 + 3 * BYTES_PER_LINE + 2;

    private final Output out;
    private final Ink ink;
    private final boolean bytes;
    private final Text text = new Text();

    TreePrinter(Output out, Ink ink, boolean bytes) {
        this.out = out;
        this.ink = ink;
        this.bytes = bytes;
    }

    @Override
    public void report(Place place, ReportView report) {
        title(place, report.datagramEnd() - report.datagramStart());
        print(ReportTree.of(report), report.buffer(), place.start);
    }

    @Override
    public void packet(Place place, PacketView packet, Warnings warnings) {
        title(place, packet.end() - packet.start());
        print(ReportTree.of(packet, warnings), packet.buffer(), place.start);
    }

    @Override
    public void rejected(Place place, Fault fault, int offset, Warnings warnings, ByteBuffer buffer, int end) {
        title(place, end - place.start);
        text.ink(ink.wrong()).add(fault.name()).add(" at byte ").decimal(offset);
        text.add(", ")
                .add(fault.clause())
                .add(": ")
                .add(fault.meaning())
                .ink(ink.end())
                .line();
        for (int i = 0; i < warnings.count(); i++) {
            text.add("  ").add(warnings.name(i)).line();
        }
        if (bytes) {
            hexDump(buffer, place.start, end);
        }
        out.write(text.line());
    }

    private void title(Place place, int length) {
        text.clear().ink(ink.strong()).add(place.inJournal ? "Id " : "Frame ").decimal(place.number);
        if (place.timeNanos != Place.UNKNOWN_TIME) {
            text.add(", ").timestamp(place.timeNanos);
        }
        if (place.addressed) {
            text.add(", ").address(place.v6, place.sourceHigh, place.sourceLow);
            text.add(" to");
            if (place.hasDestination()) {
                text.add(' ').address(place.v6, place.destinationHigh, place.destinationLow);
            }
            text.add(" port ").decimal(place.destinationPort);
        }
        text.add(", ").decimal(length).add(" bytes").ink(ink.end()).line();
    }

    private void print(TreeNode root, ByteBuffer buffer, int start) {
        node(root, 0, buffer, start);
        out.write(text.line());
    }

    private void node(TreeNode node, int depth, ByteBuffer buffer, int start) {
        boolean leaf = node.children().isEmpty();
        int shown = 0;
        if (bytes) {
            shown = leaf ? Math.min(node.length(), BYTES_PER_LINE) : 0;
            hexCells(buffer, start, node.offset(), shown, node.length() > 0 || leaf);
        }
        if (bytes) {
            text.to(HEX_WIDTH);
        }
        text.spaces(INDENT * depth);
        if (leaf) {
            text.add(node.label());
        } else {
            text.ink(ink.strong()).add(node.label()).ink(ink.end());
        }
        if (!node.value().isEmpty()) {
            text.add(leaf ? ": " : ", ").add(node.value());
        }
        text.line();
        while (bytes && leaf && shown < node.length()) {
            int more = Math.min(node.length() - shown, BYTES_PER_LINE);
            hexCells(buffer, start, node.offset() + shown, more, true);
            text.line();
            shown += more;
        }
        for (TreeNode child : node.children()) {
            node(child, depth + 1, buffer, start);
        }
    }

    private void hexCells(ByteBuffer buffer, int start, int offset, int count, boolean placed) {
        text.ink(ink.faint());
        if (placed) {
            text.hex(offset, 4).add(count > 0 ? " " : "");
            for (int i = 0; i < count; i++) {
                text.add(' ').hex(buffer.get(start + offset + i), 2);
            }
        }
        text.ink(ink.end());
    }

    private void hexDump(ByteBuffer buffer, int from, int end) {
        for (int at = from; at < end; at += 2 * BYTES_PER_LINE) {
            text.hex(at - from, 4).add(' ');
            for (int i = at; i < Math.min(end, at + 2 * BYTES_PER_LINE); i++) {
                text.add(' ').hex(buffer.get(i), 2);
            }
            text.line();
        }
    }
}
