package io.pathlore.it.lab;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the reference decoder does not tell of the packet in a report: its TTL, and what tells it from others of its flow. Shipped
 * scenarios are of IPv4, where that is the identification and the fragment offset.
 */
record PacketFields(int ttl, int identity) {
    private static final int GROUP_HEADER = 8;
    private static final int MAIN_CONTENTS = 8;
    private static final int TO_THE_END = 255;
    private static final int ETHERNET = 14;
    private static final int VLAN = 4;
    private static final int IPV4_HEADER = 20;
    private static final int FRAGMENT_OFFSET = 0xFFFF_1FFF;
    private static final int TRANSPARENT_SECURITY = 0x5453;
    private static final int TRANSPARENT_SECURITY_HEADER = 24;

    /** One for each report of the datagram, null where it has no packet or none of IPv4. */
    static List<@Nullable PacketFields> of(byte[] datagram) {
        ByteBuffer bytes = ByteBuffer.wrap(datagram);
        return switch (datagram[0] >> 4 & 0xF) {
            case 0 ->
                switch (datagram[0] & 0xF) {
                    case 1 -> one(ethernet(bytes, 24, datagram.length));
                    case 2 -> one(ethernet(bytes, 28, datagram.length));
                    default -> one(ethernet(bytes, 12, datagram.length));
                };
            case 1 -> {
                int start = (datagram[0] & 0xF) * 4;
                int protocol = datagram[1] >> 5 & 7;
                yield one(start(bytes, protocol + 3, start, datagram.length));
            }
            default -> group(bytes, datagram.length);
        };
    }

    private static List<@Nullable PacketFields> one(@Nullable PacketFields fields) {
        List<@Nullable PacketFields> list = new ArrayList<>();
        list.add(fields);
        return list;
    }

    private static List<@Nullable PacketFields> group(ByteBuffer bytes, int end) {
        if (end >= 16 && bytes.getShort(14) == TRANSPARENT_SECURITY && bytes.get(GROUP_HEADER) >> 4 == 0) {
            return one(ethernet(bytes, TRANSPARENT_SECURITY_HEADER, end));
        }
        List<@Nullable PacketFields> list = new ArrayList<>();
        int at = GROUP_HEADER;
        while (at + 4 <= end) {
            int type = bytes.get(at) >> 4 & 0xF;
            int inner = bytes.get(at) & 0xF;
            int length = bytes.get(at + 1) & 0xFF;
            int words = bytes.get(at + 2) & 0xFF;
            int next = length == TO_THE_END ? end : at + 4 + length * 4;
            int start = at + 4 + (type == 0 ? 0 : MAIN_CONTENTS + words * 4);
            list.add(start(bytes, inner, start, next));
            at = next;
        }
        return list;
    }

    /** {@code kind}: 3 Ethernet, 4 IPv4, as in version 2.0. */
    private static @Nullable PacketFields start(ByteBuffer bytes, int kind, int at, int end) {
        return switch (kind) {
            case 3 -> ethernet(bytes, at, end);
            case 4 -> ipv4(bytes, at, end);
            default -> null;
        };
    }

    private static @Nullable PacketFields ethernet(ByteBuffer bytes, int at, int end) {
        int ip = at + ETHERNET;
        while (ip <= end && bytes.getShort(ip - 2) == (short) 0x8100) {
            ip += VLAN;
        }
        return ip <= end && bytes.getShort(ip - 2) == 0x0800 ? ipv4(bytes, ip, end) : null;
    }

    private static @Nullable PacketFields ipv4(ByteBuffer bytes, int at, int end) {
        return at + IPV4_HEADER > end
                ? null
                : new PacketFields(bytes.get(at + 8) & 0xFF, bytes.getInt(at + 4) & FRAGMENT_OFFSET);
    }
}
