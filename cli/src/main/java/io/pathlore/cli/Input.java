package io.pathlore.cli;

import io.pathlore.ingest.pcap.CaptureException;
import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.ingest.pcap.CapturedDatagrams;
import io.pathlore.model.Quirk;
import io.pathlore.wire.envelope.Envelope;
import io.pathlore.wire.net.OuterHeaders;
import io.pathlore.wire.net.PacketStart;
import io.pathlore.wire.net.PacketWalker;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes once over a capture, or over bytes given by hand, and hands on each datagram sent to a report port; or over a journal,
 * which holds nothing else.
 */
final class Input {
    /** Takes what is found; everything passed is borrowed. False ends the reading. */
    interface Handler {
        /** {@code outer} is what was wrong with the headers around the datagram, null if nothing. */
        boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer);

        boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart);
    }

    static final List<Integer> REPORT_PORTS = List.of(8555, 556, 32_766);

    private final Surroundings around;
    private final Consumer<String> tell;
    private final @Nullable String file;
    private final byte @Nullable [] bytes;
    private final boolean journal;
    private final boolean anyPort;
    private final BitSet ports = new BitSet();
    private final TimeSpan span;
    private final boolean packets;
    private final Place place = new Place();

    private long frames;
    private long datagrams;
    private long packetCount;
    private long nonUdp;
    private long unsupportedLinkType;
    private long unreadable;
    private long cut;
    private final OtherPorts otherPorts = new OtherPorts();
    private final OtherTimes otherTimes = new OtherTimes();

    /**
     * @param file a capture, {@code -} for stdin, or a directory with a journal; {@code bytes} stand instead of it
     * @param ports those that reports are sent to; none: the usual ones, and of a journal all
     * @param tell gets a line for each thing that is wrong with a journal
     */
    Input(
            Surroundings around,
            @Nullable String file,
            byte @Nullable [] bytes,
            List<Integer> ports,
            TimeSpan span,
            boolean packets,
            Consumer<String> tell) {
        this.around = around;
        this.tell = tell;
        this.file = file;
        this.bytes = bytes;
        this.span = span;
        this.packets = packets;
        journal = bytes == null && file != null && !file.equals("-") && Files.isDirectory(path(file));
        anyPort = journal && ports.isEmpty();
        (ports.isEmpty() ? REPORT_PORTS : ports).forEach(this.ports::set);
    }

    /** Whether a journal is read: then things are numbered by their positions in it, not by frames. */
    boolean isJournal() {
        return journal;
    }

    private Path path(String name) {
        return around.directory().resolve(name);
    }

    /** With {@code --packets} data packets are wanted too. */
    boolean packets() {
        return packets;
    }

    /** Reads to the end, or until the handler has enough. What was found before an exception was handed on. */
    void read(Runnable flush, Handler handler) throws IOException {
        if (bytes != null) {
            readBytes(ByteBuffer.wrap(bytes), handler);
            return;
        }
        if (journal) {
            readJournal(path(String.valueOf(file)), handler);
            return;
        }
        try (CaptureReader reader = open(flush);
                Progress progress = Progress.of(reader, around)) {
            if (packets) {
                readFrames(reader, handler, progress);
            } else {
                readDatagrams(reader, handler, progress);
            }
        }
    }

    private CaptureReader open(Runnable flush) throws CaptureException {
        if (file == null || file.equals("-")) {
            return CaptureReader.open(new Interactive(around.in(), flush), "stdin");
        }
        return CaptureReader.open(path(file));
    }

    private void readJournal(Path named, Handler handler) throws IOException {
        Path directory = JournalInput.find(named);
        if (directory == null) {
            throw new Failure(named + ": a directory without a journal; name a capture file, a journal,"
                    + " or the data directory of a collector");
        }
        try (Progress progress = Progress.ofRecords(() -> frames, around);
                JournalInput records = new JournalInput(directory, span, damage -> {
                    progress.clear();
                    tell.accept(damage);
                })) {
            boolean more = true;
            while (more && records.next()) {
                progress.tick();
                frames++;
                Envelope envelope = records.envelope();
                int port = envelope.destinationPort();
                if (!anyPort && !ports.get(port)) {
                    otherPorts.count(port);
                    continue;
                }
                datagrams++;
                if (envelope.originalLength() > envelope.datagramLength()) {
                    cut++;
                }
                place.of(envelope);
                more = handler.datagram(
                        place, envelope.buffer(), envelope.datagramOffset(), envelope.datagramEnd(), null);
            }
            progress.clear();
            records.finish();
        }
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
                if (!ports.get(port)) {
                    otherPorts.count(port);
                } else if (!span.contains(reader.timeNanos())) {
                    otherTimes.count(reader.timeNanos());
                } else {
                    more = datagram(reader, found.headers(), found.buffer(), found.clamped(), handler);
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
            if (!span.contains(reader.timeNanos())) {
                otherTimes.count(reader.timeNanos());
                continue;
            }
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
                cut++; // by who captured, not by who sent
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

    /** Reports that whoever captured or received them did not keep whole. */
    long cut() {
        return cut;
    }

    /** What to say of them; {@code consequence} is empty or starts with a comma. */
    String cutText(long count, String consequence) {
        return count(count, "report was", "reports were") + " cut "
                + (journal
                        ? "when received" + consequence
                        : "by the capture" + consequence + "; capture whole packets (tcpdump -s 0)");
    }

    /** Why there was nothing to decode, for the person who expected something. */
    String whyNothing() {
        if (frames == 0 && journal) {
            return "no telemetry reports: the journal has none" + (span.isAlways() ? "" : " of that time");
        }
        if (frames == 0) {
            return "no telemetry reports: the capture has no frames";
        }
        StringBuilder why = new StringBuilder("no telemetry reports: ")
                .append(journal ? count(frames, "datagram", "datagrams") : count(frames, "frame", "frames"));
        if (otherTimes.total() > 0) {
            why.append(", ").append(otherTimes.text());
        }
        if (otherPorts.total() > 0) {
            int most = otherPorts.most();
            why.append(", ")
                    .append(otherPorts.total())
                    .append(" UDP to other ports (most: ")
                    .append(most);
            why.append(" x ").append(otherPorts.countOf(most)).append(')');
        } else if (otherTimes.total() == 0) {
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
        } else if (nonUdp > 0 && otherTimes.total() == 0) {
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

    /** What was there, and not in the span of time asked for. */
    private static final class OtherTimes {
        private long total;
        private long earliest = Long.MAX_VALUE;
        private long latest = Long.MIN_VALUE;

        void count(long timeNanos) {
            total++;
            if (timeNanos != Place.UNKNOWN_TIME) {
                earliest = Math.min(earliest, timeNanos);
                latest = Math.max(latest, timeNanos);
            }
        }

        long total() {
            return total;
        }

        String text() {
            if (earliest > latest) {
                return total + " of no known time";
            }
            Text range = new Text();
            range.timestamp(earliest).add(" to ").timestamp(latest);
            return total + " of other times (" + range + ")";
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
