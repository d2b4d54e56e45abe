package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Made-up telemetry reports, the same ones on every machine: datagrams of one size, each behind its length in two octets.
 * Written by hand and not by the encoders of {@code wire}, so that a mistake there does not cancel itself out.
 */
public final class Corpus {
    /** More than any cache holds, so that memory is part of the measurement as it is of a collector's work. */
    static final int WORKING_SET_BYTES = 64 << 20;

    public static final int LENGTH_BYTES = 2;

    /** A layout to be measured, by the length of its datagrams. */
    public enum Kind {
        /** v2.0 with metadata of the reporting node around Ethernet, IPv4, UDP and INT-MD, three hops of 32 octets. */
        CONFORMANT(204),
        /**
         * The same, as a network says it: every port leads to one other, a flow keeps its way and its queue, few queues are long and few
         * packets dropped, and a tenth of the flows have two thirds of the packets. In the other kinds all of that is drawn anew for each packet.
         */
        FABRIC(204),
        /** The Transparent Security dialect: three hops of 4 octets, the source's device and 26 octets of payload. */
        DIALECT(136);

        private final int datagramBytes;

        Kind(int datagramBytes) {
            this.datagramBytes = datagramBytes;
        }

        public int datagramBytes() {
            return datagramBytes;
        }

        /** How many make up the working set, in whole batches. */
        int reports() {
            int fit = WORKING_SET_BYTES / (LENGTH_BYTES + datagramBytes);
            return fit - fit % Columns.ROWS;
        }
    }

    private static final int FLOWS = 1 << 16;

    /** Flows of about the same size as the largest. */
    private static final int LARGE = 100;

    private static final int HOPS = 3;

    /** Switches of a tier of the fabric: port p of one leads to the p-th of the next tier. */
    private static final int TIER = 16;

    /** Who report are the last tier; as many, and with as many reports in a row, as the sender gives a turn to. */
    public static final int REPORTERS = 10;

    public static final int IN_A_ROW = 50;
    private static final int CONGESTED_OCCUPANCY = 40_000;
    private static final long FIRST_TIME = 1_790_000_000_000_000_000L;
    private static final int TRANSPARENT_SECURITY = 0x5453;
    private static final byte[] PAYLOAD = "hello transparent-security".getBytes(StandardCharsets.US_ASCII);

    private final Kind kind;
    private long random = 88_172_645_463_325_252L;
    private long flow;
    private long dice;
    private int node;
    private int number;

    private Corpus(Kind kind) {
        this.kind = kind;
    }

    /** The first {@code reports} of this kind, in a direct buffer from 0 to its capacity. */
    public static ByteBuffer make(Kind kind, int reports) {
        ByteBuffer out = ByteBuffer.allocateDirect(reports * (LENGTH_BYTES + kind.datagramBytes));
        var corpus = new Corpus(kind);
        for (int i = 0; i < reports; i++) {
            corpus.append(out);
        }
        return out.rewind();
    }

    /** The same again and again. */
    public static ByteBuffer repeat(ByteBuffer corpus, int times) {
        ByteBuffer out = ByteBuffer.allocateDirect(corpus.remaining() * times);
        for (int i = 0; i < times; i++) {
            out.put(corpus.duplicate());
        }
        return out.rewind();
    }

    public static void write(ByteBuffer corpus, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer from = corpus.duplicate();
            while (from.hasRemaining()) {
                channel.write(from);
            }
        }
    }

    /** Where the source address of the packet stands in a conformant report. */
    public static int innerSourceOffset() {
        ByteBuffer report = make(Kind.CONFORMANT, 1);
        int length = report.getShort(0) & 0xFFFF;
        int[] found = {-1};
        Fault fault = new ReportDecoder(DecodeOptions.lenient())
                .decode(report, LENGTH_BYTES, LENGTH_BYTES + length, new Exporter(), new ReportSink() {
                    @Override
                    public void onReport(ReportView view) {
                        PacketView packet = view.packet();
                        for (int i = packet.layers() - 1; i >= 0 && found[0] < 0; i--) {
                            if (packet.layer(i) == Layer.IPV4) {
                                found[0] = packet.layerOffset(i) + 12 - LENGTH_BYTES;
                            }
                        }
                    }

                    @Override
                    public void onRejected(Fault why, int offset) {
                        throw new IllegalStateException(why.toString());
                    }
                });
        if (fault != Fault.NONE || found[0] < 0) {
            throw new IllegalStateException("no IPv4 in a conformant report: " + fault);
        }
        return found[0];
    }

    static ByteBuffer read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer into = ByteBuffer.allocateDirect(Math.toIntExact(channel.size()));
            while (into.hasRemaining()) {
                if (channel.read(into) < 0) {
                    throw new IOException(file + " became shorter while it was read");
                }
            }
            return into.rewind();
        }
    }

    private void append(ByteBuffer out) {
        flow = mixed(kind == Kind.FABRIC ? unevenFlow() : Long.remainderUnsigned(next(), FLOWS) + 1);
        dice = next();
        node = 100 + (int) (flow >>> 60);
        out.putShort((short) kind.datagramBytes);
        int start = out.position();
        out.putInt(2 << 28 | (number & 3) << 22 | number & 0x3F_FFFF);
        out.putInt(node);
        switch (kind) {
            case CONFORMANT -> conformant(out);
            case FABRIC -> fabric(out);
            case DIALECT -> dialect(out);
        }
        while (out.position() - start < kind.datagramBytes) {
            out.put((byte) 0);
        }
        number++;
    }

    private int droppedFlag() {
        return (dice & 0xFF) < 3 ? 0x80 : 0;
    }

    private int congestedFlag() {
        return (dice >>> 8 & 0xF) == 0 ? 0x40 : 0;
    }

    private long time() {
        return FIRST_TIME + number * 700L;
    }

    private void conformant(ByteBuffer out) {
        int mdWords = 5;
        int reportWords = (kind.datagramBytes - 12) / 4;
        out.putInt(1 << 28 | 3 << 24 | reportWords << 16 | mdWords << 8 | droppedFlag() | congestedFlag() | 0x20);
        out.putShort((short) 0x7400).putShort((short) TRANSPARENT_SECURITY).putInt(0);
        out.putInt(port(13) << 16 | port(18));
        out.putInt(500 + (int) (dice >>> 16 & 0x3FF));
        out.putInt((int) (flow >>> 23 & 7) << 24 | (int) (dice >>> 26 & 0xFFF));
        out.putLong(time());
        int stackBytes = 32 * HOPS;
        outerHeaders(out, stackBytes, 0);
        out.putInt(0x1800_0011 | (12 + stackBytes) / 4 << 16);
        out.putInt(0x2000_0805).putShort((short) 0xFC00).putShort((short) 0).putInt(0);
        for (int i = 0; i < HOPS; i++) {
            hop(out, i);
        }
        innerUdp(out, 0);
    }

    private void hop(ByteBuffer out, int index) {
        long hopDice = mixed(dice + index);
        int latency = 400 + (int) (hopDice & 0x7FF) + ((hopDice >>> 11 & 0x3FF) == 0 ? 100_000 : 0);
        long arrival = time() - 1000L * (HOPS - index);
        out.putInt(node + 16 * (index + 1));
        out.putInt(port(index) << 16 | port(index + 5));
        out.putInt(latency);
        out.putInt((int) (hopDice >>> 21 & 7) << 24 | (int) (hopDice >>> 24 & 0xFFFF));
        out.putLong(arrival).putLong(arrival + latency);
    }

    private void fabric(ByteBuffer out) {
        boolean dropped = Long.remainderUnsigned(dice, 1_000) == 0;
        boolean congested = Long.remainderUnsigned(dice >>> 10, 1_000) == 0;
        int queue = (int) (flow >>> 60 & 1);
        out.putInt(1 << 28
                | 3 << 24
                | (kind.datagramBytes - 12) / 4 << 16
                | 5 << 8
                | (dropped ? 0x80 : 0)
                | (congested ? 0x40 : 0)
                | 0x20);
        out.putShort((short) 0x7400).putShort((short) TRANSPARENT_SECURITY).putInt(0);
        out.putInt(1 + member(HOPS - 1) << 16 | 1 + (int) (flow >>> 18 & 0x1F));
        out.putInt(500 + (int) (dice >>> 16 & 0x3FF));
        out.putInt(queue << 24 | (congested ? CONGESTED_OCCUPANCY : 0) + (int) (dice >>> 26 & 0xFFF));
        out.putLong(time());
        int stackBytes = 32 * HOPS;
        outerHeaders(out, stackBytes, 0);
        out.putInt(0x1800_0011 | (12 + stackBytes) / 4 << 16);
        out.putInt(0x2000_0805).putShort((short) 0xFC00).putShort((short) 0).putInt(0);
        // The hop nearest to the one who reports stands first [INT 2.1 §5.7].
        for (int hop = HOPS - 1; hop >= 0; hop--) {
            long hopDice = mixed(dice + hop);
            int latency = 400 + (int) (hopDice & 0x7FF) + ((hopDice >>> 11 & 0x3FF) == 0 ? 100_000 : 0);
            long arrival = time() - 5_000L * (HOPS - hop);
            int in = hop == 0 ? (int) (flow >>> 23 & 0x1F) : member(hop - 1);
            int next = hop == HOPS - 1 ? reporter() : member(hop + 1);
            out.putInt(100 + TIER * hop + member(hop));
            out.putInt(1 + in << 16 | 1 + next);
            out.putInt(latency);
            out.putInt(queue << 24 | (int) (hopDice >>> 24 & 0xFFF));
            out.putLong(arrival).putLong(arrival + latency);
        }
        innerUdp(out, 0);
    }

    /**
     * By the law of Zipf and Mandelbrot, as flows of networks are found to be: the n-th largest has packets as 1 / (n + {@link #LARGE}), so
     * none is an elephant. All packets of a flow leave the fabric at one switch.
     */
    private long unevenFlow() {
        double share = (next() >>> 11) * 0x1p-53;
        double rank = LARGE * (StrictMath.pow((double) (FLOWS + LARGE) / LARGE, share) - 1);
        return (long) rank / REPORTERS * REPORTERS + reporter() + 1;
    }

    private int reporter() {
        return number / IN_A_ROW % REPORTERS;
    }

    /** Which of its tier a flow takes. */
    private int member(int tier) {
        return (int) (flow >>> 28 + 4 * tier) & TIER - 1;
    }

    private int port(int shift) {
        return 1 + (int) (flow >>> shift & 0x1F);
    }

    private void dialect(ByteBuffer out) {
        out.putInt(4 << 24 | 0x0B << 16 | 8 << 8 | droppedFlag() | 0x20);
        out.putInt(TRANSPARENT_SECURITY).putLong(0);
        int stackBytes = 4 * HOPS + 8;
        outerHeaders(out, stackBytes, PAYLOAD.length);
        out.putInt(0x1800_0011 | (4 + 12 + stackBytes) / 4 << 16);
        out.putInt(0x2000_0109).putInt(0x8000 << 16 | TRANSPARENT_SECURITY).putInt(0x8000_4000);
        out.putInt(node + 16).putInt(node + 32).putInt(node + 48);
        out.putInt(0).putInt(0x0101_0000);
        innerUdp(out, PAYLOAD.length);
        out.put(PAYLOAD);
    }

    /** Ethernet, IPv4, and the UDP header of the INT source. */
    private void outerHeaders(ByteBuffer out, int stackBytes, int payloadBytes) {
        int udpBytes = 8 + 4 + 12 + stackBytes + 8 + payloadBytes;
        out.putLong(0x0000_0000_0501_0000L).putInt(0x0000_0101).putShort((short) 0x0800);
        out.putInt(0x4500_0000 | 20 + udpBytes).putInt(0x0001_0000).putInt(0x3F11_F831);
        out.putInt(0x0A00_0000 | (int) (flow & 0xFF_FFFF));
        out.putInt(0x0A80_0000 | (int) (flow >>> 24 & 0x7F_FFFF));
        out.putInt(555).putInt(udpBytes << 16);
    }

    private void innerUdp(ByteBuffer out, int payloadBytes) {
        int sourcePort = 1024 + (int) (flow >>> 47) % 60_000;
        int destinationPort = (flow & 7) == 0 ? 53 : 443;
        out.putInt(sourcePort << 16 | destinationPort).putInt(8 + payloadBytes << 16);
    }

    /** Marsaglia's xorshift. */
    private long next() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random;
    }

    /** The finalizer of MurmurHash3. */
    private static long mixed(long value) {
        long x = value ^ value >>> 33;
        x *= 0xff51_afd7_ed55_8ccdL;
        x ^= x >>> 33;
        x *= 0xc4ce_b9fe_1a85_ec53L;
        return x ^ x >>> 33;
    }
}
