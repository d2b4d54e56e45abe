package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.ConfigException;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.network.BlastShare;
import io.pathlore.cli.network.NetworkRoutes;
import io.pathlore.engine.Engine;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.udp.RefusedSources;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.serve.ApiServer;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Route;
import io.pathlore.serve.ServeException;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.serve.metrics.JvmMetrics;
import io.pathlore.store.tables.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A collector with its HTTP side, and somebody who watches over it and tells the operator. */
public final class CollectorProcess implements AutoCloseable {
    private static final long WATCH_SECONDS = 1;
    private static final Duration HTTP_STOP = Duration.ofSeconds(2);
    private static final int NAMED_SOURCES = 32;
    private static final String NOT_HERE = "not analysed here: analysis.enabled is false, and others find it in what is"
            + " published; ask them, or pathlore serve";

    private final Collector collector;
    private final CollectorView view;
    private final EventBook events;
    private final Tables tables;
    private final TableFiller filler;
    private final ReportRoutes reports;
    private final Defence defence;
    private final AttackTraffic traffic;
    private final KafkaOut kafka;
    private final TokenStore tokens;
    private final ApiServer server;
    private final JvmMetrics jvm;
    private final Notes notes;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Set<String> named = new HashSet<>();
    private volatile @Nullable Supplier<Service> configuration;
    private volatile List<String> needRestart = List.of();
    private boolean closed;
    private long kernelDropped;
    private int shedLevel;
    private long operatorsSkipped;

    private CollectorProcess(
            Service service,
            Collector collector,
            Tables tables,
            TableFiller filler,
            CollectorView view,
            EventBook events,
            FabricMetrics fabric,
            Defence defence,
            AttackTraffic traffic,
            KafkaOut kafka,
            TokenStore tokens,
            Notes notes)
            throws ServeException {
        this.defence = defence;
        this.traffic = traffic;
        this.kafka = kafka;
        this.tokens = tokens;
        this.events = events;
        this.tables = tables;
        this.filler = filler;
        this.collector = collector;
        this.view = view;
        this.notes = notes;
        reports = new ReportRoutes(collector);
        jvm = new JvmMetrics();
        boolean done = false;
        try {
            server = ApiServer.start(
                    service.http(),
                    tokens,
                    view.sources(List.of(jvm, fabric, new DefenceMetrics(defence, events))),
                    routes(),
                    CollectorProcess::epochNanos,
                    notes);
            done = true;
        } finally {
            if (!done) {
                jvm.close();
            }
        }
    }

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new EventRoutes(collector, events).routes());
        ShownTraffic shown = new ShownTraffic(tables, events, traffic);
        routes.addAll(found(new AttackRoutes(collector, events, defence::planned, defence::decisions, shown).routes()));
        routes.addAll(found(new MitigationRoutes(defence).routes()));
        routes.addAll(new NoticeRoutes(defence).routes());
        routes.addAll(reports.ofThePast());
        routes.add(reports.live());
        routes.addAll(new TableRoutes(tables).routes());
        routes.addAll(found(NetworkRoutes.of(new ShownTables(tables, collector))));
        routes.add(FilterRoute.complete(() -> collector.service().config().inventory()));
        routes.addAll(new SettingsRoutes(collector::service, () -> needRestart, tokens, defence.audit()).routes());
        routes.add(new Route("POST", "/api/v1/reload", Role.ADMIN, 0, request -> reloadByApi())
                .is(Operation.of("Collector", "Reads the configuration again, and the files of TLS")
                        .answers("Reloaded")
                        .refuses(409)));
        return routes;
    }

    /** Routes about what is found: where others find it, an empty answer would say that there is nothing. */
    private List<Route> found(List<Route> routes) {
        return collector.engine() != null
                ? routes
                : routes.stream()
                        .map(route -> new Route(
                                route.method(),
                                route.path(),
                                route.needed(),
                                route.maxBodyBytes(),
                                route.asks(),
                                route.operation(),
                                _ -> {
                                    throw new Problem(409, NOT_HERE);
                                }))
                        .toList();
    }

    /** The time of day. */
    public static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /**
     * Starts all of it.
     *
     * @param seed of all hashes
     * @param synthetic what arrives was made up, by a lab in this process
     */
    public static CollectorProcess start(Service service, long seed, String version, boolean synthetic, Notes notes)
            throws ServiceException {
        TokenStore tokens = tokens(service.data());
        EventBook events = new EventBook(DropReasons.of(service.config().inventory()));
        FabricMetrics fabric = new FabricMetrics(service.config().inventory());
        TableFiller filler = new TableFiller(service, events, fabric, seed, CollectorProcess::epochNanos, notes);
        AttackTraffic traffic = new AttackTraffic();
        AtomicReference<@Nullable Defence> defending = new AtomicReference<>();
        Collector collector = Collector.start(
                service,
                seed,
                CollectorProcess::epochNanos,
                filler.live(),
                told(filler, traffic, defending),
                (node, key, count, bound) -> {
                    Defence there = defending.get();
                    if (there != null) {
                        there.dropped(node, key, count, bound);
                    }
                },
                notes);
        Tables tables = Tables.start(service, collector.plan(), notes);
        // Behind the journal: who finds another collector at work is told of that one first.
        BlastShare blast = new BlastShare(new ShownTables(tables, collector));
        Defence defence;
        try {
            defence = Defence.start(
                    service,
                    blast::of,
                    (rule, from, until, packets) -> {
                        traffic.stopped(rule.attack(), from, until, packets);
                        filler.on(new Row.Stopped(until, from, rule.attack().toString(), rule.id(), packets));
                    },
                    notes);
        } catch (ServiceException e) {
            collector.close();
            tables.close();
            throw e;
        }
        defending.set(defence);
        filler.start(tables, collector);
        tables.filledBy(filler::isCatchingUp);
        boolean done = false;
        KafkaOut kafka = null;
        try {
            kafka = KafkaOut.start(service, events, tables, CollectorProcess::epochNanos, notes);
            CollectorView view = new CollectorView(collector, tables, events, kafka, version, synthetic);
            CollectorProcess process = new CollectorProcess(
                    service, collector, tables, filler, view, events, fabric, defence, traffic, kafka, tokens, notes);
            process.greet();
            done = true;
            return process;
        } catch (ServeException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        } finally {
            if (!done) {
                collector.close();
                if (kafka != null) {
                    kafka.close();
                }
                filler.close();
                tables.close();
                defence.close();
            }
        }
    }

    /** What is told goes to the tables and to who defends. */
    private static EventSink told(
            TableFiller filler, AttackTraffic traffic, AtomicReference<@Nullable Defence> defending) {
        return new EventSink() {
            @Override
            public void on(Event event) {
                filler.on(event);
                Defence there = defending.get();
                if (there != null) {
                    there.on(event);
                }
            }

            @Override
            public void on(Burst burst) {
                filler.on(burst);
            }

            @Override
            public void on(AttackSecond second) {
                traffic.on(second);
            }
        };
    }

    static TokenStore tokens(Path data) throws ServiceException {
        try {
            Files.createDirectories(data);
            return TokenStore.open(data, epochNanos());
        } catch (IOException | TokenException e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            throw new ServiceException("data " + data + " cannot be used: " + why + "; set data, or --data DIR", e);
        }
    }

    private void greet() {
        for (UdpSockets.Bound socket : collector.sockets()) {
            notes.info("listening on udp " + socket.label() + " receive-buffer=" + socket.grantedBytes());
        }
        JournalKeeper journal = collector.journal();
        notes.info(journal == null ? "journal is off" : "journal in " + journal.directory());
        notes.info(collector.service().store().enabled() ? "tables in " + tables.directory() : "tables are off");
        Service.Kafka published = collector.service().kafka();
        if (collector.engine() == null) {
            notes.info("reports are not analysed here");
            if (published == null || !published.datagrams()) {
                notes.warn("analysis.enabled is false, and kafka does not publish datagrams: nobody analyses what is"
                        + " received");
            }
        }
        if (published != null && !published.isSilent()) {
            notes.info("publishes to kafka " + published.brokers());
        }
        notes.info("api at " + url() + "api/v1/status" + " admin token in " + tokens.adminFile());
    }

    /** Where it answers. */
    public String url() {
        return server.url();
    }

    /** The page, for somebody who may do everything there. What stands behind {@code #} is not sent to anybody. */
    public String urlWithToken() throws IOException {
        return url() + "#token=" + Files.readString(tokens.adminFile()).strip();
    }

    /** All that it answers. */
    List<Route> served() {
        return server.routes();
    }

    public Collector collector() {
        return collector;
    }

    public EventBook events() {
        return events;
    }

    /** Whether the tables are being filled from the journal, or cannot be. */
    boolean isCatchingUp() {
        return filler.isCatchingUp();
    }

    public Tables tables() {
        return tables;
    }

    public Defence defence() {
        return defence;
    }

    public CollectorView view() {
        return view;
    }

    // Watching
    // --------------------------------------------------------------------------------------------------------------

    /** Until {@link #stop}, or until a part of it fails. */
    public void await() throws ServiceException {
        try {
            while (!stopped.await(WATCH_SECONDS, TimeUnit.SECONDS)) {
                watch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From any thread. */
    public void stop() {
        stopped.countDown();
    }

    private void watch() throws ServiceException {
        Throwable failure = collector.failure();
        if (failure != null) {
            throw new ServiceException(
                    "a thread of the collector ended: " + failure
                            + " - this is a bug in pathlore, please report it; start it again",
                    failure);
        }
        for (RefusedSources refused : collector.refused()) {
            for (RefusedSources.Source source : refused.sources()) {
                if (named.size() < NAMED_SOURCES && named.add(source.address())) {
                    notes.warn(source.hint());
                }
            }
        }
        Ledger.Snapshot ledger = collector.ledger();
        long dropped = ledger.kernelDropped();
        if (dropped > kernelDropped) {
            notes.warn(
                    "kernel-drops",
                    "the kernel dropped " + (dropped - kernelDropped) + " datagrams before they could be read,"
                            + " see /api/v1/ledger: kernelDropped");
            kernelDropped = dropped;
        }
        Engine engine = collector.engine();
        if (engine != null) {
            watch(engine);
        }
        kafka.watch();
    }

    private void watch(Engine engine) {
        int level = engine.shedLevel();
        if (level > 0 && shedLevel == 0) {
            notes.warn("overload", "too much to analyse: up to " + level + "/8 of the flows are left out for now");
        }
        shedLevel = level;
        long skipped = engine.skipped();
        if (skipped > operatorsSkipped) {
            notes.warn(
                    "operators",
                    "no events were looked for in " + (skipped - operatorsSkipped)
                            + " reports, there were too many; their flows were counted");
            operatorsSkipped = skipped;
        }
    }

    // Reloading
    // --------------------------------------------------------------------------------------------------------------

    /** Where {@code POST /api/v1/reload} gets the configuration from. */
    public void serveReload(Supplier<Service> from) {
        configuration = from;
    }

    private Reply reloadByApi() throws Problem {
        Supplier<Service> from = configuration;
        if (from == null) {
            throw new Problem(409, "this process was not started from a configuration");
        }
        try {
            List<String> restart = apply(from.get());
            JsonText json = new JsonText().open('{').name("needRestart").open('[');
            restart.forEach(json::value);
            return Reply.json(200, json.close(']').close('}').toString());
        } catch (ConfigException | ServiceException e) {
            refuseReload(String.valueOf(e.getMessage()));
            throw new Problem(409, "configuration refused, the old one stays: " + e.getMessage());
        }
    }

    public void reload(Service next) {
        try {
            apply(next);
        } catch (ServiceException e) {
            refuseReload(String.valueOf(e.getMessage()));
        }
    }

    private List<String> apply(Service next) throws ServiceException {
        List<String> restart = collector.reload(next);
        needRestart = restart;
        server.refreshTls();
        notes.info("configuration read again"
                + (restart.isEmpty() ? "" : "; a restart is needed for " + String.join(", ", restart)));
        return restart;
    }

    /** It cannot be used: says why, and goes on as before. */
    public void refuseReload(String why) {
        notes.error("configuration refused, the old one stays: " + why);
    }

    // The end
    // --------------------------------------------------------------------------------------------------------------

    /** Stops, drains and flushes, and tells the outcome; whether the ledger balances. */
    public boolean finish() {
        close();
        Ledger.Snapshot ledger = collector.ledger();
        notes.info(String.format(
                Locale.ROOT,
                "stopped: %d datagrams read, %d accepted, %d journalled, %d dropped by the kernel,"
                        + " %d reports decoded, %d analysed",
                ledger.read(Term.DATAGRAMS_READ),
                ledger.read(Term.ACCEPTED),
                ledger.read(Term.JOURNALLED),
                ledger.kernelDropped(),
                ledger.read(Term.REPORTS_DECODED),
                ledger.read(Term.ANALYSED)));
        notes.info("ledger " + ledger.toJson());
        List<String> wrong = ledger.check();
        wrong.forEach(line -> notes.error("ledger: " + line));
        return wrong.isEmpty() && ledger.inFlight() == 0;
    }

    /** The API answers to the end of the receiving, and goes before the ledger is told for the last time. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            collector.close();
            filler.close();
            kafka.close(); // what was told last is in the tables by then, and tables are published
            tables.close();
            server.stop(HTTP_STOP);
            defence.close();
            reports.close();
            jvm.close();
        }
    }
}
