package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;

/**
 * One telemetry report of any version or dialect, found in a datagram and read in place: the faithful tree in flat form.
 * Hot path: one instance is filled again for every report; copy what you keep.
 */
public final class ReportView {
    public static final long ABSENT = HopView.ABSENT;

    ByteBuffer buffer = ByteBuffer.allocate(0);
    int datagramStart;
    int datagramEnd;
    int start;
    int end;
    ReportVersion version = ReportVersion.V2_0;
    Profile dialect = Profile.SPEC;
    long nodeId;
    int hwId;
    long sequence;
    int index;
    int type;
    InnerKind inner = InnerKind.NONE;
    boolean flagsKnown;
    /** D, Q, F and I where the individual header of v2.0 has them. */
    private int flags;

    final HopLayout metadataLayout = new HopLayout();
    final HopView metadata = new HopView();
    boolean hasDomain;
    int domainId;
    int domainBits;
    int domainStatus;
    int domainAt;
    int domainWords;
    int innerAt;
    int innerEnd;
    int dropAt;
    boolean hasMetadata;
    final PacketView packet = new PacketView();
    final Warnings warnings;

    ReportView(Warnings warnings) {
        this.warnings = warnings;
    }

    void begin(ReportVersion version, int start, int end) {
        this.version = version;
        this.start = start;
        this.end = end;
        index = 0;
        type = -1;
        flagsKnown = true;
        flags = 0;
        hasDomain = false;
        domainWords = 0;
        dropAt = -1;
        hasMetadata = true;
    }

    void begin20(int first, int at, int end, int repType) {
        begin(ReportVersion.V2_0, at, end);
        type = repType;
        flags(first);
    }

    /** What stands in every v2.0 datagram and may differ from one to the next of the same shape. */
    void group(long words) {
        hwId = (int) (words >>> 54) & 0x3F;
        sequence = words >>> 32 & 0x3F_FFFF;
        nodeId = words & 0xFFFF_FFFFL;
    }

    void flags(int first) {
        flags = first;
    }

    /** Of a version that has them elsewhere. */
    void flags(boolean dropped, boolean congested, boolean tracked) {
        flags = IndividualReport.flags(dropped, congested, tracked, false);
    }

    /** The same report in bytes that lie elsewhere, all but its packet. */
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    void moveTo(ByteBuffer buffer, int from, int end) {
        int delta = from - datagramStart;
        if (this.buffer != buffer) {
            this.buffer = buffer;
        }
        datagramStart = from;
        datagramEnd = end;
        start += delta;
        this.end = end;
        innerAt += delta;
        innerEnd = end;
        domainAt += delta;
        metadata.moveTo(buffer, metadata.offset() + delta);
        group(buffer.getLong(from));
        flags((int) (buffer.getLong(start) >>> 32));
    }

    /** The datagram's bytes; offsets of this view and of its parts are into this buffer. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public int datagramStart() {
        return datagramStart;
    }

    public int datagramEnd() {
        return datagramEnd;
    }

    /** Where this report starts: its header in v0.5 and v1.0, its individual header in v2.0. */
    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public ReportVersion version() {
        return version;
    }

    /** {@link Profile#SPEC} when the report follows its specification, or departs from it in a way without a name. */
    public Profile dialect() {
        return dialect;
    }

    /** The reporting node, or {@link #ABSENT} when the report does not say. */
    public long nodeId() {
        return nodeId;
    }

    public int hwId() {
        return hwId;
    }

    public long sequence() {
        return sequence;
    }

    /** Position among the reports of the datagram. */
    public int index() {
        return index;
    }

    /** RepType, or -1 before v2.0. */
    public int type() {
        return type;
    }

    public InnerKind inner() {
        return inner;
    }

    /** False where the emitter leaves out the header that would hold the flags. */
    public boolean flagsKnown() {
        return flagsKnown;
    }

    /** D, Q, F and I where the first word of a v2.0 report has them, whatever the version. */
    public int flags() {
        return flags & IndividualReport.FLAGS;
    }

    public boolean dropped() {
        return IndividualReport.dropped(flags);
    }

    public boolean congested() {
        return IndividualReport.congested(flags);
    }

    public boolean tracked() {
        return IndividualReport.tracked(flags);
    }

    /** Only v2.0 has it; false before. */
    public boolean intermediate() {
        return IndividualReport.intermediate(flags);
    }

    /** What the reporting node says of itself, outside any stack; items are absent where it says nothing. */
    public HopView metadata() {
        return metadata;
    }

    public boolean hasMetadata() {
        return hasMetadata;
    }

    public boolean hasDomain() {
        return hasDomain;
    }

    public int domainId() {
        return domainId;
    }

    public int domainBits() {
        return domainBits;
    }

    public int domainStatus() {
        return domainStatus;
    }

    public int domainWords() {
        return domainWords;
    }

    public int domainWord(int index) {
        return buffer.getInt(domainAt + 4 * index);
    }

    public int domainOffset() {
        return domainAt;
    }

    /** Inner contents: packet, TLVs or extension data. */
    public int innerOffset() {
        return innerAt;
    }

    public int innerEnd() {
        return innerEnd;
    }

    /** Moves to the first TLV ({@code from} = {@link #innerOffset}) or the next one; false when there is none. */
    public boolean tlv(int from, Tlv into) {
        return inner == InnerKind.TLV && from < innerEnd && into.wrap(buffer, from, innerEnd) == Fault.NONE;
    }

    /** Offset of timestamp, count and key of a Transparent Security drop report, or -1. */
    public int dropOffset() {
        return dropAt;
    }

    /** The packet the report is about; empty when it carries none. */
    public PacketView packet() {
        return packet;
    }

    public Warnings warnings() {
        return warnings;
    }
}
