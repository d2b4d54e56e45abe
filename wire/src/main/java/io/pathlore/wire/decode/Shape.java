package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntParser;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.UdpPayload;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A datagram that was decoded before, and the bits that decided how. Another datagram in which these bits are the same, and
 * that is long enough, has every header at the same place: the result is moved there and only values are read again.
 *
 * <p>Only shapes whose every decision is known are learned: a v2.0 report alone in its datagram, by the specification or of
 * the Transparent Security profile, around one IP packet with INT-MD of 2.x on a known UDP port, nothing cut.
 *
 * <p>Hot path. Reads eight octets even for one: reads of one width share their bounds checks.
 */
final class Shape {
    private static final int MAX_TESTS = 20;
    /** Hardly a shape has more, and a loop over so few costs as much as they do; what is missing tests nothing. */
    private static final int COMMON_TESTS = 8;

    private static final int TRANSPARENT_SECURITY_PORT = 555;
    private static final ReportSink NOWHERE = new ReportSink() {
        @Override
        public void onReport(ReportView report) {}

        @Override
        public void onRejected(Fault fault, int offset) {}
    };

    private final int[] intPorts;
    private final boolean probeMarked;
    private final DatagramDecoder decoder;
    private final ReportView report;
    private final Warnings warnings;

    /** Triples: (eight octets at this offset from the start of the datagram & mask) == value. */
    private final long[] decided = new long[3 * MAX_TESTS];

    private int decidedCount;

    private Profile profile = Profile.AUTO;
    private boolean transparentSecurity;
    private int noticed;
    private int shortest;
    private int ipAt;
    private int udpAt;
    private int shimAt;
    private int innerL4At;
    private int restoredPortAt;
    private int plainPortAt;
    /** Where the stack would end if Length did not count the shim, or -1 where that is no question. */
    private int conformantEnd;

    private boolean countsTheShim;

    Shape(DecodeOptions options) {
        intPorts =
                options.marks().udpPorts().stream().mapToInt(Integer::intValue).toArray();
        probeMarked = options.marks().probeMarker() != null;
        decoder = new DatagramDecoder(options);
        report = decoder.report();
        warnings = decoder.warnings();
    }

    /** The report in this datagram, if it has this shape and nothing else could be decided about it. */
    boolean fits(ByteBuffer buffer, int from, int end, Exporter exporter) {
        if (end - from < shortest || exporter.profile() != profile) {
            return false;
        }
        long[] tests = decided;
        long difference = difference(buffer, from, tests, 0)
                | difference(buffer, from, tests, 1)
                | difference(buffer, from, tests, 2)
                | difference(buffer, from, tests, 3)
                | difference(buffer, from, tests, 4)
                | difference(buffer, from, tests, 5)
                | difference(buffer, from, tests, 6)
                | difference(buffer, from, tests, 7);
        for (int i = COMMON_TESTS; i < decidedCount; i++) {
            difference |= difference(buffer, from, tests, i);
        }
        return difference == 0 && undecided(buffer, from, end, exporter);
    }

    private static long difference(ByteBuffer buffer, int from, long[] tests, int index) {
        return buffer.getLong(from + (int) tests[3 * index]) & tests[3 * index + 1] ^ tests[3 * index + 2];
    }

    /** Decisions that compare values with each other, so that no fixed bits stand for them. */
    private boolean undecided(ByteBuffer buffer, int from, int end, Exporter exporter) {
        if (plainPortAt >= 0) {
            int port = (int) (buffer.getLong(from + plainPortAt - 2) >>> 32) & 0xFFFF;
            if (UdpPayload.isTunnel(port) || isIntPort(port)) {
                return false;
            }
        }
        if (!transparentSecurity) {
            int words = (int) (buffer.getLong(from + GroupHeader.LENGTH) >>> 48) & 0xFF;
            if (words == IndividualReport.LENGTH_TO_END
                    || from + GroupHeader.LENGTH + IndividualReport.LENGTH + 4 * words != end
                    || !exporter.expects20()) {
                return false;
            }
        }
        return conformantEnd < 0
                || IntParser.countsTheShim(
                                buffer,
                                from + conformantEnd,
                                from + shimAt,
                                (int) (buffer.getLong(from + shimAt) >>> 32) & 0xFF,
                                end,
                                transparentSecurity)
                        == countsTheShim;
    }

    ReportView moveTo(ByteBuffer buffer, int from, int end) {
        int delta = from - report.datagramStart;
        report.moveTo(buffer, from, end);
        report.packet.moveTo(buffer, delta, end);
        if (transparentSecurity) {
            report.sequence >>>= DatagramDecoder.TRANSPARENT_SECURITY_SEQUENCE_SHIFT;
        }
        // A consumer may have added to them.
        warnings.rewind(noticed);
        warnings.moveBy(delta);
        return report;
    }

    /** Takes over the shape of a datagram just decoded, of which {@code seen} is all there is. False: not of a kind known. */
    boolean learn(ByteBuffer buffer, int from, int end, Exporter exporter, ReportView seen) {
        decidedCount = 0;
        Arrays.fill(decided, 0);
        profile = exporter.profile();
        transparentSecurity = seen.dialect == Profile.TRANSPARENT_SECURITY;
        if (probeMarked || !learnReport(buffer, from, seen) || !learnPacket(buffer, from, seen.packet)) {
            shortest = Integer.MAX_VALUE;
            return false;
        }
        decoder.decode(buffer, from, end, exporter, NOWHERE);
        report.packet.remember(
                from + ipAt,
                from + udpAt,
                innerL4At < 0 ? -1 : from + innerL4At,
                restoredPortAt < 0 ? -1 : from + restoredPortAt);
        noticed = warnings.count();
        return true;
    }

    private boolean learnReport(ByteBuffer buffer, int from, ReportView seen) {
        if (seen.version != ReportVersion.V2_0 || seen.inner.start() == null) {
            return false;
        }
        test(buffer, from, 0, 0xF000_0000_0000_0000L);
        if (transparentSecurity) {
            if (seen.warnings.hasFault()) {
                return false;
            }
            test(buffer, from, 8, 0xFF00_FF00_0000_FFFFL);
            test(buffer, from, 16, 0xFFFF_FFFF_0000_0000L);
            return true;
        }
        if (seen.warnings.count() != 0) {
            return false;
        }
        if (seen.type == IndividualReport.TYPE_INT) {
            test(buffer, from, 8, 0xFF00_FF00_FFFF_FFFFL);
            test(buffer, from, 16, 0xFFFF_FFFF_0000_0000L);
            return true;
        }
        test(buffer, from, 8, 0xFF00_FF00_0000_0000L);
        return IndividualReport.mdLength(buffer.getInt(from + 8)) == 0;
    }

    private boolean learnPacket(ByteBuffer buffer, int from, PacketView packet) {
        if (packet.cutAt() != null || packet.ints() != 1 || packet.ioams() != 0) {
            return false;
        }
        int layer = 0;
        int layers = packet.layers();
        // The type of what follows Ethernet or a tag is the two octets before it.
        long type = 0;
        if (packet.layer(layer) == Layer.ETHERNET) {
            type = 0xFFFF_0000_0000_0000L;
            layer++;
            while (layer < layers && packet.layer(layer) == Layer.VLAN) {
                test(buffer, from, packet.layerOffset(layer++) - 2 - from, type);
            }
        }
        if (layers - layer < 3 || !learnIp(buffer, from, packet.layer(layer), packet.layerOffset(layer) - from, type)) {
            return false;
        }
        udpAt = packet.layerOffset(layer + 1) - from;
        IntHeaderView header = packet.intHeader(0);
        if (packet.layer(layer + 1) != Layer.UDP
                || packet.layer(layer + 2) != Layer.INT
                || header.shimOffset() != from + udpAt + 8) {
            return false;
        }
        test(buffer, from, udpAt, 0x0000_FFFF_0000_0000L);
        if (!learnInt(buffer, from, header)) {
            return false;
        }
        if (layers == layer + 3) {
            return innerL4At < 0;
        }
        return layers == layer + 4 && innerL4At >= 0 && learnInnerL4(buffer, from, packet.layer(layer + 3));
    }

    private boolean learnIp(ByteBuffer buffer, int from, Layer layer, int at, long type) {
        ipAt = at;
        if (layer == Layer.IPV4) {
            // Version and header length; fragment offset and protocol.
            test(buffer, from, at - 2, type | 0x0000_FF00_0000_0000L);
            test(buffer, from, at + 6, 0x1FFF_00FF_0000_0000L);
            return true;
        }
        test(buffer, from, at - 2, type | 0x0000_F000_0000_0000L);
        test(buffer, from, at + 6, 0xFF00_0000_0000_0000L);
        return layer == Layer.IPV6;
    }

    /** Everything of shim and header but the original port, D, E and the remaining hop count. */
    private boolean learnInt(ByteBuffer buffer, int from, IntHeaderView header) {
        shimAt = header.shimOffset() - from;
        int shim = buffer.getInt(header.shimOffset());
        int npt = IntShim.npt(shim);
        if (header.version() != IntVersion.V2
                || header.encapsulation() != Encapsulation.UDP
                || header.opaque()
                || header.truncated()
                || IntShim.type(shim) != IntShim.TYPE_MD
                || npt == IntShim.NPT_NONE) {
            return false;
        }
        boolean udpPayload = npt == IntShim.NPT_UDP_PORT;
        test(buffer, from, shimAt, udpPayload ? 0xFFFF_0000_F3FF_FF00L : 0xFFFF_FFFF_F3FF_FF00L);
        test(buffer, from, shimAt + 8, 0xFFFF_FFFF_FFFF_E000L);
        innerL4At = udpPayload ? -1 : header.end() - from;
        restoredPortAt = udpPayload ? shimAt + 2 : -1;
        plainPortAt = restoredPortAt;
        shortest = Math.max(header.end() - from, shimAt + 16);
        boolean twoReadings = !udpPayload && header.domainId() == Domains.TRANSPARENT_SECURITY;
        conformantEnd = twoReadings ? shimAt + 4 + 4 * IntShim.length(shim) : -1;
        countsTheShim = header.end() - from == conformantEnd - 4;
        return true;
    }

    private boolean learnInnerL4(ByteBuffer buffer, int from, Layer layer) {
        if (layer == Layer.UDP) {
            plainPortAt = innerL4At + 2;
            shortest = innerL4At + 8;
            return true;
        }
        if (layer == Layer.TCP) {
            test(buffer, from, innerL4At + 8, 0x0000_0000_F000_0000L);
            shortest = innerL4At + 4 * (buffer.get(from + innerL4At + 12) >> 4 & 0xF);
            return true;
        }
        return false;
    }

    private boolean isIntPort(int port) {
        for (int intPort : intPorts) {
            if (intPort == port) {
                return true;
            }
        }
        return port == TRANSPARENT_SECURITY_PORT;
    }

    private void test(ByteBuffer buffer, int from, int offset, long mask) {
        int at = 3 * decidedCount++;
        decided[at] = offset;
        decided[at + 1] = mask;
        decided[at + 2] = buffer.getLong(from + offset) & mask;
    }
}
