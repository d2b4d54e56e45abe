package io.pathlore.dataplane.inband;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** Checks that lengths and checksums of all headers of a packet agree with its octets. */
final class Soundness {
    private Soundness() {}

    static void check(PacketView view, int padding) {
        ByteBuffer buffer = view.buffer();
        int ip = -1;
        int end = -1;
        for (int i = 0; i < view.layers(); i++) {
            int at = view.layerOffset(i);
            String layer = view.layer(i) + " at " + (at - view.start());
            switch (view.layer(i)) {
                case IPV4 -> {
                    int ihl = (buffer.get(at) & 0xF) * 4;
                    assertThat(InternetChecksum.finish(InternetChecksum.add(0, buffer, at, at + ihl)))
                            .as(layer)
                            .isZero();
                    end = ends(layer, view, padding, end, at + (buffer.getShort(at + 2) & 0xFFFF));
                    ip = at;
                }
                case IPV6 -> {
                    end = ends(layer, view, padding, end, at + 40 + (buffer.getShort(at + 4) & 0xFFFF));
                    ip = at;
                }
                case UDP -> {
                    assertThat(buffer.getShort(at + 4) & 0xFFFF).as(layer).isEqualTo(end - at);
                    if (buffer.getShort(at + 6) != 0) {
                        checksum(layer, buffer, ip, 17, at, end);
                    }
                }
                case TCP -> checksum(layer, buffer, ip, 6, at, end);
                case ICMPV6 -> checksum(layer, buffer, ip, 58, at, end);
                case ICMP ->
                    assertThat(InternetChecksum.finish(InternetChecksum.add(0, buffer, at, end)))
                            .as(layer)
                            .isZero();
                case GRE -> {
                    if (buffer.getShort(at) < 0) {
                        assertThat(InternetChecksum.finish(InternetChecksum.add(0, buffer, at, end)))
                                .as(layer)
                                .isZero();
                    }
                }
                default -> {}
            }
        }
    }

    /** All packets of our making end together. */
    private static int ends(String layer, PacketView view, int padding, int before, int end) {
        assertThat(end).as(layer).isEqualTo(before < 0 ? view.end() - padding : before);
        return end;
    }

    private static void checksum(String layer, ByteBuffer buffer, int ip, int protocol, int at, int end) {
        assertThat(InternetChecksum.finish(L4Checksum.sum(buffer, ip, protocol, at, end)))
                .as(layer)
                .isZero();
    }
}
