package io.pathlore.testkit.vectors;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Json;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reports captured from other people's switches and generators, with what is true of each packet. */
public final class Captures {
    private static final int ETHERNET = 14;
    private static final int MPLS_LABEL = 4;
    private static final int IPV4 = 0x0800;
    private static final int MPLS = 0x8847;
    private static final int UDP = 8;

    private Captures() {}

    /** One captured Ethernet frame. */
    public static final class Frame {
        private final long timeNanos;
        private final byte[] bytes;

        private Frame(long timeNanos, byte[] bytes) {
            this.timeNanos = timeNanos;
            this.bytes = bytes;
        }

        public long timeNanos() {
            return timeNanos;
        }

        public byte[] bytes() {
            return bytes.clone();
        }

        /** The UDP payload, clamped to the frame where the UDP length says more than there is. */
        public byte[] datagram() {
            int ip = ETHERNET + (u16(ETHERNET - 2) == MPLS ? MPLS_LABEL : 0);
            if (ip == ETHERNET && u16(ETHERNET - 2) != IPV4) {
                throw new IllegalStateException("not IPv4 over Ethernet or MPLS: " + Hex.text(bytes));
            }
            int udp = ip + (bytes[ip] & 0x0F) * 4;
            int end = Math.min(bytes.length, udp + Math.max(UDP, u16(udp + 4)));
            return Arrays.copyOfRange(bytes, udp + UDP, end);
        }

        private int u16(int at) {
            return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
        }
    }

    public static List<String> names() {
        return TextResource.read("captures/index.txt").lines();
    }

    public static List<Frame> frames(String name) {
        return TextResource.read("captures/" + name + ".hex").lines().stream()
                .map(line -> line.split(" ", -1))
                .map(column ->
                        new Frame(new BigDecimal(column[0]).movePointRight(9).longValueExact(), Hex.bytes(column[1])))
                .toList();
    }

    /** The expectations as they came with the capture: {@code packets[n]} speaks of frame n + 1. */
    public static Map<String, Object> expected(String name) {
        return Json.object(
                TextResource.read("captures/" + name + ".expected.json").text());
    }
}
