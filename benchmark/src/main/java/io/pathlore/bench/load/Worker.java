package io.pathlore.bench.load;

import com.sun.management.ThreadMXBean;
import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.sequence.Rehearsal;
import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.ExporterMinutes;
import io.pathlore.cli.service.Pipeline;
import io.pathlore.cli.service.Unanalysed;
import io.pathlore.engine.Engine;
import io.pathlore.engine.EngineOptions;
import io.pathlore.engine.Intake;
import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.Decoding;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.Fanout;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.ingest.udp.Listen;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.ReceiveLoop;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.wire.DecodeOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code load receive} is to C, in a process of its own; speaks the same way. Besides, {@code settle} waits until all is on
 * the disk, and is answered with the processor time other threads took for it; {@code check} with what is wrong with its books.
 */
final class Worker implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int EXPORTERS = 4_096;
    private static final int NODES = 65_536;
    private static final int PATIENCE_MILLIS = 200;
    private static final int EMPTY_TURNS = 30_000;

    private final Entry entry;
    private final UdpSockets sockets;
    private final Ledger ledger;
    private final Ledger.Worker counts;
    private final Accounting accounting;
    private final @Nullable Journalled journal;
    private final @Nullable Stored tables;
    private final @Nullable Pipeline pipeline;
    private final Counted counted;
    private final ReceiveLoop loop;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long journalNanos;

    private Worker(Entry entry, Path directory, int flows) throws IOException {
        this.entry = entry;
        var listen = Listen.on(List.of(InetAddress.ofLiteral(entry.address())), List.of(0), BUFFER_BYTES);
        sockets = listen.open(System.err::println).getFirst();
        ledger = new Ledger(entry.journals());
        counts = ledger.addWorker();
        accounting = new Accounting(counts);
        journal = entry.journals() ? new Journalled(directory.resolve("journal"), counts) : null;
        var exporters = new ExporterTable(EXPORTERS, 0, ExporterTable.Profiles.AUTO, 1);
        Journalling kept = journal == null ? (batch, index) -> {} : journal;
        var binding = new NodeBinding(NodeBinding.Mode.LEARN, NODES, Map.of(), 1);
        tables = entry.stores() ? new Stored(directory.resolve("tables")) : null;
        pipeline = tables != null
                ? whole(flows, exporters, binding, kept, tables)
                : entry.analyses()
                        ? before(analysing(flows), exporters, binding, kept)
                        : entry.leavesAnalysis() ? before(new Unanalysed(counts), exporters, binding, kept) : null;
        Fanout decoding = pipeline == null
                ? new Decoding(DecodeOptions.lenient(), exporters, binding, accounting, kept, counts)
                : pipeline.decoding();
        counted = new Counted(decoding);
        var admission = new Admission(listen.largestDatagram(), AllowList.of(List.of("private")), exporters, counts, 1);
        loop = new ReceiveLoop(sockets, admission, counted, ledger, counts);
    }

    private Pipeline whole(int flows, ExporterTable exporters, NodeBinding binding, Journalling kept, Stored rows) {
        Service service =
                new ConfigLoader(Path.of("."), Path.of("."), Map.of("HOME", "/")).loadService(null, List.of());
        return Pipeline.whole(service, flows, exporters, binding, kept, ledger, counts, 1, rows);
    }

    private Intake analysing(int flows) {
        return new Engine(
                        new EngineOptions(1, 0, flows, 1), List.of(), () -> FlowSink.NONE, () -> Pipeline.tally(counts))
                .intake(0);
    }

    private Pipeline before(Intake analysis, ExporterTable exporters, NodeBinding binding, Journalling kept) {
        return new Pipeline(
                Config.defaults(),
                SequenceTable.DEFAULT_CAPACITY,
                exporters,
                binding,
                analysis,
                kept,
                ledger,
                counts,
                1,
                new StreamWatch(new StreamWatch.Rules(30_000_000_000L, 5_000_000_000L, EXPORTERS), event -> {}),
                ExporterMinutes.untold(),
                () -> {});
    }

    /** Counts what passes. */
    private static final class Counted implements Fanout {
        private final Fanout to;
        private long datagrams;

        Counted(Fanout to) {
            this.to = to;
        }

        @Override
        public boolean offer(DatagramBatch batch, int index, int exporter) {
            datagrams++;
            return to.offer(batch, index, exporter);
        }

        @Override
        public void flush() {
            to.flush();
        }

        @Override
        public void endBatch() {
            to.endBatch();
        }

        @Override
        public void onTick(long nowNanos) {
            to.onTick(nowNanos);
        }

        @Override
        public void onPressure(int percent, long ticks) {
            // A socket that was filled before is full: nothing may be left out for that.
        }

        @Override
        public void end() {
            to.end();
        }
    }

    static void main(String[] arguments) throws IOException, InterruptedException {
        boolean live = arguments[1].equals("live");
        Rehearsal.run(); // as the collector does
        try (var worker =
                new Worker(Entry.valueOf(arguments[0]), Path.of(arguments[2]), Integer.parseInt(arguments[3]))) {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            var out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
            // Waiting happens once for many datagrams, so it would be compiled last, and allocates until then. Nobody
            // knows the port yet.
            for (int i = 0; !live && i < EMPTY_TURNS; i++) {
                worker.loop.turn(0);
            }
            out.println(worker.sockets.socket(0).port());
            Thread thread = live ? worker.start() : Thread.currentThread();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(
                        switch (line) {
                            case "check" -> worker.check();
                            case "settle" -> worker.settle();
                            case "count" -> worker.count();
                            default -> worker.drain(Integer.parseInt(line.substring(line.indexOf(' ') + 1)));
                        });
            }
            if (live) {
                worker.loop.stop();
                thread.join();
            }
        }
    }

    private Thread start() {
        return entry == Entry.RECEIVE ? Thread.ofPlatform().daemon().start(this::receive) : loop.start(0);
    }

    /** Reads and counts until the process ends. */
    private void receive() {
        try {
            while (true) {
                sockets.await(PATIENCE_MILLIS);
                boolean more = sockets.isReady(0);
                while (more) {
                    more = sockets.receive(0);
                    counts.add(Term.DATAGRAMS_READ, sockets.batch().size());
                }
                counts.publish();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String drain(int wanted) throws IOException {
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long start = threads.getCurrentThreadCpuTime();
        int received = entry == Entry.RECEIVE ? drainBare(wanted) : drainAll(wanted);
        long nanos = threads.getCurrentThreadCpuTime() - start;
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        return received + " " + nanos + " " + allocated;
    }

    private long settle() throws IOException, InterruptedException {
        if (journal == null) {
            return 0;
        }
        long before = journalNanos;
        journalNanos = journal.settle();
        return journalNanos - before;
    }

    private int drainBare(int wanted) throws IOException {
        int received = 0;
        while (received < wanted) {
            sockets.receive(0);
            int more = sockets.batch().size();
            if (more == 0) {
                break;
            }
            received += more;
        }
        return received;
    }

    private int drainAll(int wanted) throws IOException {
        long before = counted.datagrams;
        long received = 0;
        while (received < wanted) {
            loop.turn(PATIENCE_MILLIS);
            long now = counted.datagrams - before;
            if (now == received) {
                break;
            }
            received = now;
        }
        return (int) received;
    }

    private String count() {
        Ledger.Snapshot now = ledger.snapshot();
        long lost = now.journalDropped(JournalDrop.SLOW) + (journal == null ? 0 : journal.dropped());
        return now.read(Term.DATAGRAMS_READ) + " " + lost;
    }

    private String check() {
        if (!entry.decodes()) {
            return "";
        }
        if (tables != null && !tables.trouble().isEmpty()) {
            return tables.trouble();
        }
        Ledger.Snapshot now = ledger.snapshot();
        long read = now.read(Term.DATAGRAMS_READ);
        List<String> wrong = now.check();
        if (!wrong.isEmpty()) {
            return wrong.toString();
        }
        SequenceTotals totals = pipeline == null ? accounting.totals() : pipeline.totals();
        if (now.read(Term.REPORTS_DECODED) != read || totals.received() != read) {
            return "of %d datagrams %d were decoded, and %s".formatted(read, now.read(Term.REPORTS_DECODED), totals);
        }
        // What the kernel dropped is missing in the numbers, and nothing else is.
        long missing = totals.lost() + totals.missing();
        return now.kernelDropped() == 0 && missing != 0
                ? missing + " numbers are missing, and nothing was dropped"
                : "";
    }

    @Override
    public void close() throws IOException {
        sockets.close();
        if (tables != null) {
            tables.close();
        }
        if (journal != null) {
            journal.close();
        }
    }
}
