package io.pathlore.ingest.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.pathlore.ingest.Ledger.Term;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What it costs to empty a preloaded socket: with {@code recvmmsg} and nothing else; with times and addresses, as the
 * collector reads; and with all it does to a report. They take turns, and processor time is what counts, so that a busy
 * machine does little harm.
 */
final class DrainFigures {
    private static final int PRELOAD = 5_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private DrainFigures() {}

    public static void main(String[] args) throws IOException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        byte[] report = GoldenVectors.bytes(args.length > 1 ? args[1] : "R7");
        int largest = args.length > 2 ? Integer.parseInt(args[2]) : DatagramBatch.LARGEST_DATAGRAM;
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 16 << 20, 1, false, largest);
        double[] bare = new double[rounds];
        double[] read = new double[rounds];
        double[] whole = new double[rounds];
        try (var rig = new Rig(Rig.Settings.plain().on(listen).keepingNothing());
                var plain = new Bare(16 << 20)) {
            for (int round = 0; round < rounds; round++) {
                plain.preload(report);
                long start = THREADS.getCurrentThreadCpuTime();
                plain.drain();
                bare[round] = (double) (THREADS.getCurrentThreadCpuTime() - start) / PRELOAD;

                preload(rig, report);
                start = THREADS.getCurrentThreadCpuTime();
                for (int count = 0;
                        count < PRELOAD;
                        count += rig.sockets.batch().size()) {
                    rig.sockets.receive(0);
                }
                read[round] = (double) (THREADS.getCurrentThreadCpuTime() - start) / PRELOAD;

                long target = rig.ledger.snapshot().read(Term.DATAGRAMS_READ) + PRELOAD;
                preload(rig, report);
                start = THREADS.getCurrentThreadCpuTime();
                do {
                    rig.loop.turn(0);
                } while (rig.ledger.snapshot().read(Term.DATAGRAMS_READ) < target);
                whole[round] = (double) (THREADS.getCurrentThreadCpuTime() - start) / PRELOAD;
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d B, ns of processor time per datagram: bare recvmmsg %s, with times and addresses %s, whole loop %s%n",
                    report.length,
                    spread(bare),
                    spread(read),
                    spread(whole));
        }
    }

    private static void preload(Rig rig, byte[] report) throws IOException {
        for (int i = 0; i < PRELOAD; i++) {
            rig.send(report);
        }
    }

    /** Of the later half of the rounds, when all is compiled. */
    private static String spread(double[] values) {
        double[] later = Arrays.copyOfRange(values, values.length / 2, values.length);
        Arrays.sort(later);
        return String.format(
                Locale.ROOT,
                "%.0f [%.0f..%.0f]",
                later[later.length / 2],
                later[later.length / 10],
                later[later.length * 9 / 10]);
    }

    /** No address, no time, no batch. */
    private static final class Bare implements AutoCloseable {
        private static final int MESSAGES = 64;
        private final LinuxCalls calls = Objects.requireNonNull(LinuxCalls.instance());
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment error = LinuxCalls.errorRoom(arena);
        private final MemorySegment headers = arena.allocate(MESSAGES * 80L, 64);
        private final MemorySegment data = arena.allocate(MESSAGES * 2_048L, 64);
        private final DatagramChannel sender = DatagramChannel.open();
        private final int descriptor;
        private final InetSocketAddress to;

        Bare(int receiveBufferBytes) throws IOException {
            ByteBuffer raw = headers.asByteBuffer().order(ByteOrder.nativeOrder());
            for (int i = 0; i < MESSAGES; i++) {
                int vector = MESSAGES * 64 + i * 16;
                raw.putLong(i * 64 + 16, headers.address() + vector);
                raw.putLong(i * 64 + 24, 1);
                raw.putLong(vector, data.address() + i * 2_048L);
                raw.putLong(vector + 8, 2_048);
            }
            descriptor = calls.socket(error, LinuxCalls.AF_INET);
            calls.setOption(
                    error,
                    descriptor,
                    LinuxCalls.SOL_SOCKET,
                    LinuxCalls.SO_RCVBUFFORCE,
                    arena.allocateFrom(JAVA_INT, receiveBufferBytes));
            MemorySegment address = arena.allocate(16, 8);
            ByteBuffer name = address.asByteBuffer().order(ByteOrder.nativeOrder());
            name.putShort(0, (short) LinuxCalls.AF_INET).put(4, Rig.V4.getAddress());
            calls.bind(error, descriptor, address);
            calls.localAddress(error, descriptor, address, arena.allocateFrom(JAVA_INT, 16));
            to = new InetSocketAddress(Rig.V4, name.order(ByteOrder.BIG_ENDIAN).getShort(2) & 0xFFFF);
        }

        void preload(byte[] report) throws IOException {
            for (int i = 0; i < PRELOAD; i++) {
                sender.send(ByteBuffer.wrap(report), to);
            }
        }

        void drain() {
            int count = 0;
            while (count < PRELOAD) {
                count += Math.max(0, calls.recvmmsg(error, descriptor, headers.address(), MESSAGES));
            }
        }

        @Override
        public void close() throws IOException {
            sender.close();
            calls.close(error, descriptor);
            arena.close();
        }
    }
}
