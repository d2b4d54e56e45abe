package io.pathlore.ingest.pcap;

import io.pathlore.wire.envelope.Envelope;
import io.pathlore.wire.net.DatagramFrame;
import io.pathlore.wire.pcap.LinkType;
import io.pathlore.wire.pcap.PcapFileHeader;
import io.pathlore.wire.pcap.PcapRecordHeader;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a pcap file of Ethernet frames, with nanoseconds. Datagrams get the headers they would have had on a wire, with
 * checksums, so that other tools read them. Belongs to one thread.
 */
public final class CaptureWriter implements Closeable {
    private static final int SNAP_LENGTH = 256 * 1024;
    private static final int OUT_BYTES = 64 * 1024;
    private static final long MAX_TIME_NANOS = ((1L << 32) - 1) * 1_000_000_000L;
    private final OutputStream out;
    private final byte[] bytes = new byte[PcapRecordHeader.LENGTH + SNAP_LENGTH];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

    private CaptureWriter(OutputStream out) throws IOException {
        this.out = out;
        out.write(bytes, 0, PcapFileHeader.encode(buffer, 0, SNAP_LENGTH, LinkType.ETHERNET));
    }

    /** Replaces a file that is there. */
    public static CaptureWriter create(Path path) throws IOException {
        return to(Files.newOutputStream(path));
    }

    /** Writes to a stream, which {@link #close} closes. */
    public static CaptureWriter to(OutputStream out) throws IOException {
        return new CaptureWriter(new BufferedOutputStream(out, OUT_BYTES));
    }

    /**
     * Writes a datagram with the payload from {@code offset} to before {@code end}. Addresses as
     * {@link CapturedDatagrams} tells them; a time that is unknown becomes 1970, since pcap has no word for it.
     *
     * @throws IllegalArgumentException if the payload is longer than a datagram can be, or the time not one of pcap's
     */
    public void writeDatagram(
            long timeNanos,
            boolean v6,
            long sourceHi,
            long sourceLo,
            int sourcePort,
            long destinationHi,
            long destinationLo,
            int destinationPort,
            ByteBuffer payload,
            int offset,
            int end)
            throws IOException {
        int length = end - offset;
        if (length > DatagramFrame.MAX_PAYLOAD) {
            throw new IllegalArgumentException("a datagram cannot hold " + length + " bytes");
        }
        int start = PcapRecordHeader.LENGTH;
        int payloadStart = start + DatagramFrame.headersLength(v6);
        payload.get(offset, bytes, payloadStart, length);
        DatagramFrame.encodeHeaders(
                buffer,
                start,
                payloadStart + length,
                v6,
                sourceHi,
                sourceLo,
                sourcePort,
                destinationHi,
                destinationLo,
                destinationPort);
        writeRecord(timeNanos, payloadStart + length - start);
    }

    /** A datagram as it was received. False, and nothing is written, where pcap has no room for its length or its time. */
    public boolean write(Envelope envelope) throws IOException {
        long received = envelope.receivedNanos();
        if (envelope.datagramLength() > DatagramFrame.MAX_PAYLOAD || received < 0 || received > MAX_TIME_NANOS) {
            return false;
        }
        writeDatagram(
                received,
                envelope.v6(),
                envelope.exporterHigh(),
                envelope.exporterLow(),
                envelope.exporterPort(),
                envelope.destinationHigh(),
                envelope.destinationLow(),
                envelope.destinationPort(),
                envelope.buffer(),
                envelope.datagramOffset(),
                envelope.datagramEnd());
        return true;
    }

    /** The same for callers that are not in a hurry. Both addresses are IPv4, or both IPv6. */
    public void writeDatagram(long timeNanos, InetSocketAddress source, InetSocketAddress destination, byte[] payload)
            throws IOException {
        InetAddress from = source.getAddress();
        InetAddress to = destination.getAddress();
        boolean v6 = from instanceof Inet6Address;
        if (v6 != to instanceof Inet6Address) {
            throw new IllegalArgumentException("no datagram goes from " + from + " to " + to);
        }
        writeDatagram(
                timeNanos,
                v6,
                half(from, true),
                half(from, false),
                source.getPort(),
                half(to, true),
                half(to, false),
                destination.getPort(),
                ByteBuffer.wrap(payload),
                0,
                payload.length);
    }

    private static long half(InetAddress address, boolean upper) {
        ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
        if (raw.capacity() == Integer.BYTES) {
            return upper ? 0 : Integer.toUnsignedLong(raw.getInt(0));
        }
        return raw.getLong(upper ? 0 : Long.BYTES);
    }

    /** Writes a whole Ethernet frame as it is. */
    public void writeFrame(long timeNanos, ByteBuffer frame, int offset, int end) throws IOException {
        int length = end - offset;
        if (length > SNAP_LENGTH) {
            throw new IllegalArgumentException("a frame of " + length + " bytes, of at most " + SNAP_LENGTH);
        }
        frame.get(offset, bytes, PcapRecordHeader.LENGTH, length);
        writeRecord(timeNanos, length);
    }

    private void writeRecord(long timeNanos, int length) throws IOException {
        long time = timeNanos == CaptureReader.TIME_UNKNOWN ? 0 : timeNanos;
        int end = PcapRecordHeader.encode(buffer, 0, time, length, length) + length;
        out.write(bytes, 0, end);
    }

    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
