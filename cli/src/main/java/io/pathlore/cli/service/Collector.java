package io.pathlore.cli.service;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.plan.RuleProof;
import io.pathlore.analysis.sequence.Rehearsal;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.engine.Engine;
import io.pathlore.engine.Tally;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.ingest.udp.Listen;
import io.pathlore.ingest.udp.ListenException;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.ReceiveLoop;
import io.pathlore.ingest.udp.RefusedSources;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.model.IpText;
import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives, decodes, accounts, journals and analyses, from {@link #start} to {@link #close}. Everything that grows was given its
 * size at the start.
 */
public final class Collector implements Shown, AutoCloseable {
    private static final long RELOAD_SECONDS = 10;

    private final Notes notes;
    private final MemoryPlan plan;
    private final Ledger ledger;
    private final @Nullable AttackWatch attacks;
    private final @Nullable Engine engine;
    private final @Nullable JournalKeeper journal;
    private final List<Worker> workers = new ArrayList<>();
    private final long startedNanos;
    private final LongSupplier epochNanos;
    private volatile Service service;
    private volatile NodeBinding binding;

    /** One thread that receives, and what is its own. */
    private record Worker(UdpSockets sockets, Admission admission, Pipeline pipeline, ReceiveLoop loop) {}

    private Collector(
            Service service,
            MemoryPlan plan,
            @Nullable JournalKeeper journal,
            List<UdpSockets> sockets,
            long seed,
            LongSupplier epochNanos,
            TableFeed feed,
            EventSink events,
            RuleProof.Counts drops,
            Notes notes) {
        this.service = service;
        this.plan = plan;
        this.journal = journal;
        this.notes = notes;
        this.epochNanos = epochNanos;
        startedNanos = epochNanos.getAsLong();
        ledger = new Ledger(journal != null);
        ArrayDeque<Ledger.Worker> counts = new ArrayDeque<>();
        List<Ledger.Worker> ofWorkers = new ArrayList<>();
        for (int i = 0; i < plan.workers(); i++) {
            ofWorkers.add(ledger.addWorker());
        }
        counts.addAll(ofWorkers);
        if (service.analysis().enabled()) {
            List<Operator> operators = new ArrayList<>(Analysts.operators(service, seed, feed, events));
            attacks = Analysts.attackWatch(operators);
            operators.add(new RuleProof(drops));
            Engine analysing = new Engine(plan.engine(), operators, feed::flows, () -> tally(counts));
            ledger.addHolder(analysing::waiting);
            engine = analysing;
        } else {
            attacks = null;
            engine = null;
        }
        if (journal != null) {
            journal.count(ledger);
        }
        Config config = service.config();
        binding = new NodeBinding(service.listen().binding(), plan.nodes(), addressesOf(config.inventory()), seed);
        for (int i = 0; i < plan.workers(); i++) {
            ExporterTable exporters = new ExporterTable(
                    plan.exporters(), service.listen().rateLimit(), profiles(config.inventory()), seed);
            Ledger.Worker worker = ofWorkers.get(i);
            Admission admission = new Admission(
                    DatagramBatch.LARGEST_DATAGRAM, service.listen().allow(), exporters, worker, seed);
            Journalling kept = journal == null ? JournalFeed.OFF : new JournalFeed(journal.ring(i), worker);
            Pipeline pipeline = new Pipeline(
                    config,
                    plan.streams(),
                    exporters,
                    binding,
                    engine == null ? new Unanalysed(worker) : engine.intake(i),
                    kept,
                    ledger,
                    worker,
                    seed,
                    Analysts.health(service, events),
                    feed.exporters(),
                    this::warnOfSelf);
            ReceiveLoop loop = new ReceiveLoop(sockets.get(i), admission, pipeline.decoding(), ledger, worker);
            workers.add(new Worker(sockets.get(i), admission, pipeline, loop));
        }
    }

    /** The threads of workers have theirs already; shards get new ones. */
    private Tally tally(ArrayDeque<Ledger.Worker> ofWorkers) {
        Ledger.Worker next = ofWorkers.poll();
        return Pipeline.tally(next == null ? ledger.addWorker() : next);
    }

    private void warnOfSelf() {
        notes.warn(
                "self",
                "a switch reports about report packets: they are not analysed (shed self);"
                        + " take this collector out of its watchlist");
    }

    /**
     * Opens sockets and journal, and begins.
     *
     * @param feed is told what adds up
     * @param events is told what happens, by several threads
     * @param drops is told what rules have dropped
     * @param seed of all hashes: secret in a process that strangers send to, fixed where runs are compared
     */
    static Collector start(
            Service service,
            long seed,
            LongSupplier epochNanos,
            TableFeed feed,
            EventSink events,
            RuleProof.Counts drops,
            Notes notes)
            throws ServiceException {
        MemoryPlan plan = MemoryPlan.of(service, Runtime.getRuntime().availableProcessors(), notes::warn);
        String excess = MachineMemory.excess(plan, service, Runtime.getRuntime().maxMemory(), Path.of("/"));
        if (excess != null) {
            notes.warn(excess);
        }
        Rehearsal.run();
        // Sockets first: what is sent while the journal is put in order waits in the kernel's buffer.
        List<UdpSockets> sockets = open(service, plan, notes);
        boolean done = false;
        JournalKeeper journal = null;
        try {
            journal = service.journal().enabled() ? JournalKeeper.open(service, plan, epochNanos, notes) : null;
            Collector collector =
                    new Collector(service, plan, journal, sockets, seed, epochNanos, feed, events, drops, notes);
            collector.begin();
            done = true;
            return collector;
        } finally {
            if (!done) {
                sockets.forEach(UdpSockets::close);
                if (journal != null) {
                    journal.close();
                }
            }
        }
    }

    private static Listen where(Service.Listening listen, MemoryPlan plan) {
        return new Listen(
                listen.addresses(),
                listen.ports(),
                listen.receiveBufferBytes(),
                plan.workers(),
                listen.gro(),
                DatagramBatch.LARGEST_DATAGRAM);
    }

    private static List<UdpSockets> open(Service service, MemoryPlan plan, Notes notes) throws ServiceException {
        try {
            return where(service.listen(), plan).open(notes::warn);
        } catch (ListenException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    private void begin() {
        if (journal != null) {
            journal.begin();
        }
        if (engine != null) {
            engine.start();
        }
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).loop().start(i);
        }
    }

    static Map<Long, Collection<InetAddress>> addressesOf(Inventory inventory) {
        Map<Long, Collection<InetAddress>> addresses = new HashMap<>();
        for (Inventory.Node node : inventory.nodes()) {
            Long id = node.id();
            if (id != null && !node.addresses().isEmpty()) {
                addresses.put(id, node.addresses());
            }
        }
        return addresses;
    }

    public static ExporterTable.Profiles profiles(Inventory inventory) {
        return inventory.isEmpty() ? ExporterTable.Profiles.AUTO : (v6, high, low) -> profile(inventory, v6, high, low);
    }

    private static Profile profile(Inventory inventory, boolean v6, long high, long low) {
        Inventory.Node node = inventory.byAddress(InetAddress.ofLiteral(IpText.of(v6, high, low)));
        return node == null ? Profile.AUTO : node.profile();
    }

    /**
     * Takes over what can change while datagrams come in: where to listen, who may send and how much, bindings, decoding and
     * inventory. Where a port cannot be had, everything stays as it was.
     *
     * @return keys that differ and need a restart
     */
    public synchronized List<String> reload(Service next) throws ServiceException {
        Service now = service;
        NodeBinding bindings =
                binding.with(next.listen().binding(), addressesOf(next.config().inventory()));
        try {
            for (int i = 0; i < workers.size(); i++) {
                Worker worker = workers.get(i);
                int index = i;
                onLoop(worker, () -> worker.loop().listen(where(next.listen(), plan), index, notes::warn));
            }
        } catch (ServiceException e) {
            for (int i = 0; i < workers.size(); i++) {
                Worker worker = workers.get(i);
                int index = i;
                onLoop(worker, () -> worker.loop().listen(where(now.listen(), plan), index, notes::warn));
            }
            throw e;
        }
        for (Worker worker : workers) {
            onLoop(worker, () -> {
                worker.admission().allow(next.listen().allow());
                worker.pipeline()
                        .exporters()
                        .reconfigure(
                                next.listen().rateLimit(),
                                profiles(next.config().inventory()),
                                epochNanos.getAsLong());
                DecodeOptions options = Pipeline.options(next.config());
                worker.pipeline().decoding().reconfigure(options, bindings);
                worker.pipeline()
                        .intake()
                        .reconfigure(new CountingRules(next.config().inventory()), options.maxReports());
            });
        }
        binding = bindings;
        service = next;
        return needRestart(now, next);
    }

    private interface Change {
        void run() throws IOException;
    }

    private static void onLoop(Worker worker, Change change) throws ServiceException {
        try {
            worker.loop()
                    .execute(() -> {
                        change.run();
                        return null;
                    })
                    .get(RELOAD_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new ServiceException(cause == null ? e.toString() : String.valueOf(cause.getMessage()), e);
        } catch (CancellationException | TimeoutException e) {
            throw new ServiceException("the collector is stopping, or does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }

    private static List<String> needRestart(Service now, Service next) {
        List<String> keys = new ArrayList<>();
        differ(keys, "data", now.data(), next.data());
        differ(keys, "memory", now.memoryBytes(), next.memoryBytes());
        differ(
                keys,
                "listen.receive-buffer",
                now.listen().receiveBufferBytes(),
                next.listen().receiveBufferBytes());
        differ(keys, "listen.workers", now.listen().workers(), next.listen().workers());
        differ(keys, "listen.gro", now.listen().gro(), next.listen().gro());
        differ(keys, "journal", now.journal(), next.journal());
        differ(keys, "store", now.store(), next.store());
        differ(keys, "analysis", now.analysis(), next.analysis());
        differ(keys, "defend", now.defend(), next.defend());
        differ(keys, "http", now.http(), next.http());
        differ(keys, "kafka", Optional.ofNullable(now.kafka()), Optional.ofNullable(next.kafka()));
        return keys;
    }

    private static void differ(List<String> keys, String key, Object now, Object next) {
        if (!now.equals(next)) {
            keys.add(key);
        }
    }

    /**
     * Stops receiving, and counts, analyses and keeps what the kernel had queued. Afterwards the ledger balances.
     */
    @Override
    public void close() {
        workers.forEach(worker -> worker.loop().stop());
        workers.forEach(worker -> worker.loop().join());
        if (engine != null) {
            engine.close();
        }
        if (journal != null) {
            journal.close();
        }
    }

    /** Why it cannot go on, or null: a thread has ended that nobody told to. */
    public @Nullable Throwable failure() {
        for (Worker worker : workers) {
            Throwable failure = worker.loop().failure();
            if (failure != null) {
                return failure;
            }
        }
        Throwable failure = engine == null ? null : engine.failure();
        return failure != null || journal == null ? failure : journal.failure();
    }

    /** Flows that are remembered now. */
    public long flows() {
        return engine == null ? 0 : engine.flows();
    }

    public Ledger.Snapshot ledger() {
        return ledger.snapshot();
    }

    @Override
    public Service service() {
        return service;
    }

    @Override
    public @Nullable Path kept() {
        return journal == null ? null : service.journalDirectory();
    }

    MemoryPlan plan() {
        return plan;
    }

    /** Null where others analyse. */
    @Nullable
    Engine engine() {
        return engine;
    }

    @Nullable
    JournalKeeper journal() {
        return journal;
    }

    /** Null where others analyse. */
    @Nullable
    AttackWatch attacks() {
        return attacks;
    }

    NodeBinding binding() {
        return binding;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    long startedNanos() {
        return startedNanos;
    }

    @Override
    public long nowNanos() {
        return epochNanos.getAsLong();
    }

    List<UdpSockets.Bound> sockets() {
        return workers.stream()
                .flatMap(worker -> worker.sockets().bound().stream())
                .toList();
    }

    UdpSockets.Technique technique() {
        return workers.getFirst().sockets().technique();
    }

    List<RefusedSources> refused() {
        return workers.stream().map(worker -> worker.admission().refused()).toList();
    }

    List<Pipeline> pipelines() {
        return workers.stream().map(Worker::pipeline).toList();
    }

    /** The port that reports go to, for who chose 0. */
    public int port() {
        return sockets().getFirst().port();
    }
}
