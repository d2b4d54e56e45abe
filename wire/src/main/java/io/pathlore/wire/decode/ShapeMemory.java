package io.pathlore.wire.decode;

import io.pathlore.wire.DecodeOptions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The few shapes that most datagrams have. A shape is learned when an exporter repeats it. Hot path. */
final class ShapeMemory {
    private static final int MAX_SHAPES = 8;

    private final DecodeOptions options;
    private final Shape[] shapes;
    private int known;
    private int oldest;

    ShapeMemory(DecodeOptions options, boolean enabled) {
        this.options = options;
        shapes = new Shape[enabled ? MAX_SHAPES : 0];
    }

    @Nullable
    ReportView recall(ByteBuffer buffer, int from, int end, Exporter exporter) {
        int hint = exporter.shape;
        if (hint < known && shapes[hint].fits(buffer, from, end, exporter)) {
            return shapes[hint].moveTo(buffer, from, end);
        }
        return recallOther(buffer, from, end, exporter);
    }

    private @Nullable ReportView recallOther(ByteBuffer buffer, int from, int end, Exporter exporter) {
        for (int i = 0; i < known; i++) {
            if (shapes[i].fits(buffer, from, end, exporter)) {
                exporter.shape = i;
                return shapes[i].moveTo(buffer, from, end);
            }
        }
        return null;
    }

    /** A datagram that no shape fitted: worth learning when the one before it looked the same from afar. */
    void consider(ByteBuffer buffer, int from, int end, Exporter exporter, ReportView seen) {
        if (shapes.length == 0 || seen.packet.ints() == 0) {
            return;
        }
        int look = buffer.getInt(seen.start) & 0xFF00_FF00
                ^ buffer.getInt(seen.packet.intHeader(0).headerOffset());
        if (look != exporter.lastLook) {
            exporter.lastLook = look;
            return;
        }
        if (known < shapes.length) {
            shapes[known] = new Shape(options);
            if (shapes[known].learn(buffer, from, end, exporter, seen)) {
                exporter.shape = known++;
            }
            return;
        }
        if (shapes[oldest].learn(buffer, from, end, exporter, seen)) {
            exporter.shape = oldest;
        }
        oldest = (oldest + 1) % shapes.length;
    }
}
