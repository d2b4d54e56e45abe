package io.pathlore.testkit.generate;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.Property;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Ordinary packets that carry no INT: every DSCP, the ports INT and tunnels use, payloads as structured as real ones. None
 * of them may be read as INT, though a decoder may stumble over the marks they bear by chance.
 */
public final class OrdinaryPackets {
    private static final int[] PORTS = {
        53, 67, 80, 123, 161, 443, 500, 514, 554, 555, 556, 1812, 4433, 4500, 4789, 4790, 5004, 5060, 5353, 5555, 6081,
        8080, 8472, 8555, 32_766
    };

    private OrdinaryPackets() {}

    /** A report with F set around an ordinary packet. */
    public static byte[] report(RandomGenerator random) {
        Dice dice = new Dice(random);
        boolean six = dice.chance(30);
        byte[] frame = ethernet(dice, six, ip(dice, six));
        byte[] fragment = dice.chance(40) ? Arrays.copyOf(frame, dice.below(frame.length + 1)) : frame;
        return switch (dice.below(3)) {
            case 0 ->
                new ByteWriter()
                        .bits(0, 8)
                        .bits(1, 3)
                        .bits(0, 15)
                        .bits(dice.below(64), 6)
                        .u32(dice.u32())
                        .u32(dice.u32())
                        .bytes(fragment)
                        .toBytes();
            case 1 ->
                new ByteWriter()
                        .bits(1, 4)
                        .bits(4, 4)
                        .bits(0, 15)
                        .bits(1, 3)
                        .bits(dice.below(64), 6)
                        .u32(dice.below(1000))
                        .u32(dice.u32())
                        .u32(dice.u32())
                        .bytes(fragment)
                        .toBytes();
            default -> {
                byte[] words = Arrays.copyOf(fragment, Math.min(254, (fragment.length + 3) / 4) * 4);
                yield new ByteWriter()
                        .bits(2, 4)
                        .bits(dice.below(64), 6)
                        .bits(dice.below(1 << 22), 22)
                        .u32(dice.below(1000))
                        .bits(0, 4)
                        .bits(3, 4)
                        .u8(words.length / 4)
                        .u8(0)
                        .u8(0x20)
                        .bytes(words)
                        .toBytes();
            }
        };
    }

    private static byte[] ethernet(Dice dice, boolean six, byte[] ip) {
        ByteWriter out = new ByteWriter().bytes(dice.bytes(12));
        if (dice.chance(20)) {
            out.u16(0x8100).u16(dice.u16());
        }
        return out.u16(six ? 0x86DD : 0x0800).bytes(ip).toBytes();
    }

    private static byte[] ip(Dice dice, boolean six) {
        int choice = dice.below(10);
        int protocol = choice < 6 ? 17 : choice < 9 ? 6 : six ? 58 : 1;
        byte[] payload = switch (protocol) {
            case 17 -> udp(dice);
            case 6 -> tcp(dice);
            default ->
                new ByteWriter()
                        .u8(dice.pick(0, 8, 3, 128))
                        .u8(0)
                        .u16(dice.u16())
                        .u32(dice.u32())
                        .bytes(structured(dice, dice.below(80)))
                        .toBytes();
        };
        int dscp = dice.below(64);
        if (six) {
            return new ByteWriter()
                    .bits(6, 4)
                    .bits(dscp, 6)
                    .bits(dice.below(1 << 22), 22)
                    .u16(payload.length)
                    .u8(protocol)
                    .u8(64)
                    .bytes(dice.bytes(32), payload)
                    .toBytes();
        }
        return new ByteWriter()
                .u8(0x45)
                .bits(dscp, 6)
                .bits(0, 2)
                .u16(20 + payload.length)
                .u16(dice.u16())
                .u16(0x4000)
                .u8(64)
                .u8(protocol)
                .u16(dice.u16())
                .bytes(dice.bytes(8), payload)
                .toBytes();
    }

    private static byte[] udp(Dice dice) {
        int port = dice.chance(70) ? dice.pick(PORTS) : dice.u16();
        byte[] payload = switch (dice.below(8)) {
            case 0 -> dns(dice);
            case 1 -> ntp(dice);
            case 2 -> quic(dice);
            case 3 -> {
                port = dice.pick(4789, 8472);
                yield vxlan(dice);
            }
            default -> structured(dice, dice.below(200));
        };
        return new ByteWriter()
                .u16(dice.u16())
                .u16(port)
                .u16(8 + payload.length)
                .u16(dice.u16())
                .bytes(payload)
                .toBytes();
    }

    private static byte[] tcp(Dice dice) {
        int optionWords = dice.pick(0, 0, 3, 5, 10);
        byte[] payload = dice.chance(40) ? tls(dice) : structured(dice, dice.below(200));
        return new ByteWriter()
                .u16(dice.u16())
                .u16(dice.pick(PORTS))
                .u64(dice.u64())
                .bits(5 + optionWords, 4)
                .bits(dice.below(64), 12)
                .u16(dice.u16())
                .u32(0)
                .bytes(options(dice, optionWords), payload)
                .toBytes();
    }

    /** NOP, NOP, timestamps and what else fits, as real stacks lay them out. */
    private static byte[] options(Dice dice, int words) {
        byte[] options = Hex.bytes("0101080a" + "%08x%08x".formatted(dice.below(1 << 30), dice.below(1 << 30))
                + "020405b4" + "01030307" + "04020101");
        return Arrays.copyOf(options, words * 4);
    }

    private static byte[] dns(Dice dice) {
        return new ByteWriter()
                .u16(dice.u16())
                .u16(dice.pick(0x0100, 0x8180))
                .u16(1)
                .u16(dice.below(3))
                .u32(0)
                .u8(7)
                .bytes("example".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u16(dice.pick(1, 28, 15))
                .u16(1)
                .bytes(structured(dice, dice.below(40)))
                .toBytes();
    }

    private static byte[] ntp(Dice dice) {
        return new ByteWriter()
                .u8(dice.pick(0x23, 0x24, 0x1B, 0x1C))
                .u8(dice.below(4))
                .u8(dice.between(4, 10))
                .u8(0xE9)
                .u32(dice.below(1 << 16))
                .u32(dice.below(1 << 16))
                .bytes(dice.bytes(36))
                .toBytes();
    }

    private static byte[] quic(Dice dice) {
        byte[] id = dice.bytes(dice.between(4, 20));
        return new ByteWriter()
                .u8(dice.chance(50) ? 0xC0 | dice.below(16) : 0x40 | dice.below(64))
                .u32(1)
                .u8(id.length)
                .bytes(id)
                .u8(0)
                .bytes(dice.bytes(dice.below(120)))
                .toBytes();
    }

    private static byte[] tls(Dice dice) {
        byte[] record = dice.bytes(dice.below(150));
        return new ByteWriter()
                .u8(dice.pick(0x14, 0x15, 0x16, 0x17))
                .u16(dice.pick(0x0301, 0x0303))
                .u16(record.length)
                .bytes(record)
                .toBytes();
    }

    private static byte[] vxlan(Dice dice) {
        boolean six = dice.chance(30);
        byte[] inner = ethernet(dice, six, ip(dice, six));
        return new ByteWriter()
                .u8(0x08)
                .bits(0, 24)
                .bits(dice.below(1 << 24), 24)
                .u8(0)
                .bytes(inner)
                .toBytes();
    }

    /** Payloads that are not random at all, as most are not. */
    static byte[] structured(Dice dice, int length) {
        byte[] bytes = new byte[length];
        switch (dice.below(9)) {
            case 0 -> {
                // zeros
            }
            case 1 -> Arrays.fill(bytes, (byte) dice.edge());
            case 2 -> fill(bytes, i -> i);
            case 3 -> {
                int start = dice.below(256);
                fill(bytes, i -> start + i / 4);
            }
            case 4 -> fill(bytes, i -> ' ' + dice.below(95));
            case 5 -> integers(bytes, dice, false);
            case 6 -> integers(bytes, dice, true);
            case 7 -> {
                byte[] pattern = dice.bytes(dice.between(2, 8));
                fill(bytes, i -> pattern[i % pattern.length]);
            }
            default -> bytes = dice.bytes(length);
        }
        return bytes;
    }

    private interface ByteAt {
        int at(int index);
    }

    private static void fill(byte[] bytes, ByteAt value) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) value.at(i);
        }
    }

    /** Small numbers of 16 or 32 bits: type codes, lengths, counters. */
    private static void integers(byte[] bytes, Dice dice, boolean littleEndian) {
        int width = dice.pick(2, 4);
        int range = dice.pick(4, 16, 64, 300, 70_000);
        for (int at = 0; at + width <= bytes.length; at += width) {
            int value = dice.below(range);
            for (int i = 0; i < width; i++) {
                int shift = littleEndian ? i : width - 1 - i;
                bytes[at + i] = (byte) (value >> (8 * shift));
            }
        }
    }

    /**
     * Whether a decoded report says that its packet carries telemetry. A destination header is opaque: behind an INT port
     * nothing tells it from other bytes [spec-notes 5.5], so it does not count.
     */
    public static boolean isReadAsInt(Map<String, Object> report) {
        return report.containsKey("int");
    }

    /** Runs a million of them (or as many as the first argument says) through the reference decoder. */
    public static void main(String[] arguments) {
        long count = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1_000_000;
        ReferenceDecoder lenient = new ReferenceDecoder(ReferenceOptions.lenientDefaults());
        long found = 0;
        for (long number = 0; number < count; number++) {
            byte[] datagram = report(Property.random(Property.seed(), number));
            List<Map<String, Object>> results = lenient.decode(datagram);
            if (results.stream().anyMatch(OrdinaryPackets::isReadAsInt)) {
                found++;
                System.out.println(number + " " + Hex.text(datagram) + "\n" + Json.canonical(results));
            }
        }
        System.out.println(count + " ordinary packets, " + found + " read as INT");
        if (found > 0) {
            System.exit(1);
        }
    }
}
