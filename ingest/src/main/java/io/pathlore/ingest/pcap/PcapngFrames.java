package io.pathlore.ingest.pcap;

import io.pathlore.wire.pcap.InterfaceDescription;
import io.pathlore.wire.pcap.LinkType;
import io.pathlore.wire.pcap.PacketBlock;
import io.pathlore.wire.pcap.PcapngBlock;
import io.pathlore.wire.pcap.SectionHeader;
import io.pathlore.wire.pcap.TickClock;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames of a pcapng file: blocks in sections, each with its own byte order and interfaces. Blocks of other kinds are
 * stepped over. A frame that names an interface which was never described is delivered as of an unknown link type, and
 * one that is longer than its block as what is there: the next block is still where it should be. Hot path.
 */
final class PcapngFrames implements FrameFormat {
    /** As many as the obsolete packet block can name. Those of a frame beyond are unknown. */
    static final int MAX_INTERFACES = 65_536;

    private record Interface(int linkType, long snapLength, TickClock clock) {}

    private final CaptureInput in;
    private final PcapngBlock block = new PcapngBlock();
    private final SectionHeader section = new SectionHeader();
    private final InterfaceDescription description = new InterfaceDescription();
    private final PacketBlock packet = new PacketBlock();
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    PcapngFrames(CaptureInput in) {
        this.in = in;
    }

    @Override
    public boolean next(Frame frame) throws CaptureException {
        while (in.has(1)) {
            long start = in.offset();
            readHeader(start, frame);
            int type = block.type();
            boolean isPacket = PacketBlock.isPacket(type);
            if (!isPacket && type != PcapngBlock.SECTION_HEADER && type != PcapngBlock.INTERFACE_DESCRIPTION) {
                stepOver(start, frame);
                continue;
            }
            fetch(start, frame);
            if (isPacket) {
                readPacket(type, start, frame);
                return true;
            }
            if (type == PcapngBlock.SECTION_HEADER) {
                readSection(start, frame);
            } else {
                readInterface(start, frame);
            }
        }
        in.requireCleanEnd(frame);
        return false;
    }

    private void readHeader(long start, Frame frame) throws CaptureException {
        require(start, "a block header", PcapngBlock.HEADER_LENGTH, frame);
        block.wrap(in.buffer(), in.at(), in.limit(), order);
        if (block.type() == PcapngBlock.SECTION_HEADER) {
            int length = PcapngBlock.HEADER_LENGTH + SectionHeader.BYTE_ORDER_MAGIC_LENGTH;
            require(start, "a section header", length, frame);
            ByteOrder told = SectionHeader.order(in.buffer(), in.at() + PcapngBlock.HEADER_LENGTH, in.limit());
            if (told == null) {
                throw in.damaged(start, "a section header without a byte order", frame);
            }
            order = told;
            block.wrap(in.buffer(), in.at(), in.limit(), order);
        }
        if (!block.lengthPossible()) {
            throw in.damaged(start, "a block of " + block.totalLength() + " bytes", frame);
        }
    }

    /** Brings the whole block into the window and moves past it; it stays there until the next block is looked for. */
    private void fetch(long start, Frame frame) throws CaptureException {
        long length = block.totalLength();
        if (length > CaptureInput.MAX_WINDOW) {
            throw in.damaged(start, "a block of " + length + " bytes, of at most " + CaptureInput.MAX_WINDOW, frame);
        }
        require(start, "a block", (int) length, frame);
        block.wrap(in.buffer(), in.at(), in.limit(), order);
        in.advance((int) length - PcapngBlock.TRAILER_LENGTH);
        passTrailer(length, start, frame);
    }

    private void stepOver(long start, Frame frame) throws CaptureException {
        long length = block.totalLength();
        if (!in.skip(length - PcapngBlock.TRAILER_LENGTH) || !in.has(PcapngBlock.TRAILER_LENGTH)) {
            throw in.cut(start, "a block", length, in.offset() + in.limit() - in.at() - start, frame);
        }
        passTrailer(length, start, frame);
    }

    private void passTrailer(long length, long start, Frame frame) throws CaptureException {
        long trailer = PcapngBlock.trailer(in.buffer(), in.at(), order);
        if (trailer != length) {
            throw in.damaged(start, "a block of " + length + " bytes that ends as one of " + trailer, frame);
        }
        in.advance(PcapngBlock.TRAILER_LENGTH);
    }

    private void require(long start, String what, int length, Frame frame) throws CaptureException {
        if (!in.has(length)) {
            throw in.cut(start, what, length, in.limit() - in.at(), frame);
        }
    }

    private void readSection(long start, Frame frame) throws CaptureException {
        if (!section.wrap(in.buffer(), block.bodyOffset(), block.bodyEnd())) {
            throw in.damaged(start, "a section header of " + block.totalLength() + " bytes", frame);
        }
        if (section.versionMajor() != SectionHeader.VERSION_MAJOR) {
            String version = section.versionMajor() + "." + section.versionMinor();
            throw in.damaged(start, "a section of pcapng version " + version + ", only 1.x is known", frame);
        }
        interfaces.clear();
    }

    private void readInterface(long start, Frame frame) throws CaptureException {
        if (!description.wrap(in.buffer(), block.bodyOffset(), block.bodyEnd(), order)) {
            throw in.damaged(start, "an interface description of " + block.totalLength() + " bytes", frame);
        }
        if (interfaces.size() < MAX_INTERFACES) {
            interfaces.add(new Interface(description.linkType(), description.snapLength(), description.clock()));
        }
    }

    private void readPacket(int type, long start, Frame frame) throws CaptureException {
        if (!packet.wrap(type, in.buffer(), block.bodyOffset(), block.bodyEnd(), order)) {
            throw in.damaged(start, "a packet block of " + block.totalLength() + " bytes", frame);
        }
        frame.offset = packet.dataOffset();
        frame.originalLength = packet.originalLength();
        if (packet.interfaceId() < interfaces.size()) {
            Interface of = interfaces.get((int) packet.interfaceId());
            frame.linkType = of.linkType;
            frame.length = packet.capturedLength(of.snapLength);
            frame.timeNanos = packet.hasTicks() ? of.clock.nanos(packet.ticks()) : CaptureReader.TIME_UNKNOWN;
        } else {
            frame.linkType = LinkType.UNKNOWN;
            frame.length = packet.capturedLength(0);
            frame.timeNanos = CaptureReader.TIME_UNKNOWN;
        }
    }
}
