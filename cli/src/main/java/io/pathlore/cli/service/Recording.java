package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.flow.FlowState;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Service;
import io.pathlore.engine.Engine;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.model.FlowKey;
import io.pathlore.serve.JsonText;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The collector's own way of a datagram, over a file, in the time of the file: one thread, no socket, no clock. The same file
 * and configuration give the same answer, byte for byte.
 */
public final class Recording {
    private static final long MINUTE = 60_000_000_000L;
    private static final long SEED = 0x7061_7468_6C6F_7265L;

    private final Service service;
    private final Ledger ledger;
    private final Engine engine;
    private final NodeBinding binding;
    private final Pipeline pipeline;
    private final RecordedDatagrams datagrams;
    private final RowSink rows;

    /** {@code events} is told what happened, in the order it is found. */
    public Recording(Service service, Notes notes, EventSink events) {
        this(service, notes, events, RowSink.NOBODY);
    }

    /** {@code rows} is told what adds up, and what happened too. */
    public Recording(Service service, Notes notes, EventSink told, RowSink rows) {
        this(service, notes, told, rows, null);
    }

    /** {@code journal} keeps the datagrams, and has begun. */
    Recording(Service service, Notes notes, EventSink told, RowSink rows, @Nullable JournalKeeper journal) {
        this.service = service;
        ledger = new Ledger(journal != null);
        if (journal != null) {
            journal.count(ledger);
        }
        this.rows = rows;
        TableFeed feed = new TableFeed(rows, service.config().inventory(), PathBook.of(service));
        EventSink events = written(rows, told);
        MemoryPlan plan = MemoryPlan.ofOneThread(service, notes::warn);
        Ledger.Worker counts = ledger.addWorker();
        engine = new Engine(
                plan.engine(),
                Analysts.operators(service, SEED, feed, events),
                feed::flows,
                () -> Pipeline.tally(counts));
        binding = new NodeBinding(
                service.listen().binding(),
                plan.nodes(),
                Collector.addressesOf(service.config().inventory()),
                SEED);
        ExporterTable exporters = new ExporterTable(
                plan.exporters(), 0, Collector.profiles(service.config().inventory()), SEED);
        Admission admission = new Admission(
                DatagramBatch.LARGEST_DATAGRAM, AllowList.of(List.of(AllowList.ANY)), exporters, counts, SEED);
        pipeline = new Pipeline(
                service.config(),
                plan.streams(),
                exporters,
                binding,
                engine.intake(0),
                journal == null
                        ? JournalFeed.OFF
                        : JournalFeed.patient(journal.ring(0), counts, () -> journal.failure() != null),
                ledger,
                counts,
                SEED,
                Analysts.health(service, events),
                feed.exporters(),
                () -> notes.warn("self", "some reports are about report packets: they are not analysed (shed self)"));
        datagrams = new RecordedDatagrams(admission, pipeline.decoding(), counts);
    }

    private EventSink written(RowSink rows, EventSink told) {
        EventJson json = new EventJson(DropReasons.of(service.config().inventory()));
        return new EventSink() {
            @Override
            public void on(Event event) {
                rows.row(TableFeed.event(event, json.line(event).strip()));
                told.on(event);
            }

            @Override
            public void on(Burst burst) {
                Row.Episode episode = TableFeed.episode(burst);
                if (episode != null) {
                    rows.row(episode);
                }
                told.on(burst);
            }

            @Override
            public void on(AttackSecond second) {
                told.on(second);
            }
        };
    }

    /** There are no more datagrams; {@code lastNanos} is the time of the last. */
    public void end(long lastNanos) {
        datagrams.end();
        rows.complete((Math.floorDiv(lastNanos, MINUTE) + 1) * MINUTE);
    }

    /** Where the datagrams go, in the order they were received. */
    public RecordedDatagrams datagrams() {
        return datagrams;
    }

    public Ledger.Snapshot ledger() {
        return ledger.snapshot();
    }

    /** That were decoded. */
    public long reports() {
        return ledger.snapshot().read(Ledger.Term.REPORTS_DECODED);
    }

    public long flows() {
        return engine.flows();
    }

    public long flowsEvicted() {
        return engine.flowsEvicted();
    }

    /** After the end, in the order of their addresses. */
    public List<ExporterRows.ExporterRow> exporters() {
        return ExporterRows.of(List.of(pipeline), service.config().inventory());
    }

    /** A flow that stands out. */
    public record Flow(FlowKey key, long reports, long drops, long congested, long firstNanos, long lastNanos) {
        private static final Comparator<Flow> MOST = Comparator.comparingLong(Flow::drops)
                .thenComparingLong(Flow::reports)
                .thenComparing(flow -> flow.key.canonical(), Comparator.reverseOrder());

        static Flow of(FlowKey key, FlowState state) {
            return new Flow(
                    key, state.reports(), state.drops(), state.congested(), state.firstNanos(), state.lastNanos());
        }
    }

    /** Of those wanted, the ones with most reports of drops, then with most reports. After the end. */
    public List<Flow> top(int count, Predicate<Flow> wanted) {
        PriorityQueue<Flow> most = new PriorityQueue<>(Flow.MOST);
        engine.scanFlows((key, state) -> {
            Flow flow = Flow.of(key, state);
            if (!wanted.test(flow)) {
                return;
            }
            most.add(flow);
            if (most.size() > count) {
                most.poll();
            }
        });
        List<Flow> top = new ArrayList<>(most);
        top.sort(Flow.MOST.reversed());
        return top;
    }

    /** For {@code -o json}. */
    public static String json(ExporterRows.ExporterRow exporter) {
        JsonText json = new JsonText();
        ExporterRows.write(json, exporter);
        return json.toString();
    }
}
