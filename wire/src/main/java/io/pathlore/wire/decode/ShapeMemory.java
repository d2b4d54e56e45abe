package io.pathlore.wire.decode;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.inband.IntHeaderView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The few shapes that most datagrams have. A shape is learned when an exporter repeats it. Hot path. */
final class ShapeMemory {
    private static final int MAX_SHAPES = 8;

    private final DecodeOptions options;
    private final @Nullable Shape[] shapes;
    private int known;
    private int oldest;

    ShapeMemory(DecodeOptions options, boolean enabled) {
        this.options = options;
        shapes = new Shape[enabled ? MAX_SHAPES : 0];
    }

    @Nullable
    ReportView recall(ByteBuffer buffer, int from, int end, Exporter exporter) {
        Shape last = exporter.shape;
        if (last != null && last.fits(buffer, from, end, exporter)) {
            return last.moveTo(buffer, from, end);
        }
        return recallOther(buffer, from, end, exporter);
    }

    private @Nullable ReportView recallOther(ByteBuffer buffer, int from, int end, Exporter exporter) {
        for (int i = 0; i < known; i++) {
            Shape shape = shapes[i];
            if (shape != null && shape.fits(buffer, from, end, exporter)) {
                exporter.shape = shape;
                return shape.moveTo(buffer, from, end);
            }
        }
        return null;
    }

    /** A datagram that no shape fitted: worth learning when the one before it looked the same from afar. */
    void consider(ByteBuffer buffer, int from, int end, Exporter exporter, ReportView seen) {
        if (shapes.length == 0 || seen.packet.ints() == 0) {
            return;
        }
        IntHeaderView header = seen.packet.intHeader(0);
        if (header.opaque()) {
            return; // there may be no bytes where its header would be
        }
        int look = buffer.getInt(seen.start) & 0xFF00_FF00 ^ buffer.getInt(header.headerOffset());
        if (look != exporter.lastLook) {
            exporter.lastLook = look;
            return;
        }
        if (look != exporter.unlearnable && !learn(buffer, from, end, exporter, seen)) {
            exporter.unlearnable = look;
        }
    }

    private boolean learn(ByteBuffer buffer, int from, int end, Exporter exporter, ReportView seen) {
        boolean full = known == shapes.length;
        int slot = full ? oldest : known;
        Shape shape = shapes[slot];
        if (shape == null) {
            shape = new Shape(options);
            shapes[slot] = shape;
        }
        if (full) {
            oldest = (oldest + 1) % shapes.length;
        }
        if (!shape.learn(buffer, from, end, exporter, seen)) {
            return false;
        }
        known = full ? known : known + 1;
        exporter.shape = shape;
        return true;
    }
}
