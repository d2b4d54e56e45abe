package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A sent packet read by the decoder and checked from front to back. */
final class Captured {
    final ByteBuffer buffer;
    final PacketView view = new PacketView();
    final List<Layer> layers = new ArrayList<>();

    Captured(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
        Warnings warnings = new Warnings();
        new PacketWalker(DecodeOptions.lenient(), warnings)
                .walk(buffer, 0, bytes.length, PacketWalker.Start.ETHERNET, false, Profile.AUTO, false, view);
        assertThat(warnings.count()).isZero();
        assertThat(view.cutAt()).isNull();
        assertThat(view.ints()).isZero();
        for (int i = 0; i < view.layers(); i++) {
            layers.add(view.layer(i));
        }
    }

    int offset(Layer layer) {
        return view.layerOffset(layers.lastIndexOf(layer));
    }

    boolean is(Layer layer) {
        return layers.contains(layer);
    }

    int tcpFlags() {
        return buffer.get(offset(Layer.TCP) + 13);
    }

    /** Every length and checksum, of every IP header and what it carries. */
    Captured check() {
        int end = buffer.capacity();
        boolean fragment = false;
        for (int i = 0; i < layers.size(); i++) {
            int at = view.layerOffset(i);
            switch (layers.get(i)) {
                case IPV4 -> {
                    assertThat(buffer.getShort(at + 2) & 0xFFFF).isEqualTo(end - at);
                    assertThat(InternetChecksum.finish(InternetChecksum.add(0, buffer, at, at + 20)))
                            .isZero();
                    assertThat(buffer.get(at + 8)).isEqualTo((byte) 64);
                    fragment = (buffer.getShort(at + 6) & 0x3FFF) != 0;
                }
                case IPV6 -> {
                    assertThat(buffer.getShort(at + 4) & 0xFFFF).isEqualTo(end - at - 40);
                    assertThat(buffer.get(at + 7)).isEqualTo((byte) 64);
                }
                case FRAGMENT -> fragment = true;
                case UDP -> {
                    if (!fragment) {
                        assertThat(buffer.getShort(at + 4) & 0xFFFF).isEqualTo(end - at);
                        boolean tunnel = i < layers.size() - 1;
                        assertThat(buffer.getShort(at + 6) == 0).isEqualTo(tunnel);
                        if (!tunnel) {
                            assertSum(i, 17, at, end);
                        }
                    }
                }
                case TCP -> assertSum(i, 6, at, end);
                case ICMPV6 -> assertSum(i, 58, at, end);
                case ICMP ->
                    assertThat(InternetChecksum.finish(InternetChecksum.add(0, buffer, at, end)))
                            .isZero();
                case ETHERNET, VXLAN, GENEVE, GRE -> assertThat(at).isLessThan(end);
                default -> throw new AssertionError("unexpected " + layers.get(i));
            }
        }
        return this;
    }

    private void assertSum(int layer, int protocol, int at, int end) {
        long sum = L4Checksum.sum(buffer, view.layerOffset(layer - 1), protocol, at, end);
        assertThat(InternetChecksum.finish(sum)).isZero();
    }
}
