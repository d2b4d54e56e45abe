package io.pathlore.dataplane.report;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.net.PacketStart;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import io.pathlore.wire.tr20.TransparentSecurityReport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The reports of one subsystem of a node to one destination: the scope of a sequence number, and what may share a datagram
 * [TR 2.0 §3.2]. v2.0 counts datagrams in 22 bits, v0.5 and v1.0 count reports in 32.
 *
 * <p>Lengths of v2.0 count words. A packet that is cut anyway is cut to whole words; one that is shorter than the limit is
 * whole, and padded with zeros, which receivers tell from the packet by its IP length. A report of 255 words or more runs to
 * the end of its datagram, is the last one in it, and needs neither [TR 2.0 §3.3].
 *
 * <p>Own metadata in domain specific extension data ({@link OwnMetadata#DS_EXTENSION}) is one hop of INT 2.1 behind a word
 * that says what is in it. With a packet beside it, or where TLVs are wanted, it stands in a TLV of template
 * {@link #OWN_HOP_TEMPLATE}, else it is all of the inner contents (InType 2):
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------+-------------------------------+
 * |      Instruction Bitmap       |        DS Instruction         |
 * +-------------------------------+-------------------------------+
 * |        node id, then the items of both, as a hop pushes them  |
 * </pre>
 *
 * <p>Hot path: no allocation once warm; one buffer is written again and again.
 */
public final class ReportStream {
    /** TLV Data Template of the node's own hop. */
    public static final int OWN_HOP_TEMPLATE = 0x4F48;

    /** When nothing waits. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int SEQUENCE_MASK_V2 = 0x3F_FFFF;
    /** Collectors bound what they take from one datagram. */
    private static final int MAX_REPORTS_PER_DATAGRAM = 1024;
    /** More than all that is not packet: metadata, domain words, two TLVs of extension data. */
    private static final int ROOM_FOR_METADATA = 4096;

    private static final int MAX_TLV_WORDS = 255;
    private static final int MAX_MD_WORDS = 255;
    private static final int WORD = Integer.BYTES;
    private static final int SMALLEST_FRAGMENT = 4;

    private static final int NODE_ID_BIT = 0x8000;
    private static final int TIMESTAMP_WORDS = 2;
    private static final int LEVEL2_WORDS = 2;

    private static final int FIRST_EPHEMERAL_PORT = 49_152;
    private static final int EPHEMERAL_PORT_SHIFT = 64 - 14;

    private static final int ETHERTYPE_AT = 12;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final ByteBuffer NO_PACKET = ByteBuffer.allocate(0);

    private final ReportFormat format;
    private final ByteBuffer buffer;
    private final HopLayout layout = new HopLayout();
    private final HopLayout hopLayout = new HopLayout();

    private int sequence;

    /** Where the gathered reports end. */
    private int end = GroupHeader.LENGTH;

    private int waiting;
    private int waitingSourcePort;
    private long flushAtNanos = NEVER;

    // The packet of the report at hand.
    private ByteBuffer packet = NO_PACKET;
    private int packetFrom;
    private int packetEnd;
    private PacketStart packetStart = PacketStart.OTHER;

    public ReportStream(ReportFormat format) {
        this(format, 0);
    }

    /** For a stream that goes on, or to see it wrap. */
    public ReportStream(ReportFormat format, long firstSequence) {
        this.format = format;
        sequence = (int) firstSequence;
        buffer = ByteBuffer.allocate(format.maxPayloadBytes() + ROOM_FOR_METADATA);
    }

    public ReportFormat format() {
        return format;
    }

    /** When {@link #flush} has something to do, or {@link #NEVER}. */
    public long flushAtNanos() {
        return flushAtNanos;
    }

    /** Sends what is gathered if it has waited long enough at {@code nowNanos}; at {@link #NEVER} in any case. */
    public void flush(long nowNanos, ReportOutput out) {
        if (waiting > 0 && nowNanos >= flushAtNanos) {
            send(out);
        }
    }

    /** As after power-up: counts from 0 again, and what was gathered is lost. */
    public void restart() {
        sequence = 0;
        forget();
    }

    private void forget() {
        end = GroupHeader.LENGTH;
        waiting = 0;
        flushAtNanos = NEVER;
    }

    /** Reports on a packet, or on none. The packet is the copy to report: with the own hop on its stack if it shall be there. */
    public void add(ReportContent content, @Nullable Packet copy, long nowNanos, ReportOutput out) {
        if (copy == null) {
            add(content, NO_PACKET, 0, 0, PacketStart.OTHER, nowNanos, out);
        } else if (format.inner() == InnerStart.ETHERNET) {
            add(content, copy.buffer(), copy.start(), copy.end(), PacketStart.ETHERNET, nowNanos, out);
        } else {
            addFromIp(content, copy, nowNanos, out);
        }
    }

    private void addFromIp(ReportContent content, Packet copy, long nowNanos, ReportOutput out) {
        ByteBuffer bytes = copy.buffer();
        int typeAt = etherTypeAt(bytes, copy.start(), copy.end());
        PacketStart start = PacketStart.ETHERNET;
        if (typeAt + 2 < copy.end()) {
            int type = bytes.getShort(typeAt) & 0xFFFF;
            start = type == IPV4 ? PacketStart.IPV4 : type == IPV6 ? PacketStart.IPV6 : start;
        }
        int from = start == PacketStart.ETHERNET ? copy.start() : typeAt + 2;
        add(content, bytes, from, copy.end(), start, nowNanos, out);
    }

    /** Behind all VLAN tags. */
    private static int etherTypeAt(ByteBuffer bytes, int ethernet, int end) {
        int at = ethernet + ETHERTYPE_AT;
        while (at + 6 <= end && isVlan(bytes.getShort(at) & 0xFFFF)) {
            at += 4;
        }
        return at;
    }

    private static boolean isVlan(int etherType) {
        return switch (etherType) {
            case 0x8100, 0x88A8, 0x9100, 0x9200 -> true;
            default -> false;
        };
    }

    /** With the packet in {@code [from, end)}, wherever it starts. */
    void add(
            ReportContent content,
            ByteBuffer bytes,
            int from,
            int end,
            PacketStart start,
            long nowNanos,
            ReportOutput out) {
        packet = bytes;
        packetFrom = from;
        packetEnd = end;
        packetStart = start;
        if (format.transparentSecurity()) {
            trackedFlow(content, out);
            return;
        }
        flush(nowNanos, out);
        // Where no packet is copied there is no stack beside which, or on which, anything could stand.
        boolean copied = Math.min(end - from, format.maxFragmentBytes()) >= SMALLEST_FRAGMENT;
        OwnMetadata own = content.stacked && copied ? format.own() : OwnMetadata.MAIN;
        switch (format.version()) {
            case V0_5 -> add05(content, own, out);
            case V1_0 -> add10(content, own, out);
            case V2_0 -> add20(content, own, nowNanos, out);
        }
    }

    // ---- v0.5

    private void add05(ReportContent content, OwnMetadata own, ReportOutput out) {
        // Fields of this version are unknown one by one: a reason is worth its header without a queue.
        boolean drop = content.dropped && content.own.dropReason != HopView.ABSENT;
        if (own == OwnMetadata.MAIN) {
            send05(content, drop, content.available() != 0, true, out);
        } else {
            send05(content, drop, false, true, out);
            if (own == OwnMetadata.SEPARATE) {
                send05(content, false, true, false, out);
            }
        }
    }

    /** A drop header has no room for what a local header says, and the other way round: the drop wins. */
    private void send05(ReportContent content, boolean drop, boolean local, boolean withPacket, ReportOutput out) {
        int nProto = FixedHeader.NPROTO_ETHERNET;
        if (drop) {
            nProto = FixedHeader.NPROTO_DROP;
        } else if (local) {
            nProto = FixedHeader.NPROTO_LOCAL;
        }
        int at = FixedHeader.encode(
                buffer,
                0,
                nProto,
                content.dropped,
                content.congested,
                content.tracked,
                format.hwId(),
                sequence,
                content.own.ingressTimestamp);
        // An unknown value is all ones, and so is ABSENT in any width.
        if (drop) {
            at = FixedHeader.encodeDrop(
                    buffer,
                    at,
                    format.nodeId(),
                    (int) content.own.ingressInterface,
                    (int) content.own.egressInterface,
                    (int) content.own.dropQueueId,
                    (int) content.own.dropReason);
        } else if (local) {
            at = FixedHeader.encodeLocal(
                    buffer,
                    at,
                    format.nodeId(),
                    (int) content.own.ingressInterface,
                    (int) content.own.egressInterface,
                    (int) content.own.queueId,
                    (int) content.own.queueOccupancy,
                    content.own.egressTimestamp);
        }
        sendAlone(content, withPacket ? fragment(at, format.maxFragmentBytes()) : at, out);
    }

    // ---- v1.0

    private void add10(ReportContent content, OwnMetadata own, ReportOutput out) {
        int drop = content.drop() != 0 ? ReportHeader.MD_DROP : 0;
        int bits = bits10(content.available());
        switch (own) {
            case MAIN -> send10(content, bits | drop, true, out);
            case STACK -> send10(content, drop, true, out);
            case SEPARATE, DS_EXTENSION -> {
                send10(content, 0, true, out);
                send10(content, bits | drop, false, out);
            }
        }
    }

    private static int bits10(int repMdBits) {
        return ((repMdBits & 0x4000) != 0 ? ReportHeader.MD_INTERFACES : 0)
                | ((repMdBits & 0x2000) != 0 ? ReportHeader.MD_LATENCY : 0)
                | ((repMdBits & 0x1000) != 0 ? ReportHeader.MD_QUEUE : 0)
                | ((repMdBits & 0x0400) != 0 ? ReportHeader.MD_EGRESS_TIMESTAMP : 0)
                | ((repMdBits & 0x0100) != 0 ? ReportHeader.MD_UTILIZATION : 0);
    }

    private void send10(ReportContent content, int bits, boolean withPacket, ReportOutput out) {
        int nProt = ReportHeader.NPROT_ETHERNET;
        if (withPacket && packetStart == PacketStart.IPV4) {
            nProt = ReportHeader.NPROT_IPV4;
        } else if (withPacket && packetStart == PacketStart.IPV6) {
            nProt = ReportHeader.NPROT_IPV6;
        }
        ReportHeader.encode(
                buffer,
                0,
                nProt,
                bits,
                content.dropped,
                content.congested,
                content.tracked,
                format.hwId(),
                format.nodeId(),
                sequence,
                content.own.ingressTimestamp);
        layout.report10(bits);
        int at = HopEncoder.encode(buffer, 0, layout, content.own);
        sendAlone(content, withPacket ? fragment(at, format.maxFragmentBytes()) : at, out);
    }

    /** Copies what fits of the packet behind a header. Returns the offset past it. */
    private int fragment(int at, int limit) {
        int room = Math.max(0, format.maxPayloadBytes() - at);
        int length = Math.min(Math.min(packetEnd - packetFrom, limit), room);
        buffer.put(at, packet, packetFrom, length);
        return at + length;
    }

    private void sendAlone(ReportContent content, int end, ReportOutput out) {
        sequence++;
        out.onDatagram(buffer, 0, end, sourcePort(content));
    }

    private int sourcePort(ReportContent content) {
        return format.sourcePort() == ReportFormat.ENTROPY
                ? FIRST_EPHEMERAL_PORT + (int) (content.flowHash >>> EPHEMERAL_PORT_SHIFT)
                : format.sourcePort();
    }

    // ---- v2.0

    private void add20(ReportContent content, OwnMetadata own, long nowNanos, ReportOutput out) {
        int available = content.available();
        int drop = content.drop();
        switch (own) {
            case MAIN -> main(content, available | drop, true, nowNanos, out);
            case STACK -> individual(content, drop, drop != 0, 0, 0, true, nowNanos, out);
            case SEPARATE -> {
                int timestamp = content.ingressTimestamp();
                individual(content, timestamp, timestamp != 0, 0, 0, true, nowNanos, out);
                main(content, available | timestamp | drop, false, nowNanos, out);
            }
            case DS_EXTENSION -> individual(content, drop, true, 0, available | NODE_ID_BIT, true, nowNanos, out);
        }
    }

    private void main(ReportContent content, int bits, boolean withPacket, long nowNanos, ReportOutput out) {
        int domainWords = content.domainWords(MAX_MD_WORDS - HopLayout.reportWords(bits));
        individual(content, bits, true, domainWords, 0, withPacket, nowNanos, out);
    }

    /**
     * @param repMdBits of the main contents
     * @param main whether there are main contents (RepType 1)
     * @param hopBits of the own hop in extension data, or 0 for none
     */
    private void individual(
            ReportContent content,
            int repMdBits,
            boolean main,
            int domainWords,
            int hopBits,
            boolean withPacket,
            long nowNanos,
            ReportOutput out) {
        int mdWords = main ? HopLayout.reportWords(repMdBits) + domainWords : 0;
        int hopDomainWords = 0;
        int hopWords = 0;
        if (hopBits != 0) {
            int baseline = 1 + HopLayout.words(hopBits, TIMESTAMP_WORDS, LEVEL2_WORDS);
            hopDomainWords = content.domainWords(MAX_TLV_WORDS - baseline);
            hopWords = baseline + hopDomainWords;
        }
        int extensionWords = withPacket || packetEnd == packetFrom ? content.extensionWords : 0;
        // Extension data means something only in its domain, which the main contents name.
        boolean type1 = main || extensionWords > 0;

        int withoutPacket = IndividualReport.LENGTH
                + (type1 ? IndividualReport.MAIN_LENGTH + WORD * mdWords : 0)
                + WORD * (hopWords + extensionWords);
        int others = (hopWords > 0 ? 1 : 0) + (extensionWords > 0 ? 1 : 0);
        int room = format.maxPayloadBytes() - GroupHeader.LENGTH - withoutPacket - Tlv.LENGTH * (others + 1) & -WORD;
        int whole = withPacket ? packetEnd - packetFrom : 0;
        int length = Math.min(Math.min(whole, format.maxFragmentBytes()), room);
        if (length < SMALLEST_FRAGMENT) {
            length = 0;
        }
        int blocks = others + (length > 0 ? 1 : 0);
        boolean tlvs = blocks > 1 || format.tlv() && blocks > 0;
        withoutPacket += tlvs ? Tlv.LENGTH * blocks : 0;
        length = wholeWords(length, whole, withoutPacket, tlvs);
        int padding = padding(length, withoutPacket, tlvs);
        int total = withoutPacket + length + padding;
        if (waiting > 0 && (end + total > format.maxPayloadBytes() || waiting == MAX_REPORTS_PER_DATAGRAM)) {
            send(out);
        }
        if (waiting == 0) {
            flushAtNanos = nowNanos + format.coalesceNanos();
            waitingSourcePort = sourcePort(content);
        }
        int words = (total - IndividualReport.LENGTH + WORD - 1) / WORD;
        int inType = inType(tlvs, others, length);
        int at = IndividualReport.encode(
                buffer,
                end,
                type1 ? IndividualReport.TYPE_INT : IndividualReport.TYPE_INNER_ONLY,
                inType,
                words,
                type1 ? mdWords : 0,
                content.dropped,
                content.congested,
                content.tracked,
                content.intermediate);
        if (type1) {
            at = mainContents(content, at, main ? repMdBits : 0, domainWords);
        }
        if (hopWords > 0) {
            at = tlvs ? Tlv.encode(buffer, at, Tlv.DS_EXTENSION, hopWords, OWN_HOP_TEMPLATE) : at;
            at = ownHop(content, at, hopBits, hopDomainWords);
        }
        if (extensionWords > 0) {
            at = tlvs ? Tlv.encode(buffer, at, Tlv.DS_EXTENSION, extensionWords, content.extensionTemplate) : at;
            at = words(at, content.extension, extensionWords);
        }
        if (length > 0) {
            at = tlvs ? Tlv.encode(buffer, at, tlvType(), (length + padding) / WORD, 0) : at;
            buffer.put(at, packet, packetFrom, length);
            at += length;
            for (int i = 0; i < padding; i++) {
                buffer.put(at++, (byte) 0);
            }
        }
        end = at;
        waiting++;
        if (words > IndividualReport.LONGEST_EXACT_WORDS || format.coalesceNanos() == 0) {
            send(out);
        }
    }

    /** How much of {@code whole} octets is copied where {@code length} of them are wanted and fit. */
    private static int wholeWords(int length, int whole, int withoutPacket, boolean tlvs) {
        int fits = tlvs ? Math.min(length, WORD * MAX_TLV_WORDS) : length;
        return fits == whole || runsToTheEnd(fits, withoutPacket, tlvs) ? fits : fits & -WORD;
    }

    private static int padding(int length, int withoutPacket, boolean tlvs) {
        return runsToTheEnd(length, withoutPacket, tlvs) ? 0 : -length & WORD - 1;
    }

    /** Such a report ends where the datagram does, so its packet may end anywhere; a TLV has a length of its own. */
    private static boolean runsToTheEnd(int length, int withoutPacket, boolean tlvs) {
        return !tlvs && withoutPacket - IndividualReport.LENGTH + length >= IndividualReport.SHORTEST_TO_END_BYTES;
    }

    private int mainContents(ReportContent content, int offset, int repMdBits, int domainWords) {
        int dsMdBits = domainWords > 0 ? content.dsMdBits : 0;
        int at = IndividualReport.encodeMain(buffer, offset, repMdBits, content.domainId, dsMdBits, content.dsMdStatus);
        layout.report20(repMdBits, 0);
        at = HopEncoder.encode(buffer, at, layout, content.own);
        return words(at, content.own.domain, domainWords);
    }

    private int ownHop(ReportContent content, int at, int bits, int domainWords) {
        buffer.putInt(at, bits << 16 | (domainWords > 0 ? content.dsMdBits & 0xFFFF : 0));
        hopLayout.int2(bits, TIMESTAMP_WORDS, LEVEL2_WORDS, domainWords);
        int past = HopEncoder.encode(buffer, at + WORD, hopLayout, content.own);
        buffer.putInt(at + WORD, (int) format.nodeId());
        return past;
    }

    private int words(int offset, int[] words, int count) {
        int at = offset;
        for (int i = 0; i < count; i++) {
            buffer.putInt(at, words[i]);
            at += WORD;
        }
        return at;
    }

    private int inType(boolean tlvs, int extensions, int packetLength) {
        if (tlvs) {
            return IndividualReport.IN_TLV;
        }
        if (packetLength == 0) {
            return extensions > 0 ? IndividualReport.IN_DS_EXTENSION : IndividualReport.IN_NONE;
        }
        return switch (packetStart) {
            case IPV4 -> IndividualReport.IN_IPV4;
            case IPV6 -> IndividualReport.IN_IPV6;
            case ETHERNET, OTHER -> IndividualReport.IN_ETHERNET;
        };
    }

    /** The codepoints of TLVs are not those of InType. */
    private int tlvType() {
        return switch (packetStart) {
            case IPV4 -> Tlv.IPV4;
            case IPV6 -> Tlv.IPV6;
            case ETHERNET, OTHER -> Tlv.ETHERNET;
        };
    }

    private void send(ReportOutput out) {
        GroupHeader.encode(buffer, 0, format.hwId(), sequence, format.nodeId());
        sequence = sequence + 1 & SEQUENCE_MASK_V2;
        int past = end;
        forget();
        out.onDatagram(buffer, 0, past, waitingSourcePort);
    }

    // ---- Transparent Security

    /** The dialect's switches count what they drop and leave it to a controller to say so: see {@link #addDrops}. */
    private void trackedFlow(ReportContent content, ReportOutput out) {
        if (content.dropped || packetEnd == packetFrom) {
            return;
        }
        int typeAt = etherTypeAt(packet, packetFrom, packetEnd);
        boolean v6 = typeAt + 2 <= packetEnd && (packet.getShort(typeAt) & 0xFFFF) == IPV6;
        int at = TransparentSecurityReport.encodeTrackedFlow(buffer, 0, format.nodeId(), v6, content.shimLength);
        sendAlone(content, fragment(at, Math.max(0, format.maxFragmentBytes() - at)), out);
    }

    /**
     * What a Transparent Security controller says of one blocked attack; only in that dialect.
     *
     * @param count packets dropped, since ever or since the last report
     * @param key see {@link AttackKey}
     */
    public void addDrops(long epochSeconds, long count, long key, ReportOutput out) {
        if (!format.transparentSecurity() || format.version() != ReportVersion.V2_0) {
            throw new IllegalStateException("drop counts are reported in the Transparent Security dialect only");
        }
        int past = TransparentSecurityReport.encodeDrop(buffer, 0, format.nodeId(), epochSeconds, count, key);
        out.onDatagram(buffer, 0, past, format.sourcePort());
    }
}
