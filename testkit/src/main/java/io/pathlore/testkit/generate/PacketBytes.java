package io.pathlore.testkit.generate;

import static io.pathlore.testkit.generate.ByteWriter.join;

import java.util.ArrayList;
import java.util.List;

/**
 * One random packet of legal layers [spec-notes 4], with INT of any version in any carrier. Layers are chosen from
 * outside to inside within the limits of nesting; lengths are true, checksums are not.
 */
final class PacketBytes {
    private static final int L4_INT_WORDS = 200;
    private static final int GENEVE_WORDS = 31;

    private final Dice dice;
    private final boolean june2016;

    // what may still be nested
    private int depth = 8;
    private int ipHeaders = 4;
    private int intHeaders = 4;
    private boolean anyIp;

    /** Hops of every INT header, outermost first; -1 for an opaque one. */
    final List<Integer> telemetry = new ArrayList<>();

    PacketBytes(Dice dice, boolean june2016) {
        this.dice = dice;
        this.june2016 = june2016;
    }

    /** Bytes and what announces them: an EtherType, an IP version, an IP protocol or a UDP port. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Named(int name, byte[] bytes) {}

    /** What an IP header carries; {@code dscp} where a mark needs it, else -1. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Payload(int protocol, byte[] bytes, int dscp) {
        Payload(int protocol, byte[] bytes) {
            this(protocol, bytes, -1);
        }
    }

    // ---------------------------------------------------------------- link layers

    byte[] ethernet() {
        int tags = Math.min(dice.pick(0, 0, 0, 0, 1, 2, 3, 4), depth);
        depth -= tags;
        Named body = etherBody();
        ByteWriter out = new ByteWriter().bytes(dice.bytes(12));
        for (int tag = 0; tag < tags; tag++) {
            out.u16(dice.pick(0x8100, 0x88A8, 0x9100, 0x9200)).u16(dice.u16());
        }
        if (dice.chance(3)) {
            out.u16(dice.below(0x0600)).bytes(new byte[] {(byte) 0xAA, (byte) 0xAA, 3, 0, 0, 0});
        }
        return out.u16(body.name).bytes(body.bytes).toBytes();
    }

    private Named etherBody() {
        int choice = dice.below(100);
        if (choice < 4 && depth > 0) {
            return new Named(dice.pick(0x8847, 0x8848), mpls());
        }
        if (choice < 7 && depth > 0 && ipPossible(1)) {
            depth--;
            Named ip = ip();
            ByteWriter out = new ByteWriter().u8(0x11).u8(0).u16(dice.u16()).u16(2 + ip.bytes.length);
            return new Named(
                    0x8864,
                    out.u16(ip.name == 4 ? 0x0021 : 0x0057).bytes(ip.bytes).toBytes());
        }
        if (choice < 10 && depth > 0) {
            return new Named(0x894F, nsh());
        }
        if (choice < 12 || !ipPossible(0)) {
            return dice.chance(50) ? new Named(0x0806, dice.bytes(28)) : new Named(0x88CC, dice.bytes(dice.below(40)));
        }
        Named ip = ip();
        return new Named(ip.name == 4 ? 0x0800 : 0x86DD, ip.bytes);
    }

    private byte[] mpls() {
        depth--;
        ByteWriter out = new ByteWriter();
        int labels = dice.chance(10) ? 16 : dice.between(1, 4);
        for (int label = 0; label < labels; label++) {
            out.bits(dice.below(1 << 20), 20)
                    .bits(dice.below(8), 3)
                    .bits(label == labels - 1 ? 1 : 0, 1)
                    .u8(dice.u8());
        }
        if (dice.chance(70) && ipPossible(0)) {
            return out.bytes(ip().bytes).toBytes();
        }
        if (dice.chance(50)) {
            return out.u32(dice.below(1 << 16)).bytes(ethernet()).toBytes();
        }
        byte[] frame = ethernet();
        frame[0] = (byte) (0x10 | (frame[0] & 0x0F));
        return out.bytes(frame).toBytes();
    }

    private byte[] nsh() {
        depth--;
        boolean fixed = dice.chance(50);
        int words = fixed ? 6 : dice.between(2, 8);
        int ioam = dice.chance(50) ? dice.between(1, 2) : 0;
        Named inner = nextProtocol();
        ByteWriter out = new ByteWriter()
                .bits(0, 4)
                .bits(dice.below(64), 6)
                .bits(words, 6)
                .u8(fixed ? 1 : 2)
                .u8(ioam > 0 ? 6 : inner.name)
                .bytes(dice.bytes(words * 4 - 4));
        for (int header = ioam; header > 0; header--) {
            out.bytes(IoamBytes.nshHeader(dice, header > 1 ? 6 : inner.name));
        }
        return out.bytes(inner.bytes).toBytes();
    }

    /** The numbering of GPE and NSH. */
    private Named nextProtocol() {
        if (dice.chance(50) && ipPossible(0)) {
            Named ip = ip();
            return new Named(ip.name == 4 ? 1 : 2, ip.bytes);
        }
        if (dice.chance(5) && depth > 0) {
            return new Named(4, nsh());
        }
        return new Named(3, ethernet());
    }

    // ---------------------------------------------------------------- IP

    /** Whether an IP header may follow when that many layers are taken before it. */
    private boolean ipPossible(int layersBefore) {
        return ipHeaders > 0 && depth - layersBefore >= (anyIp ? 1 : 0);
    }

    /** A packet that starts with its IP header; the name is the version. */
    Named ip() {
        ipHeaders--;
        if (anyIp) {
            depth--;
        }
        anyIp = true;
        int version = dice.chance(60) ? 4 : 6;
        boolean laterFragment = dice.chance(3);
        Payload payload = laterFragment ? new Payload(dice.u8(), dice.bytes(dice.below(60))) : payload(true);
        int dscp = payload.dscp;
        while (dscp < 0) {
            int random = dice.below(64);
            dscp = Marks.isDscp(random) ? -1 : random;
        }
        return version == 4 ? ipv4(payload, dscp, laterFragment) : ipv6(payload, dscp, laterFragment);
    }

    private Named ipv4(Payload payload, int dscp, boolean laterFragment) {
        int optionWords = dice.chance(10) ? dice.between(1, 10) : 0;
        byte[] ah = dice.chance(4) && !laterFragment ? authentication(payload.protocol) : new byte[0];
        int total = 20 + optionWords * 4 + ah.length + payload.bytes.length;
        int fragment = laterFragment ? dice.between(1, 0x1FFF) : 0;
        byte[] header = new ByteWriter()
                .bits(4, 4)
                .bits(5 + optionWords, 4)
                .bits(dscp, 6)
                .bits(dice.below(4), 2)
                .u16(dice.chance(3) ? 0 : total)
                .u16(dice.u16())
                .bits(dice.pick(0, 2, 1), 3)
                .bits(fragment, 13)
                .u8(dice.u8())
                .u8(ah.length > 0 ? 51 : payload.protocol)
                .u16(dice.u16())
                .bytes(dice.bytes(8 + optionWords * 4))
                .toBytes();
        return new Named(4, join(header, ah, payload.bytes));
    }

    private Named ipv6(Payload payload, int dscp, boolean laterFragment) {
        // from the last extension header to the first
        byte[] rest = payload.bytes;
        int next = payload.protocol;
        if (laterFragment) {
            rest = join(fragmentHeader(next, dice.between(1, 0x1FFF)), rest);
            next = 44;
        }
        int extensions = dice.pick(0, 0, 0, 0, 1, 2, 3, 5) - (laterFragment ? 1 : 0);
        for (int i = 0; i < extensions; i++) {
            int kind = dice.pick(0, 0, 60, 60, 43, 44, 51, 135, 139, 140);
            byte[] header = switch (kind) {
                case 44 -> fragmentHeader(next, 0);
                case 51 -> authentication(next);
                case 0, 60 -> options(next);
                default -> {
                    int units = dice.between(0, 3);
                    yield new ByteWriter()
                            .u8(next)
                            .u8(units)
                            .bytes(dice.bytes(units * 8 + 6))
                            .toBytes();
                }
            };
            rest = join(header, rest);
            next = kind;
        }
        byte[] header = new ByteWriter()
                .bits(6, 4)
                .bits(dscp, 6)
                .bits(dice.below(4), 2)
                .bits(dice.below(1 << 20), 20)
                .u16(dice.chance(3) ? 0 : rest.length)
                .u8(next)
                .u8(dice.u8())
                .bytes(address(), address())
                .toBytes();
        return new Named(6, join(header, rest));
    }

    /** With runs of zeros, which the text form shortens. */
    private byte[] address() {
        byte[] address = dice.bytes(16);
        for (int group = 0; group < 8; group++) {
            if (dice.chance(50)) {
                address[group * 2] = 0;
                address[group * 2 + 1] = dice.chance(80) ? 0 : address[group * 2 + 1];
            }
        }
        return address;
    }

    private byte[] fragmentHeader(int next, int offset) {
        return new ByteWriter()
                .u8(next)
                .u8(0)
                .bits(offset, 13)
                .bits(0, 2)
                .bits(dice.below(2), 1)
                .u32(dice.u32())
                .toBytes();
    }

    private byte[] authentication(int next) {
        int words = dice.between(1, 6);
        return new ByteWriter()
                .u8(next)
                .u8(words)
                .u16(0)
                .u32(dice.u32())
                .bytes(dice.bytes((words + 2) * 4 - 8))
                .toBytes();
    }

    private byte[] options(int next) {
        ByteWriter list = new ByteWriter();
        int count = dice.between(0, 3);
        for (int i = 0; i < count; i++) {
            switch (dice.below(4)) {
                case 0 -> list.bytes(new byte[dice.between(1, 3)]);
                case 1 -> {
                    int length = dice.between(0, 9);
                    list.u8(dice.pick(1, 5, 0x26, 59)).u8(length).bytes(dice.bytes(length));
                }
                default -> list.bytes(IoamBytes.ipv6Option(dice));
            }
        }
        list.bytes(new byte[(8 - (2 + list.size()) % 8) % 8]);
        return new ByteWriter()
                .u8(next)
                .u8((2 + list.size()) / 8 - 1)
                .bytes(list.toBytes())
                .toBytes();
    }

    // ---------------------------------------------------------------- transport

    private Payload payload(boolean dscpFree) {
        int choice = dice.below(100);
        if (choice < 35 && intHeaders > 0) {
            return dice.chance(60) ? intOverUdp(dscpFree) : intOverTcp(dscpFree);
        }
        if (choice < 42 && depth > 0) {
            return new Payload(47, gre());
        }
        if (choice < 46 && ipPossible(0)) {
            Named ip = ip();
            return new Payload(ip.name == 4 ? 4 : 41, ip.bytes);
        }
        if (choice < 75) {
            Named body = udpBody();
            return new Payload(17, udp(dice.u16(), body.name, body.bytes));
        }
        if (choice < 90) {
            return new Payload(6, tcp(new byte[0]));
        }
        return switch (dice.below(8)) {
            case 0 -> new Payload(1, dice.bytes(dice.between(4, 40)));
            case 1 -> new Payload(58, dice.bytes(dice.between(4, 40)));
            case 2 -> new Payload(2, dice.bytes(8));
            case 3 -> new Payload(50, dice.bytes(dice.between(8, 40)));
            case 4 -> new Payload(132, dice.bytes(dice.between(12, 40)));
            case 5 -> new Payload(33, dice.bytes(dice.between(12, 40)));
            case 6 -> new Payload(136, dice.bytes(dice.between(8, 40)));
            default -> new Payload(dice.pick(59, 46, 89, 103, 112, 253), dice.bytes(dice.below(30)));
        };
    }

    private byte[] udp(int source, int destination, byte[] payload) {
        return new ByteWriter()
                .u16(source)
                .u16(destination)
                .u16(8 + payload.length)
                .u16(dice.u16())
                .bytes(payload)
                .toBytes();
    }

    private byte[] tcp(byte[] behind) {
        int optionWords = dice.chance(40) ? dice.between(1, 10) : 0;
        return new ByteWriter()
                .u16(dice.u16())
                .u16(dice.u16())
                .u32(dice.u32())
                .u32(dice.u32())
                .bits(5 + optionWords, 4)
                .bits(dice.below(1 << 12), 12)
                .bytes(dice.bytes(6 + optionWords * 4), behind, dice.bytes(dice.below(20)))
                .toBytes();
    }

    /** What a UDP header announces by its destination port: a tunnel, or bytes nobody knows. */
    private Named udpBody() {
        if (dice.chance(55) && depth > 0) {
            return switch (dice.below(6)) {
                case 0 -> vxlan();
                case 1 -> new Named(4790, gpe());
                case 2, 3 -> new Named(6081, geneve());
                case 4 -> ipPossible(1) ? new Named(2152, gtp()) : vxlan();
                default -> new Named(6635, mpls());
            };
        }
        return new Named(dice.pick(53, 123, 443, 6000, 40_000), dice.bytes(dice.below(60)));
    }

    // ---------------------------------------------------------------- INT behind TCP and UDP

    private IntBytes counted(IntBytes header) {
        intHeaders--;
        telemetry.add(header.hops());
        return header;
    }

    private byte[] newShim(int type, int npt, IntBytes header, int content) {
        return new ByteWriter()
                .bits(type, 4)
                .bits(npt, 2)
                .bits(0, 2)
                .u8(header.words())
                .u16(content)
                .bytes(header.bytes())
                .toBytes();
    }

    /** A header that keeps the L4 header it stands behind: NPT 0, INT 1.0, or INT 0.5 with its tail. */
    private byte[] keepingL4(int protocol, int port) {
        int dscp = dice.below(64);
        return switch (dice.below(4)) {
            case 0 -> {
                IntBytes header = counted(IntBytes.v10(dice, L4_INT_WORDS, 1, 1, 2));
                yield new ByteWriter()
                        .u8(1)
                        .u8(0)
                        .u8(1 + header.words())
                        .bits(dscp, 6)
                        .bits(0, 2)
                        .bytes(header.bytes())
                        .toBytes();
            }
            case 1 -> v05WithTail(counted(IntBytes.v05(dice, L4_INT_WORDS)), protocol, port, dscp);
            case 2 -> newShim(3, 0, counted(IntBytes.mx(dice, L4_INT_WORDS)), dscp << 2);
            default -> newShim(1, 0, counted(IntBytes.md(dice, L4_INT_WORDS)), dscp << 2);
        };
    }

    private static byte[] v05WithTail(IntBytes header, int protocol, int port, int dscp) {
        return new ByteWriter()
                .u8(1)
                .u8(0)
                .u8(2 + header.words())
                .u8(0)
                .bytes(header.bytes())
                .u8(protocol)
                .u16(port)
                .u8(dscp)
                .toBytes();
    }

    private byte[] marker() {
        return new ByteWriter().u64(Marks.PROBE_MARKER).toBytes();
    }

    private Payload intOverUdp(boolean dscpFree) {
        return switch (dice.below(dscpFree ? 5 : 4)) {
            case 0 -> intBeforeL4();
            case 1 -> intWithPort();
            case 2 -> v05WithPort();
            case 3 -> {
                byte[] shim = keepingL4(17, 0);
                Named body = udpBody();
                yield new Payload(17, udp(dice.u16(), body.name, join(marker(), shim, body.bytes)));
            }
            default -> {
                byte[] shim = keepingL4(17, 0);
                Named body = udpBody();
                byte[] bytes = udp(dice.u16(), body.name, join(shim, body.bytes));
                yield new Payload(17, bytes, dice.pick(Marks.DSCP, Marks.GEANT_DSCP));
            }
        };
    }

    /** NPT 2: a UDP header of its own, and then what IP carried. */
    private Payload intBeforeL4() {
        boolean mx = dice.chance(30);
        IntBytes header = counted(mx ? IntBytes.mx(dice, L4_INT_WORDS) : IntBytes.md(dice, L4_INT_WORDS));
        Payload inner = payload(false);
        byte[] shim = newShim(mx ? 3 : 1, 2, header, inner.protocol);
        return new Payload(17, udp(dice.u16(), Marks.INT_UDP_PORT, join(shim, inner.bytes)));
    }

    /** NPT 1: the shim keeps the destination port. */
    private Payload intWithPort() {
        IntBytes header = counted(IntBytes.md(dice, L4_INT_WORDS));
        Named body = udpBody();
        byte[] shim = newShim(1, 1, header, body.name);
        return new Payload(17, udp(dice.u16(), Marks.INT_UDP_PORT, join(shim, body.bytes)));
    }

    /** INT 0.5 by port: the tail keeps it. */
    private Payload v05WithPort() {
        IntBytes header = counted(IntBytes.v05(dice, L4_INT_WORDS));
        Named body = udpBody();
        byte[] shim = v05WithTail(header, 17, body.name, dice.below(64));
        return new Payload(17, udp(dice.u16(), Marks.INT_UDP_PORT, join(shim, body.bytes)));
    }

    private Payload intOverTcp(boolean dscpFree) {
        byte[] shim = keepingL4(6, dice.chance(50) ? 0 : 80);
        if (dscpFree && dice.chance(70)) {
            return new Payload(6, tcp(shim), dice.pick(Marks.DSCP, Marks.GEANT_DSCP));
        }
        return new Payload(6, tcp(join(marker(), shim)));
    }

    // ---------------------------------------------------------------- tunnels

    private Named vxlan() {
        depth--;
        byte[] inner = ethernet();
        return new Named(
                dice.pick(4789, 4789, 8472),
                new ByteWriter()
                        .u8(0x08)
                        .bits(0, 24)
                        .bits(dice.below(1 << 24), 24)
                        .u8(0)
                        .bytes(inner)
                        .toBytes());
    }

    private byte[] gpe() {
        depth--;
        int chain = Math.min(intHeaders, dice.pick(0, 1, 1, 2));
        boolean newer = dice.chance(60);
        int intProtocol = newer ? dice.pick(0x82, 0x80) : june2016 && dice.chance(50) ? 0x05 : 0x08;
        List<byte[]> headers = new ArrayList<>();
        for (int i = 0; i < chain; i++) {
            boolean destination = i > 0;
            headers.add(tunnelled(newer, intProtocol == 0x05, destination));
        }
        Named inner = nextProtocol();
        ByteWriter out = new ByteWriter()
                .u8(0x0C)
                .u16(0)
                .u8(chain > 0 ? intProtocol : inner.name)
                .bits(dice.below(1 << 24), 24)
                .u8(0);
        for (int i = 0; i < chain; i++) {
            byte[] header = headers.get(i);
            header[3] = (byte) (i < chain - 1 ? intProtocol : inner.name);
            out.bytes(header);
        }
        return out.bytes(inner.bytes).toBytes();
    }

    /** Shim and header of a GPE or GRE chain; the next protocol is still to be put in. */
    private byte[] tunnelled(boolean newer, boolean of2016, boolean destination) {
        if (destination) {
            intHeaders--;
            telemetry.add(-1);
            int words = dice.between(newer ? 0 : 1, 9);
            ByteWriter out = newer
                    ? new ByteWriter().bits(2, 4).bits(0, 4).u8(words).u16(0)
                    : new ByteWriter().u8(2).u8(0).u8(words).u8(0);
            return out.bytes(dice.bytes((newer ? words : words - 1) * 4)).toBytes();
        }
        if (newer) {
            boolean mx = dice.chance(30);
            IntBytes header = counted(mx ? IntBytes.mx(dice, L4_INT_WORDS) : IntBytes.md(dice, L4_INT_WORDS));
            return new ByteWriter()
                    .bits(mx ? 3 : 1, 4)
                    .bits(0, 4)
                    .u8(header.words())
                    .u16(0)
                    .bytes(header.bytes())
                    .toBytes();
        }
        IntBytes header = counted(oldHeader(of2016, L4_INT_WORDS));
        return new ByteWriter()
                .u8(1)
                .u8(0)
                .u8(1 + header.words())
                .u8(0)
                .bytes(header.bytes())
                .toBytes();
    }

    private IntBytes oldHeader(boolean of2016, int words) {
        if (of2016) {
            return IntBytes.june2016(dice, words);
        }
        return dice.chance(50) ? IntBytes.v05(dice, words) : IntBytes.v10(dice, words, 1, 1, 2);
    }

    private byte[] geneve() {
        depth--;
        ByteWriter list = new ByteWriter();
        int chain = Math.min(intHeaders, dice.pick(0, 1, 1, 1, 2));
        boolean newer = dice.chance(60);
        int optionClass = newer ? Marks.GENEVE_CLASS : Marks.OTHER_GENEVE_CLASS;
        if (dice.chance(30)) {
            int words = dice.between(0, 5);
            list.u16(0x0102).u8(dice.u8()).u8(words).bytes(dice.bytes(words * 4));
        }
        for (int i = 0; i < chain && list.size() <= 28 * 4; i++) {
            byte[] data;
            int type = 1;
            if (i > 0) {
                intHeaders--;
                telemetry.add(-1);
                type = 2;
                data = dice.bytes(dice.between(0, 9) * 4);
            } else if (newer) {
                type = dice.pick(1, 1, 3);
                data = counted(type == 3 ? IntBytes.mx(dice, GENEVE_WORDS) : IntBytes.md(dice, GENEVE_WORDS))
                        .bytes();
            } else {
                data = counted(oldHeader(june2016, GENEVE_WORDS)).bytes();
            }
            list.u16(optionClass)
                    .u8(type | (dice.chance(20) ? 0x80 : 0))
                    .u8(data.length / 4)
                    .bytes(data);
        }
        Named inner = bridged();
        return new ByteWriter()
                .bits(0, 2)
                .bits(list.size() / 4, 6)
                .bits(dice.below(4), 2)
                .bits(0, 6)
                .u16(inner.name)
                .bits(dice.below(1 << 24), 24)
                .u8(0)
                .bytes(list.toBytes(), inner.bytes)
                .toBytes();
    }

    /** An EtherType of a tunnel: 0x6558 or IP. */
    private Named bridged() {
        if (dice.chance(40) && ipPossible(0)) {
            Named ip = ip();
            return new Named(ip.name == 4 ? 0x0800 : 0x86DD, ip.bytes);
        }
        return new Named(0x6558, ethernet());
    }

    private byte[] gre() {
        depth--;
        int chain = Math.min(intHeaders, dice.pick(0, 0, 1, 2));
        List<byte[]> headers = new ArrayList<>();
        for (int i = 0; i < chain; i++) {
            headers.add(tunnelled(true, false, i > 0));
        }
        Named inner = bridged();
        int flags = dice.pick(0, 0, 8, 2, 1, 11);
        ByteWriter out = new ByteWriter()
                .bits(flags, 4)
                .bits(0, 12)
                .u16(chain > 0 ? Marks.GRE_ETHERTYPE : inner.name)
                .bytes(dice.bytes(Integer.bitCount(flags) * 4));
        for (int i = 0; i < chain; i++) {
            int next = i < chain - 1 ? Marks.GRE_ETHERTYPE : inner.name;
            byte[] header = headers.get(i);
            header[2] = (byte) (next >> 8);
            header[3] = (byte) next;
            out.bytes(header);
        }
        return out.bytes(inner.bytes).toBytes();
    }

    private byte[] gtp() {
        depth--;
        Named inner = ip();
        int flags = dice.pick(0, 0, 2, 4, 4, 1);
        ByteWriter body = new ByteWriter();
        if (flags != 0) {
            int extensions = (flags & 4) != 0 ? dice.between(1, 3) : 0;
            body.u16(dice.u16()).u8(dice.u8()).u8(extensions > 0 ? 0x85 : 0);
            for (int i = extensions; i > 0; i--) {
                int words = dice.between(1, 3);
                body.u8(words).bytes(dice.bytes(words * 4 - 2)).u8(i > 1 ? 0x85 : 0);
            }
        }
        return new ByteWriter()
                .bits(1, 3)
                .bits(1, 1)
                .bits(0, 1)
                .bits(flags, 3)
                .u8(0xFF)
                .u16(body.size() + inner.bytes.length)
                .u32(dice.u32())
                .bytes(body.toBytes(), inner.bytes)
                .toBytes();
    }
}
