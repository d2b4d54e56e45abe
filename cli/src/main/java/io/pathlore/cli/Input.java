package io.pathlore.cli;

import io.pathlore.ingest.pcap.CaptureException;
import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.ingest.pcap.CapturedDatagrams;
import io.pathlore.model.Quirk;
import io.pathlore.wire.net.OuterHeaders;
import io.pathlore.wire.net.PacketStart;
import io.pathlore.wire.net.PacketWalker;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes once over a capture, or over bytes given by hand, and hands on each datagram sent to a report port. */
final class Input {
    /** Takes what is found; everything passed is borrowed. False ends the reading. */
    interface Handler {
        /** {@code outer} is what was wrong with the headers around the datagram, null if nothing. */
        boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer);

        boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart);
    }

    private final @Nullable String file;
    private final byte @Nullable [] bytes;
    private final BitSet ports = new BitSet();
    private final boolean packets;
    private final Place place = new Place();

    private long frames;
    private long datagrams;
    private long packetCount;
    private long nonUdp;
    private long unsupportedLinkType;
    private long unreadable;
    private long cutByCapture;
    private final OtherPorts otherPorts = new OtherPorts();

    Input(@Nullable String file, byte @Nullable [] bytes, List<Integer> ports, boolean packets) {
        this.file = file;
        this.bytes = bytes;
        this.packets = packets;
        ports.forEach(this.ports::set);
    }

    /** With {@code --packets} data packets are wanted too. */
    boolean packets() {
        return packets;
    }

    /** Reads to the end, or until the handler has enough. What was found before an exception was handed on. */
    void read(Surroundings around, Runnable flush, Handler handler) throws IOException {
        if (bytes != null) {
            readBytes(ByteBuffer.wrap(bytes), handler);
            return;
        }
        try (CaptureReader reader = open(around, flush);
                Progress progress = new Progress(around, reader)) {
            if (packets) {
                readFrames(reader, handler, progress);
            } else {
                readDatagrams(reader, handler, progress);
            }
        }
    }

    private CaptureReader open(Surroundings around, Runnable flush) throws CaptureException {
        if (file == null || file.equals("-")) {
            return CaptureReader.open(new Interactive(around.in(), flush), "stdin");
        }
        return CaptureReader.open(around.directory().resolve(file));
    }

    private void readBytes(ByteBuffer buffer, Handler handler) {
        frames = 1;
        place.at(1, Place.UNKNOWN_TIME, 0);
        if (packets) {
            packetCount++;
            handler.packet(place, buffer, 0, buffer.capacity(), startOf(buffer));
        } else {
            datagrams++;
            handler.datagram(place, buffer, 0, buffer.capacity(), null);
        }
    }

    /** Nothing says what the first byte belongs to; an EtherType at its place is the surest sign. */
    private static PacketWalker.Start startOf(ByteBuffer buffer) {
        if (buffer.capacity() >= 15) {
            int etherType = Short.toUnsignedInt(buffer.getShort(12));
            int nibble = buffer.get(14) >> 4 & 0xF;
            if ((etherType == 0x0800 && nibble == 4)
                    || (etherType == 0x86DD && nibble == 6)
                    || etherType == 0x8100
                    || etherType == 0x88A8) {
                return PacketWalker.Start.ETHERNET;
            }
        }
        int nibble = buffer.capacity() == 0 ? 0 : buffer.get(0) >> 4 & 0xF;
        return nibble == 4
                ? PacketWalker.Start.IPV4
                : nibble == 6 ? PacketWalker.Start.IPV6 : PacketWalker.Start.ETHERNET;
    }

    private void readDatagrams(CaptureReader reader, Handler handler, Progress progress) throws CaptureException {
        CapturedDatagrams found = CapturedDatagrams.toAnyPort(reader);
        try {
            boolean more = true;
            while (more && found.next()) {
                progress.tick();
                int port = found.destinationPort();
                if (ports.get(port)) {
                    more = datagram(reader, found.headers(), found.buffer(), found.clamped(), handler);
                } else {
                    otherPorts.count(port);
                }
            }
        } finally {
            frames = found.frames();
            nonUdp = found.nonUdp();
            unsupportedLinkType = found.unsupportedLinkType();
            unreadable = found.unreadable() + found.fragmentsIncomplete();
        }
    }

    /** Frame by frame: a data packet is looked at as it was captured, fragments and all. */
    private void readFrames(CaptureReader reader, Handler handler, Progress progress) throws CaptureException {
        OuterHeaders headers = new OuterHeaders();
        boolean more = true;
        while (more && reader.next()) {
            progress.tick();
            frames++;
            int end = reader.offset() + reader.length();
            OuterHeaders.Kind kind = headers.wrap(reader.linkType(), reader.buffer(), reader.offset(), end);
            if (kind == OuterHeaders.Kind.UDP && ports.get(headers.destinationPort())) {
                more = datagram(reader, headers, reader.buffer(), headers.clamped(), handler);
                continue;
            }
            PacketWalker.Start start = startOf(reader.packetStart());
            if (start == null) {
                unsupportedLinkType++;
                continue;
            }
            packetCount++;
            place.at(reader.frame(), reader.timeNanos(), reader.packetOffset());
            more = handler.packet(place, reader.buffer(), reader.packetOffset(), end, start);
        }
    }

    private static PacketWalker.@Nullable Start startOf(PacketStart start) {
        return switch (start) {
            case ETHERNET -> PacketWalker.Start.ETHERNET;
            case IPV4 -> PacketWalker.Start.IPV4;
            case IPV6 -> PacketWalker.Start.IPV6;
            case OTHER -> null;
        };
    }

    private boolean datagram(
            CaptureReader reader, OuterHeaders headers, ByteBuffer buffer, boolean clamped, Handler handler) {
        datagrams++;
        int start = headers.payloadOffset();
        int end = headers.payloadEnd();
        place.at(reader.frame(), reader.timeNanos(), start);
        place.between(headers);
        Quirk outer = null;
        if (clamped) {
            if (reader.originalLength() > reader.length()) {
                cutByCapture++; // by who captured, not by who sent
            } else {
                boolean udpLonger = headers.udpLengthField() - 8 > end - start;
                outer = udpLonger ? Quirk.A_27 : Quirk.A_70;
            }
        }
        return handler.datagram(place, buffer, start, end, outer);
    }

    long frames() {
        return frames;
    }

    long datagrams() {
        return datagrams;
    }

    long packetCount() {
        return packetCount;
    }

    /** Reports that whoever captured them did not keep whole. */
    long cutByCapture() {
        return cutByCapture;
    }

    /** Why there was nothing to decode, for the person who expected something. */
    String whyNothing() {
        if (frames == 0) {
            return "no telemetry reports: the capture has no frames";
        }
        StringBuilder why = new StringBuilder("no telemetry reports: ").append(count(frames, "frame", "frames"));
        if (otherPorts.total() > 0) {
            int most = otherPorts.most();
            why.append(", ")
                    .append(otherPorts.total())
                    .append(" UDP to other ports (most: ")
                    .append(most);
            why.append(" x ").append(otherPorts.countOf(most)).append(')');
        } else {
            why.append(", none of them UDP");
        }
        if (unsupportedLinkType > 0) {
            why.append(", ").append(unsupportedLinkType).append(" of a link type that is not supported");
        }
        if (unreadable > 0) {
            why.append(", ").append(unreadable).append(" cut or broken");
        }
        if (otherPorts.total() > 0) {
            why.append("; try --port ").append(otherPorts.most());
        } else if (nonUdp > 0) {
            why.append("; --packets looks for INT and IOAM in data packets");
        }
        return why.toString();
    }

    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    /** How many datagrams went to each port that nobody asked for. */
    private static final class OtherPorts {
        private long @Nullable [] counts;
        private long total;

        void count(int port) {
            if (counts == null) {
                counts = new long[1 << 16];
            }
            counts[port]++;
            total++;
        }

        long total() {
            return total;
        }

        long countOf(int port) {
            return counts == null ? 0 : counts[port];
        }

        int most() {
            int most = 0;
            for (int port = 0; counts != null && port < counts.length; port++) {
                if (counts[port] > counts[most]) {
                    most = port;
                }
            }
            return most;
        }
    }

    /** Stdin that shows what was decoded so far before it waits for more, so that a live capture can be watched. */
    private static final class Interactive extends FilterInputStream {
        private final Runnable flush;

        Interactive(InputStream in, Runnable flush) {
            super(in);
            this.flush = flush;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (in.available() == 0) {
                flush.run();
            }
            return in.read(into, offset, length);
        }
    }
}
