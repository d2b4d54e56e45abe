package io.pathlore.testkit.generate;

import static io.pathlore.testkit.generate.ByteWriter.join;

import io.pathlore.testkit.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random report datagrams. {@link #conformant} ones follow their specification in every bit, {@link #dialect} ones depart
 * from it as the emitters of docs/reference/faults.md, quirks, do, {@link #mutate} breaks either. A decoder needs the codepoints of
 * {@link Marks} to find the INT in them.
 */
public final class ReportGenerator {
    private final boolean june2016;

    /** {@code june2016}: the old codepoints of GPE and Geneve hold INT of June 2016, else of 0.5 and 1.0. */
    public ReportGenerator(boolean june2016) {
        this.june2016 = june2016;
    }

    /** A datagram and what a strict decoder must find in it. */
    public static final class Sample {
        private final byte[] bytes;
        private final int reports;
        private final boolean whole;
        private final List<List<Integer>> telemetry;

        private Sample(byte[] bytes, int reports, boolean whole, List<List<Integer>> telemetry) {
            this.bytes = bytes;
            this.reports = reports;
            this.whole = whole;
            this.telemetry = telemetry;
        }

        public byte[] bytes() {
            return bytes.clone();
        }

        public int reports() {
            return reports;
        }

        /** No packet was cut: nothing may be wrong with any of them. */
        public boolean whole() {
            return whole;
        }

        /** Per report the hops of each INT header, outermost first, -1 for an opaque one. */
        public List<List<Integer>> telemetry() {
            return telemetry;
        }

        @Override
        public String toString() {
            return Hex.text(bytes) + " reports=" + reports + " whole=" + whole + " telemetry=" + telemetry;
        }
    }

    /** Any of them: conformant, dialect, now and then mutated. */
    public byte[] datagram(RandomGenerator random) {
        int choice = random.nextInt(10);
        if (choice < 6) {
            return conformant(random).bytes();
        }
        return choice < 9 ? dialect(random) : mutate(random);
    }

    public byte[] dialect(RandomGenerator random) {
        return new Dialects(new Dice(random)).report();
    }

    /** A valid datagram, broken. */
    public byte[] mutate(RandomGenerator random) {
        byte[] valid =
                random.nextInt(3) == 0 ? dialect(random) : conformant(random).bytes();
        return mutate(valid, random);
    }

    public Sample conformant(RandomGenerator random) {
        Dice dice = new Dice(random);
        return switch (dice.below(4)) {
            case 0 -> v05(dice);
            case 1 -> v10(dice);
            default -> v20(dice);
        };
    }

    // ---------------------------------------------------------------- packets

    /** What a report holds of a packet. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Fragment(int kind, byte[] bytes, boolean whole, List<Integer> telemetry) {
        /** F = 0 promises that there is no INT inside. */
        int promise() {
            return telemetry.isEmpty() ? 0 : 1;
        }
    }

    private static final int ETHERNET = 3;
    private static final int IPV4 = 4;
    private static final int IPV6 = 5;

    /** Kinds as InType numbers them; {@code most} bytes at most, else it is cut. */
    private Fragment fragment(Dice dice, boolean ethernetOnly, int most) {
        PacketBytes packet = new PacketBytes(dice, june2016);
        int kind = ETHERNET;
        byte[] bytes;
        if (ethernetOnly || dice.chance(50)) {
            bytes = packet.ethernet();
        } else {
            PacketBytes.Named ip = packet.ip();
            kind = ip.name() == 4 ? IPV4 : IPV6;
            bytes = ip.bytes();
        }
        int length = Math.min(most, dice.chance(25) ? dice.below(bytes.length + 1) : bytes.length);
        boolean whole = length == bytes.length;
        return new Fragment(kind, Arrays.copyOf(bytes, length), whole, List.copyOf(packet.telemetry));
    }

    // ---------------------------------------------------------------- v0.5

    private Sample v05(Dice dice) {
        int nProto = dice.below(3);
        Fragment fragment = fragment(dice, true, 4000);
        int flags = dice.between(1, 7) | fragment.promise();
        ByteWriter out = new ByteWriter()
                .bits(0, 4)
                .bits(nProto, 4)
                .bits(flags, 3)
                .bits(0, 15)
                .bits(dice.below(64), 6)
                .u32(dice.u32())
                .u32(dice.u32());
        if (nProto == 1) {
            out.u32(dice.u32())
                    .u16(dice.u16())
                    .u16(dice.u16())
                    .u8(dice.u8())
                    .u8(dice.edge())
                    .u16(0);
        } else if (nProto == 2) {
            out.u32(dice.u32()).u16(dice.u16()).u16(dice.u16()).u32(dice.u32()).u32(dice.u32());
        }
        return new Sample(out.bytes(fragment.bytes).toBytes(), 1, fragment.whole, List.of(fragment.telemetry));
    }

    // ---------------------------------------------------------------- v1.0

    private Sample v10(Dice dice) {
        int bitmap = dice.below(64);
        Fragment fragment = fragment(dice, false, 4000);
        int flags = dice.below(8) | fragment.promise();
        ByteWriter out = new ByteWriter()
                .bits(1, 4)
                .bits(4 + Integer.bitCount(bitmap), 4)
                .bits(fragment.kind - ETHERNET, 3)
                .bits(bitmap, 6)
                .bits(0, 6)
                .bits(flags, 3)
                .bits(dice.below(64), 6)
                .u32(dice.u32())
                .u32(dice.u32())
                .u32(dice.u32());
        for (int i = 0; i < Integer.bitCount(bitmap); i++) {
            out.u32(dice.u32());
        }
        return new Sample(out.bytes(fragment.bytes).toBytes(), 1, fragment.whole, List.of(fragment.telemetry));
    }

    // ---------------------------------------------------------------- v2.0

    private static final int MOST_WORDS = 254;

    private Sample v20(Dice dice) {
        ByteWriter out = new ByteWriter()
                .bits(2, 4)
                .bits(dice.below(64), 6)
                .bits(dice.chance(20) ? 0x3FFFFF : dice.below(1 << 22), 22)
                .u32(dice.u32());
        int reports = dice.pick(1, 1, 1, 2, 3, 6);
        boolean whole = true;
        List<List<Integer>> telemetry = new ArrayList<>();
        for (int index = 0; index < reports; index++) {
            boolean toTheEnd = index == reports - 1 && dice.chance(10);
            Individual report = toTheEnd ? toTheEnd(dice) : individual(dice);
            out.bytes(report.bytes);
            whole &= report.whole;
            telemetry.add(report.telemetry);
        }
        return new Sample(out.toBytes(), reports, whole, telemetry);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Individual(byte[] bytes, boolean whole, List<Integer> telemetry) {}

    /** Baseline and domain metadata: the fixed part of the main contents, and the words behind it. */
    private static byte[] main(Dice dice) {
        int bitmap = dice.chance(20) ? 0x7F81 : dice.below(1 << 16) & 0x7F81;
        int domain = dice.pick(0, 0, 0, IntBytes.TRANSPARENT_SECURITY, 0x1234);
        int domainBits = switch (domain) {
            case 0 -> 0;
            case IntBytes.TRANSPARENT_SECURITY -> dice.pick(0, 0x8000);
            default -> dice.chance(30) ? 0 : 1 << dice.below(16);
        };
        int domainWords = switch (domain) {
            case IntBytes.TRANSPARENT_SECURITY -> domainBits == 0 ? 0 : 2;
            default -> domainBits == 0 ? 0 : dice.between(1, 3);
        };
        ByteWriter out =
                new ByteWriter().u16(bitmap).u16(domain).u16(domainBits).u16(dice.pick(0, 0, 1, 0xFFFF));
        for (int i = 0; i < IntBytes.width(bitmap, 2, 2) + domainWords; i++) {
            out.u32(dice.u32());
        }
        return out.toBytes();
    }

    private Individual individual(Dice dice) {
        boolean own = dice.chance(70);
        byte[] main = own ? main(dice) : new byte[0];
        int flags = dice.below(16);
        int room = MOST_WORDS - main.length / 4;
        int inType = own ? dice.pick(0, 1, 2, 3, 3, 3) : dice.pick(1, 2, 3, 3, 3, 3);
        byte[] inner = new byte[0];
        boolean whole = true;
        List<Integer> telemetry = List.of();
        switch (inType) {
            case 0 -> {
                // own metadata only
            }
            case 1 -> {
                ByteWriter tlvs = new ByteWriter();
                int before = dice.between(0, 2);
                for (int i = 0; i < before; i++) {
                    tlvs.bytes(extensionTlv(dice));
                }
                if (before == 0 || dice.chance(80)) {
                    Fragment fragment = fragment(dice, false, (room - tlvs.size() / 4 - 10) * 4);
                    byte[] words = words(fragment.bytes);
                    if (words.length > 0) {
                        whole = fragment.whole;
                        telemetry = fragment.telemetry;
                        tlvs.bits(fragment.kind - 2, 4)
                                .bits(0, 4)
                                .u8(words.length / 4)
                                .u16(0)
                                .bytes(words);
                    } else {
                        tlvs.bytes(extensionTlv(dice));
                    }
                }
                inner = tlvs.toBytes();
            }
            case 2 -> inner = dice.bytes(dice.between(1, 8) * 4);
            default -> {
                Fragment fragment = fragment(dice, false, room * 4);
                inner = words(fragment.bytes);
                inType = fragment.kind;
                whole = fragment.whole && inner.length > 0;
                telemetry = fragment.telemetry;
            }
        }
        flags |= telemetry.isEmpty() ? 0 : 2;
        byte[] bytes = new ByteWriter()
                .bits(own ? 1 : 0, 4)
                .bits(inType, 4)
                .u8((main.length + inner.length) / 4)
                .u8(own ? main.length / 4 - 2 : 0)
                .bits(flags, 4)
                .bits(0, 4)
                .bytes(main, inner)
                .toBytes();
        return new Individual(bytes, whole, telemetry);
    }

    private static byte[] extensionTlv(Dice dice) {
        int words = dice.between(0, 4);
        return new ByteWriter()
                .bits(0, 8)
                .u8(words)
                .u16(dice.pick(0, 1, 0xFFFF))
                .bytes(dice.bytes(words * 4))
                .toBytes();
    }

    /** Padded with zeros to whole words. */
    private static byte[] words(byte[] bytes) {
        return Arrays.copyOf(bytes, (bytes.length + 3) / 4 * 4);
    }

    /** Report Length 255: the last inner piece need not be whole words. */
    private Individual toTheEnd(Dice dice) {
        byte[] main = main(dice);
        PacketBytes packet = new PacketBytes(dice, june2016);
        PacketBytes.Named ip = packet.ip();
        byte[] inner =
                join(ip.bytes(), dice.bytes(Math.max(0, 1020 - main.length - ip.bytes().length) + dice.below(9)));
        boolean tracked = !packet.telemetry.isEmpty() || dice.chance(50);
        byte[] bytes = new ByteWriter()
                .bits(1, 4)
                .bits(ip.name() == 4 ? IPV4 : IPV6, 4)
                .u8(255)
                .u8(main.length / 4 - 2)
                .u8(tracked ? 0x20 : 0)
                .bytes(main, inner)
                .toBytes();
        return new Individual(bytes, true, packet.telemetry);
    }

    // ---------------------------------------------------------------- mutation

    /** One to five changes of the kinds that break decoders: bits, lengths, cuts, insertions, splices. */
    public byte[] mutate(byte[] bytes, RandomGenerator random) {
        Dice dice = new Dice(random);
        byte[] changed = bytes.clone();
        int changes = dice.pick(1, 1, 1, 2, 3, 5);
        for (int i = 0; i < changes; i++) {
            changed = changed.length == 0 ? dice.bytes(dice.between(1, 40)) : change(changed, dice);
        }
        return changed;
    }

    private byte[] change(byte[] bytes, Dice dice) {
        // the first bytes hold most of the lengths
        int at = dice.chance(60) ? dice.below(Math.min(bytes.length, 80)) : dice.below(bytes.length);
        switch (dice.below(10)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << dice.below(8));
            case 2, 3 -> bytes[at] = (byte) dice.edge();
            case 4 -> bytes[at] += (byte) dice.pick(1, -1, 4, -4);
            case 5 -> {
                int two = Math.min(at, Math.max(0, bytes.length - 2));
                int value =
                        dice.pick(0, 1, 0xFFFF, 0x0800, 0x86DD, 0x8100, 0x8847, 0x894F, 555, 5555, 4789, 4790, 6081);
                byte[] pair = {(byte) (value >> 8), (byte) value};
                System.arraycopy(pair, 0, bytes, two, Math.min(2, bytes.length - two));
            }
            case 6 -> {
                return Arrays.copyOf(bytes, dice.below(bytes.length));
            }
            case 7 -> {
                byte[] more = dice.bytes(dice.pick(1, 2, 4, 4, 8, 20));
                return join(Arrays.copyOf(bytes, at), more, Arrays.copyOfRange(bytes, at, bytes.length));
            }
            case 8 -> {
                int end = Math.min(bytes.length, at + dice.pick(1, 2, 4, 4, 8, 20));
                return join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, end, bytes.length));
            }
            default -> {
                byte[] other = dice.chance(50) ? conformant(dice.random()).bytes() : dialect(dice.random());
                int from = dice.below(other.length);
                return join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(other, from, other.length));
            }
        }
        return bytes;
    }
}
