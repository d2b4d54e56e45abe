package io.pathlore.wire.decode;

import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Domains.Domain;
import io.pathlore.wire.Domains.Item;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntHeader.Flags;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.ioam.IoamEncoder;
import io.pathlore.wire.ioam.IoamNodeValues;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.TunnelEncoder;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Conformant datagrams and packets of every version, carrier and option the encoders have, with random contents. Counts
 * what it wrote, so that a decoder can be asked whether it found all of it.
 */
final class RandomReports {
    /** Two items of each hop and two of the source's alone, so that both stand between others. */
    private static final int DOMAIN = 0x1001;

    static final Domains DOMAINS = new Domains(List.of(
            new Domain(
                    DOMAIN,
                    List.of(
                            new Item(0, 1, false, "a"),
                            new Item(1, 2, true, Domains.DEVICE),
                            new Item(2, 2, false, "b"),
                            new Item(3, 3, true, "c"))),
            new Domain(Domains.TRANSPARENT_SECURITY, List.of(new Item(0, 2, true, Domains.DEVICE)))));

    private static final int[] DOMAIN_WORDS = {1, 2, 2, 3};
    private static final int SOURCE_ONLY = 0x5000;
    private static final int UNKNOWN_DOMAIN = 0xABCD;

    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int GRE = 47;
    private static final int HOP_BY_HOP = 0;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int IPV4_TYPE = 0x0800;
    private static final int IPV6_TYPE = 0x86DD;
    private static final int VLAN_TYPE = 0x8100;
    private static final int ETHERNET_TYPE = 0x6558;
    private static final int INT_PORT = 5555;
    private static final int INT_ETHERTYPE = 0x88B6;
    private static final long PROBE = 0x0123_4567_89AB_CDEFL;
    private static final int DSCP_MARK = 0x17 << 2;
    private static final int DEEPEST = 2;

    private final RandomGenerator random;
    private final ByteBuffer out = ByteBuffer.allocate(64 * 1024);
    private final HopLayout layout = new HopLayout();
    private final HopValues values = new HopValues();
    /** INT headers and IOAM options written. */
    int ints;

    int ioams;

    /** A decoder keeps so many options of one packet. */
    private int optionsLeft;

    RandomReports(RandomGenerator random) {
        this.random = random;
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private ByteBuffer written(int end) {
        byte[] bytes = new byte[end];
        out.get(0, bytes);
        return ByteBuffer.wrap(bytes);
    }

    // ---- reports

    ByteBuffer report() {
        return written(
                switch (random.nextInt(3)) {
                    case 0 -> report05();
                    case 1 -> report10();
                    default -> report20();
                });
    }

    ByteBuffer ethernetFrame() {
        return written(packet(0, 0));
    }

    private int report05() {
        int nProto = random.nextInt(3);
        FixedHeader.encode(
                out,
                0,
                nProto,
                random.nextBoolean(),
                random.nextBoolean(),
                true,
                random.nextInt(64),
                random.nextInt(),
                0);
        node();
        switch (nProto) {
            case FixedHeader.NPROTO_DROP -> layout.report05Drop();
            case FixedHeader.NPROTO_LOCAL -> layout.report05Local();
            default -> layout.report05Plain();
        }
        return packet(HopEncoder.encode(out, 0, layout, values), 0);
    }

    private int report10() {
        int bits = random.nextInt(64);
        int nProt = random.nextInt(3);
        ReportHeader.encode(
                out,
                0,
                nProt,
                bits,
                random.nextBoolean(),
                random.nextBoolean(),
                true,
                random.nextInt(64),
                random.nextInt(),
                random.nextInt(),
                0);
        node();
        layout.report10(bits);
        return packet(HopEncoder.encode(out, 0, layout, values), nProt);
    }

    private int report20() {
        int at = GroupHeader.encode(out, 0, random.nextInt(64), random.nextInt(), random.nextInt());
        for (int reports = 1 + random.nextInt(3); reports > 0; reports--) {
            at = individual(at);
        }
        return at;
    }

    private int individual(int offset) {
        int repType = random.nextInt(2);
        int inType = repType == 0 ? 1 + random.nextInt(5) : random.nextInt(6);
        int bits = repType == 0 ? 0 : random.nextInt(1 << 16) & 0x7F81;
        int at = offset + IndividualReport.LENGTH;
        int mdWords = 0;
        if (repType == IndividualReport.TYPE_INT) {
            int dsBits = one(2) ? 0 : random.nextInt(16) << 12;
            int domain = dsBits == 0 ? 0 : one(2) ? DOMAIN : UNKNOWN_DOMAIN;
            int dsWords = domain == DOMAIN
                    ? words(dsBits, 0xF000)
                    : Integer.bitCount(dsBits) + (dsBits == 0 ? 0 : random.nextInt(3));
            at = IndividualReport.encodeMain(out, at, bits, domain, dsBits, random.nextInt(1 << 16));
            node();
            layout.report20(bits, 0);
            at = randomWords(HopEncoder.encode(out, at, layout, values), dsWords);
            mdWords = layout.length() / 4 + dsWords;
        }
        int[] counts = {ints, ioams};
        int end = inner(at, inType);
        int words = (end - offset) / 4 - 1;
        if (words > IndividualReport.LONGEST_EXACT_WORDS) {
            // A length that must be exact has no room for it: a report about nothing instead.
            ints = counts[0];
            ioams = counts[1];
            return IndividualReport.encodeMain(
                    out, IndividualReport.encode(out, offset, 1, 0, 2, 0, false, false, true, false), 0, 0, 0, 0);
        }
        IndividualReport.encode(
                out,
                offset,
                repType,
                inType,
                words,
                mdWords,
                random.nextBoolean(),
                random.nextBoolean(),
                true,
                random.nextBoolean());
        return end;
    }

    private int inner(int offset, int inType) {
        return switch (inType) {
            case IndividualReport.IN_NONE -> offset;
            case IndividualReport.IN_TLV -> tlvs(offset);
            case IndividualReport.IN_DS_EXTENSION -> randomWords(offset, 1 + random.nextInt(8));
            default -> padded(offset, packet(offset, inType - IndividualReport.IN_ETHERNET));
        };
    }

    private int tlvs(int offset) {
        int at = offset;
        for (int tlvs = random.nextInt(3); tlvs > 0; tlvs--) {
            int words = random.nextInt(5);
            at = randomWords(Tlv.encode(out, at, Tlv.DS_EXTENSION, words, random.nextInt(1 << 16)), words);
        }
        int kind = random.nextInt(3);
        int data = at + Tlv.LENGTH;
        int end = padded(data, packet(data, kind));
        Tlv.encode(out, at, Tlv.ETHERNET + kind, (end - data) / 4, 0);
        return end;
    }

    private int padded(int from, int end) {
        int padding = -(end - from) & 3;
        for (int i = 0; i < padding; i++) {
            out.put(end + i, (byte) 0);
        }
        return end + padding;
    }

    private int randomWords(int offset, int words) {
        for (int i = 0; i < words; i++) {
            out.putInt(offset + 4 * i, random.nextInt());
        }
        return offset + 4 * words;
    }

    private static int words(int dsBits, int mask) {
        int words = 0;
        for (int bit = 0; bit < DOMAIN_WORDS.length; bit++) {
            words += (dsBits & mask & 0x8000 >>> bit) == 0 ? 0 : DOMAIN_WORDS[bit];
        }
        return words;
    }

    // ---- packets

    /** {@code kind}: 0 Ethernet, 1 IPv4, 2 IPv6. */
    private int packet(int offset, int kind) {
        optionsLeft = PacketView.MAX_IOAM_OPTIONS;
        return kind == 0 ? frame(offset, 0) : ip(offset, kind == 2, 0);
    }

    private int frame(int offset, int depth) {
        boolean v6 = random.nextBoolean();
        int type = v6 ? IPV6_TYPE : IPV4_TYPE;
        int tags = depth == 0 ? random.nextInt(3) : 0;
        int at = PacketEncoder.ethernet(out, offset, random.nextLong(), random.nextLong(), tags > 0 ? VLAN_TYPE : type);
        for (; tags > 0; tags--) {
            at = PacketEncoder.vlan(out, at, 0, random.nextInt(1 << 12), tags > 1 ? VLAN_TYPE : type);
        }
        return ip(at, v6, depth);
    }

    private int ip(int ip, boolean v6, int depth) {
        boolean marked = one(3);
        int protocol = switch (random.nextInt(6)) {
            case 0 -> ICMP;
            case 1 -> TCP;
            case 2 -> depth < DEEPEST && !v6 ? GRE : TCP;
            default -> UDP;
        };
        int trafficClass = marked && (protocol == UDP || protocol == TCP) ? DSCP_MARK : 0;
        int end;
        if (v6) {
            protocol = protocol == ICMP ? UDP : protocol;
            boolean hopByHop = one(3);
            boolean destination = one(5);
            int first = hopByHop ? HOP_BY_HOP : destination ? DESTINATION_OPTIONS : protocol;
            int at = PacketEncoder.ipv6(
                    out,
                    ip,
                    trafficClass,
                    random.nextInt(1 << 20),
                    first,
                    64,
                    random.nextLong(),
                    random.nextLong(),
                    random.nextLong(),
                    random.nextLong());
            at = hopByHop ? options(at, destination ? DESTINATION_OPTIONS : protocol) : at;
            at = destination ? options(at, protocol) : at;
            end = l4(ip, at, protocol, trafficClass != 0, depth);
            PacketEncoder.finishIpv6(out, ip, end);
        } else {
            int at = PacketEncoder.ipv4(
                    out, ip, trafficClass, random.nextInt(), true, 64, protocol, random.nextInt(), random.nextInt());
            end = l4(ip, at, protocol, trafficClass != 0, depth);
            PacketEncoder.finishIpv4(out, ip, end);
        }
        return end;
    }

    private int l4(int ip, int at, int protocol, boolean marked, int depth) {
        return switch (protocol) {
            case ICMP -> icmp(at);
            case GRE -> gre(at, depth);
            case TCP -> tcp(ip, at, marked);
            default -> udp(ip, at, marked, depth);
        };
    }

    private int icmp(int offset) {
        int end = PacketEncoder.icmpEcho(out, offset, 8, random.nextInt(), random.nextInt());
        L4Checksum.writeIcmp(out, offset, end);
        return end;
    }

    private int tcp(int ip, int tcp, boolean marked) {
        byte[] options = new byte[4 * random.nextInt(4)];
        random.nextBytes(options);
        int at = PacketEncoder.tcp(out, tcp, 1024, 80, random.nextInt(), random.nextInt(), 0x18, 99, options);
        int end = at;
        if (marked) {
            end = markedInt(at, TCP);
        } else if (one(2)) {
            out.putLong(at, PROBE);
            end = newShim(at + 8, IntShim.NPT_NONE, random.nextInt(64) << 2);
        }
        L4Checksum.writeTcp(out, ip, tcp, end);
        return end;
    }

    /** Behind a DSCP mark any version may stand. */
    private int markedInt(int offset, int protocol) {
        return switch (random.nextInt(3)) {
            case 0 -> newShim(offset, IntShim.NPT_NONE, random.nextInt(64) << 2);
            case 1 -> {
                int end = int10(offset + IntShim.LENGTH);
                IntShim.encodeOld(out, offset, IntShim.TYPE_MD, (end - offset) / 4, random.nextInt(64) << 2);
                yield end;
            }
            default -> {
                int tail = counted(offset + IntShim.LENGTH, false, 60);
                int end = IntShim.encodeTail(out, tail, protocol, 80, random.nextInt(64));
                IntShim.encodeOld(out, offset, IntShim.TYPE_MD, (end - offset) / 4, 0);
                yield end;
            }
        };
    }

    private int udp(int ip, int udp, boolean marked, int depth) {
        int kind = marked ? 0 : 1 + random.nextInt(depth < DEEPEST ? 6 : 3);
        int port = new int[] {80, 80, INT_PORT, INT_PORT, 4789, 4790, 6081}[kind];
        int at = PacketEncoder.udp(out, udp, 1024, port);
        int end = switch (kind) {
            case 0 -> markedInt(at, UDP);
            case 2 -> newShim(at, IntShim.NPT_UDP_PORT, 80);
            case 3 -> {
                int inner = newShim(at, IntShim.NPT_IP_PROTOCOL, TCP);
                yield PacketEncoder.tcp(out, inner, 1, 2, 3, 4, 5, 6);
            }
            case 4 -> frame(TunnelEncoder.vxlan(out, at, random.nextInt(1 << 24)), depth + 1);
            case 5 -> gpe(at, depth);
            case 6 -> geneve(at, depth);
            default -> randomWords(at, random.nextInt(4));
        };
        PacketEncoder.finishUdp(out, udp, end);
        L4Checksum.writeUdp(out, ip, udp, end);
        return end;
    }

    private int gpe(int offset, int depth) {
        if (one(2)) {
            int shim = TunnelEncoder.vxlanGpe(out, offset, 0x82, random.nextInt(1 << 24));
            int type = mdOrMx();
            int end = int2(shim + IntShim.LENGTH, type, 200);
            IntShim.encodeGpe(out, shim, type, (end - shim) / 4 - 1, random.nextBoolean(), 3);
            return frame(end, depth + 1);
        }
        int shim = TunnelEncoder.vxlanGpe(out, offset, 0x08, random.nextInt(1 << 24));
        int end = int10(shim + IntShim.LENGTH);
        IntShim.encodeOld(out, shim, IntShim.TYPE_MD, (end - shim) / 4, 3);
        return frame(end, depth + 1);
    }

    private int geneve(int offset, int depth) {
        int option = offset + TunnelEncoder.GENEVE_LENGTH;
        int data = option + TunnelEncoder.GENEVE_OPTION_LENGTH;
        boolean june2016 = one(2);
        int type = june2016 ? IntShim.TYPE_MD : mdOrMx();
        int end = june2016
                ? counted(data, true, TunnelEncoder.GENEVE_OPTION_MAX_WORDS)
                : int2(data, type, TunnelEncoder.GENEVE_OPTION_MAX_WORDS);
        int words = (end - data) / 4;
        TunnelEncoder.geneve(out, offset, words + 1, ETHERNET_TYPE, random.nextInt(1 << 24));
        TunnelEncoder.geneveOption(out, option, june2016 ? 0x00AB : IntMarks.GENEVE_CLASS, type, words);
        return frame(end, depth + 1);
    }

    private int gre(int gre, int depth) {
        boolean telemetry = one(2);
        int shim = TunnelEncoder.gre(
                out,
                gre,
                telemetry ? INT_ETHERTYPE : IPV4_TYPE,
                random.nextBoolean(),
                one(2) ? TunnelEncoder.NONE : random.nextInt(1 << 30),
                one(2) ? TunnelEncoder.NONE : random.nextInt(1 << 30));
        int inner = shim;
        if (telemetry) {
            int type = mdOrMx();
            inner = int2(shim + IntShim.LENGTH, type, 200);
            IntShim.encodeGre(out, shim, type, random.nextBoolean(), (inner - shim) / 4 - 1, IPV4_TYPE);
        }
        int end = ip(inner, false, depth + 1);
        TunnelEncoder.finishGre(out, gre, end);
        return end;
    }

    // ---- INT

    private int mdOrMx() {
        return one(4) ? IntShim.TYPE_MX : IntShim.TYPE_MD;
    }

    private int newShim(int offset, int npt, int content) {
        int type = mdOrMx();
        int end = int2(offset + IntShim.LENGTH, type, 200);
        IntShim.encode(out, offset, type, npt, (end - offset) / 4 - 1, content);
        return end;
    }

    private Flags flags() {
        return new Flags(random.nextBoolean(), random.nextBoolean(), false, random.nextBoolean(), random.nextInt(4));
    }

    /** INT 2.x in any domain, within so many words. Never without any instruction: lenient decoding would doubt it. */
    private int int2(int offset, int type, int maxWords) {
        ints++;
        int domain = one(2) ? 0 : one(2) ? DOMAIN : UNKNOWN_DOMAIN;
        int dsBits = domain == 0 ? 0 : (1 + random.nextInt(15)) << 12;
        if (type == IntShim.TYPE_MX) {
            int bitmap = 0x8000 | random.nextInt(1 << 16) & 0x7F80;
            int words = domain == 0 ? 0 : domain == DOMAIN ? words(dsBits, SOURCE_ONLY) : random.nextInt(4);
            int at = IntHeader.encodeMx(out, offset, random.nextBoolean(), bitmap, domain, dsBits, random.nextInt());
            return randomWords(at, words);
        }
        int bitmap = 0x8000 | random.nextInt(1 << 16) & 0x7F81;
        int perHop = domain == DOMAIN ? words(dsBits, ~SOURCE_ONLY) : domain == 0 ? 0 : random.nextInt(4);
        int sourceOnly = domain == DOMAIN ? words(dsBits, SOURCE_ONLY) : 0;
        layout.int2(bitmap, 2, 2, perHop);
        int hopMl = layout.length() / 4;
        int hops = Math.max(0, random.nextInt(1 + (maxWords - 3 - sourceOnly) / hopMl));
        int at = IntHeader.encodeMd(
                out, offset, flags(), hopMl, random.nextInt(256), bitmap, domain, dsBits, random.nextInt());
        for (int hop = 0; hop < hops; hop++) {
            if (hop == hops - 1) {
                layout.int2(bitmap, 2, 2, perHop + sourceOnly);
            }
            node();
            at = HopEncoder.encode(out, at, layout, values);
        }
        return at;
    }

    private int int10(int offset) {
        ints++;
        int bitmap = 0x8000 | random.nextInt(1 << 16) & 0x7F01;
        layout.int10(bitmap, 1, 2);
        int at = IntHeader.encode10(out, offset, flags(), layout.length() / 4, random.nextInt(256), bitmap);
        for (int hops = random.nextInt(7); hops > 0; hops--) {
            node();
            at = HopEncoder.encode(out, at, layout, values);
        }
        return at;
    }

    private int counted(int offset, boolean june2016, int maxWords) {
        ints++;
        int bitmap = (1 + random.nextInt(0xFF)) << 8;
        int hops = random.nextInt(1 + Math.min(7, (maxWords - 2) / Integer.bitCount(bitmap)));
        int max = hops + random.nextInt(16);
        int at = june2016
                ? IntHeader.encode2016(out, offset, flags(), max, hops, bitmap)
                : IntHeader.encode05(out, offset, flags(), max, hops, bitmap);
        if (june2016) {
            layout.june2016(bitmap);
        } else {
            layout.int05(bitmap, 1);
        }
        for (int hop = 0; hop < hops; hop++) {
            node();
            at = HopEncoder.encode(out, at, layout, values);
        }
        if (june2016 && hops > 0) {
            HopEncoder.markBottomOfStack(out, at - 4);
        }
        return at;
    }

    private long value(int bits) {
        return one(6) ? HopView.ABSENT : random.nextLong(1L << bits);
    }

    private void node() {
        values.nodeId = value(32);
        values.ingressInterface = value(16);
        values.egressInterface = value(16);
        values.hopLatency = value(32);
        values.queueId = value(8);
        values.queueOccupancy = value(24);
        values.queueCongestion = value(24);
        values.ingressTimestamp = value(62);
        values.egressTimestamp = value(62);
        values.level2IngressInterface = value(32);
        values.level2EgressInterface = value(32);
        values.txUtilization = value(32);
        values.bufferId = value(8);
        values.bufferOccupancy = value(24);
        values.dropQueueId = value(8);
        values.dropReason = value(8);
        values.checksumComplement = value(16);
        values.domainWords = random.nextInt(9);
        for (int i = 0; i < values.domainWords; i++) {
            values.domain[i] = random.nextInt();
        }
    }

    // ---- IOAM

    private int options(int header, int next) {
        int at = IoamEncoder.optionsHeader(out, header, next);
        for (int options = Math.min(optionsLeft, 1 + random.nextInt(2)); options > 0; options--) {
            ioams++;
            optionsLeft--;
            int type = random.nextInt(5);
            int body = at + 4;
            int end = body(body, type);
            IoamEncoder.option(out, at, IoamEncoder.OPTION_MAY_CHANGE, type, end - body);
            at = end;
        }
        return IoamEncoder.finishOptionsHeader(out, header, at);
    }

    private int body(int offset, int type) {
        return switch (type) {
            case IoamView.PREALLOCATED_TRACE, IoamView.INCREMENTAL_TRACE -> trace(offset, type);
            case IoamView.EDGE_TO_EDGE -> {
                int e2e = (random.nextInt(3) + 1) / 2 << 15 >> random.nextInt(2) | random.nextInt(4) << 12;
                yield IoamEncoder.edgeToEdge(
                        out, offset, 1, e2e, random.nextLong(), random.nextInt(), random.nextInt());
            }
            case IoamView.DIRECT_EXPORT ->
                IoamEncoder.directExport(
                        out, offset, 1, 0, random.nextInt(4) << 6, 0xF0_0000, random.nextInt(), random.nextInt());
            default -> {
                int end = IoamEncoder.proofOfTransit(out, offset, 1, 0, random.nextLong(), random.nextLong());
                // Other types than 0 say nothing of their length.
                out.put(offset + 2, (byte) random.nextInt(2));
                yield end;
            }
        };
    }

    private int trace(int offset, int type) {
        int traceType = 0x80_0000 | random.nextInt(1 << 24) & 0xF1_0000 | (one(4) ? 0x02 : 0);
        int free = type == IoamView.PREALLOCATED_TRACE ? random.nextInt(8) : 0;
        int at = IoamEncoder.trace(out, offset, 1, traceType, random.nextBoolean(), false, false, free);
        at = IoamEncoder.free(out, at, free);
        IoamNodeValues node = new IoamNodeValues();
        for (int nodes = random.nextInt(4); nodes > 0; nodes--) {
            node.hopLimit = nodes;
            node.nodeId = value(24);
            node.ingressInterface = value(16);
            node.egressInterface = value(16);
            node.timestampSeconds = value(32);
            node.timestampFraction = value(32);
            node.checksumComplement = value(32);
            node.snapshotSchema = value(24);
            node.snapshotWords = random.nextInt(3);
            at = IoamEncoder.node(out, at, traceType, node);
        }
        return at;
    }
}
