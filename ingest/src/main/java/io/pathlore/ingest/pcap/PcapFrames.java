package io.pathlore.ingest.pcap;

import io.pathlore.wire.pcap.PcapFileHeader;
import io.pathlore.wire.pcap.PcapRecordHeader;

/** Frames of a pcap file: one header, then records of one byte order, resolution and link type. Hot path. */
final class PcapFrames implements FrameFormat {
    /** What libpcap itself takes at most. Nothing marks where a record starts, so only absurd lengths betray damage. */
    static final int MAX_FRAME = 256 * 1024;

    private final CaptureInput in;
    private final PcapRecordHeader record;
    private final int linkType;
    private final int maxFrame;

    PcapFrames(CaptureInput in) throws CaptureException {
        this.in = in;
        var header = new PcapFileHeader();
        if (!in.has(PcapFileHeader.LENGTH) || !header.wrap(in.buffer(), in.at(), in.limit())) {
            throw in.cut(in.offset(), "a file header", PcapFileHeader.LENGTH, in.limit() - in.at(), new Frame());
        }
        record = new PcapRecordHeader(header);
        linkType = header.linkType();
        // Who asked for longer frames gets them; that field has been known to be 0, or nonsense.
        long asked = header.snapLength();
        boolean credible = asked > MAX_FRAME && asked <= CaptureInput.MAX_WINDOW - PcapRecordHeader.LENGTH;
        maxFrame = credible ? (int) asked : MAX_FRAME;
        in.advance(PcapFileHeader.LENGTH);
    }

    @Override
    public boolean next(Frame frame) throws CaptureException {
        if (!in.has(PcapRecordHeader.LENGTH)) {
            if (in.at() == in.limit()) {
                in.requireCleanEnd(frame);
                return false;
            }
            throw in.cut(in.offset(), "a frame header", PcapRecordHeader.LENGTH, in.limit() - in.at(), frame);
        }
        record.wrap(in.buffer(), in.at(), in.limit());
        long captured = record.capturedLength();
        if (captured > maxFrame) {
            throw in.damaged(in.offset(), "a frame of " + captured + " bytes, of at most " + maxFrame, frame);
        }
        int length = (int) captured;
        frame.timeNanos = record.timeNanos();
        frame.originalLength = record.originalLength();
        frame.linkType = linkType;
        frame.length = length;
        if (!in.has(PcapRecordHeader.LENGTH + length)) {
            int present = in.limit() - in.at() - PcapRecordHeader.LENGTH;
            throw in.cut(in.offset(), "a frame", length, present, frame);
        }
        frame.offset = in.at() + PcapRecordHeader.LENGTH;
        in.advance(PcapRecordHeader.LENGTH + length);
        return true;
    }
}
