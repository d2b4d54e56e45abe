package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.scale.LocalParts;
import io.pathlore.cli.scale.Parts;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.engine.Engine;
import io.pathlore.engine.EngineOptions;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.model.EventKind;
import io.pathlore.store.tables.Row;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What happened does not depend on who received it: the datagrams of a network, spread over any number of threads that decode and of
 * shards, one thread ahead of another, and in any order within a window, give the same events with the same ids.
 */
@Timeout(300)
class AnyOrderTest {
    private static final long EPOCH = 1_767_225_600_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long WINDOW = 200_000_000L;

    /** How far one worker may be ahead of another, and reports that may wait for the others meanwhile. */
    private static final long AHEAD = 50_000_000L;

    private static final int MANY = 4_000;
    private static final int FLOWS = 50_000;
    private static final int MANY_FLOWS = 1_000_000;
    private static final long SEED = 11;
    private static final long ROOM = 64L << 20;
    private static final int MOVES = 5;

    /** Those in the dialect of Transparent Security, which has but one. */
    private static final Set<String> ONE_MODE =
            Set.of("demo-access", "ddos-udp-flood", "ddos-syn-flood", "carpet-bombing", "flash-crowd");

    private static final Set<EventKind> SEEN = ConcurrentHashMap.newKeySet();

    @TempDir
    Path directory;

    private record Datagram(long nanos, int address, int port, byte[] bytes) {}

    /** The kinds that the runs below must have shown, or they say nothing of them. */
    @AfterAll
    static void sawEveryKind() {
        assertThat(SEEN).containsAll(EnumSet.allOf(EventKind.class));
    }

    /**
     * {@code anyOrder} but where what happened is itself one of order: a datagram from before a restart is not within the window of
     * numbers after it, and who lies is known from his first.
     */
    @ParameterizedTest
    @CsvSource({
        "link-failure, XD, 21, true",
        "ttl-loop, MD, 12, true",
        "microburst, MX, 9, true",
        "slow-hop, XD, 17, true",
        "acl-drops, MD, 12, true",
        "report-loss, MX, 12, true",
        "exporter-restart, XD, 13, false",
        "silent-exporter, MD, 62, true",
        "forged-reports, XD, 11, false",
        "ddos-udp-flood, MD, 18, true"
    })
    void theSameEventsComeOut(String name, Mode mode, int seconds, boolean anyOrder) throws IOException {
        Scenario scenario = scenario(name, mode).withDuration(seconds * SECOND);
        Service service = service(scenario);
        List<Datagram> sent = datagrams(scenario);
        EngineOptions alone = new EngineOptions(1, 0, FLOWS, 1);

        Rows rows = new Rows();
        Map<String, String> inOrder = events(service, sent, alone, SEED, rows);

        assertThat(rows.ofAttacks()).as("seconds of attacks").isEqualTo(name.startsWith("ddos"));

        assertThat(events(service, sent, alone, SEED + 1))
                .as("with another secret")
                .isEqualTo(inOrder);
        for (int shards = 1; shards <= 3; shards++) {
            assertThat(events(service, sent, new EngineOptions(shards, shards, FLOWS, 16 << 20), SEED + shards))
                    .as("%d threads that decode, %d shards", shards, shards)
                    .isEqualTo(inOrder);
        }
        assertThat(events(service, mixed(sent, true), alone.withSlack(WINDOW), SEED))
                .as("exporters late by up to %d ms", WINDOW / 1_000_000)
                .isEqualTo(inOrder);
        List<byte[]> published = published(service, sent);
        sameInParts(new Parts(service, 3, 5, 4, 6, SEED, ROOM), published, 0, inOrder, rows);
        sameInParts(
                new Parts(service, 1, 2, 32, 32, SEED + 1, ROOM),
                published,
                0,
                inOrder,
                rows); // some have no nodes, or networks
        sameInParts(
                new Parts(service, 3, 5, 4, 2, SEED, ROOM),
                published(service, mixed(sent, true)),
                WINDOW,
                inOrder,
                rows);
        if (anyOrder) {
            assertThat(withoutCompleteness(events(service, mixed(sent, false), alone.withSlack(WINDOW), SEED)))
                    .as("datagrams late by up to %d ms", WINDOW / 1_000_000)
                    .isEqualTo(withoutCompleteness(inOrder));
        }
    }

    private static final String ATTACKS = """
            duration: 16s
            topology: { kind: access, aggregations: 2, homes-per-aggregation: 4, devices-per-home: 4, internet-hosts: 6 }
            telemetry:
              mode: md
              watch:
                - { name: sampled, sampling: 4 }
            traffic:
              - { kind: request-response, name: web, from: client, to: internet, flows: 4, response: 1KB..20KB }
              - { kind: video, name: cameras, from: "camera:4", to: internet-2, fps: 5, bytes: 8KB }
              - { kind: ping, from: client, to: internet, period: 500ms }
              - { kind: udp-flood, from: "camera:4", to: internet-1, rate: 8kpps, start: 3s, duration: 4s }
              - { kind: syn-flood, from: [camera-1, speaker-2], to: internet-2, rate: 6kpps, spoofed: 100, start: 4s, duration: 4s }
              - { kind: icmp-flood, from: [internet-3, internet-4], to: client-2, rate: 5kpps, start: 3s, duration: 3s }
              - { kind: reflection, from: internet, to: client-1, rate: 6kpps, start: 5s, duration: 3s }
              - { kind: fragment-flood, from: camera-3, to: internet-4, ip: 6, rate: 5kpps, start: 8s, duration: 3s }
              - { kind: carpet-bombing, from: "speaker:4", to: internet-6, rate: 8kpps, start: 8s, duration: 4s }
              - { kind: carpet-bombing, name: carpet-6, from: "speaker:4", to: internet-5, ip: 6, rate: 8kpps, start: 9s, duration: 4s }
              - { kind: scan, name: scan-1, from: camera-1, to: internet-1, rate: 200pps, start: 2s, duration: 12s, prefix: 24 }
              - { kind: scan, name: scan-2, from: internet-2, to: client-1, rate: 200pps, start: 3s, duration: 11s, prefix: 24 }
            """;

    /** Victims in several networks, of all kinds of attacks at once. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void attacksAreTheSameWhoeverCountsThem(Mode mode) throws IOException {
        Files.writeString(directory.resolve("attacks.yaml"), ATTACKS);
        Scenario scenario = scenario("attacks.yaml", mode);
        Service service = service(scenario);
        List<Datagram> sent = datagrams(scenario);
        Rows rows = new Rows();
        Map<String, String> inOrder = events(service, sent, new EngineOptions(1, 0, MANY_FLOWS, 1), SEED, rows);
        assertThat(inOrder.values().stream()
                        .filter(line -> line.contains("\"kind\":\"attack\""))
                        .map(line -> line.replaceFirst(".*\"vector\":\"([a-z-]+)\".*", "$1")))
                .contains("udp-flood", "syn-flood", "icmp-flood", "reflection", "carpet-bombing", "scan");
        List<byte[]> published = published(service, sent);
        for (int attacks : new int[] {5, 32}) {
            sameInParts(new Parts(service, 2, 3, 2, attacks, SEED, ROOM), published, 0, inOrder, rows);
        }
    }

    /** All scenarios there are, in all modes, as long as they last. */
    @ParameterizedTest
    @MethodSource("everything")
    @Tag("slow")
    void theSameComesOutInParts(String name, Mode mode) throws IOException {
        Scenario scenario = scenario(name, mode);
        Service service = service(scenario);
        List<Datagram> sent = datagrams(scenario);
        Rows rows = new Rows();
        Map<String, String> inOrder = events(service, sent, new EngineOptions(1, 0, MANY_FLOWS, 1), SEED, rows);
        // In one part of flows there is room for all packets that wait for others; what is told early differs.
        sameInParts(new Parts(service, 3, 1, 5, 7, SEED, 4 * ROOM), published(service, sent), 0, inOrder, rows);
    }

    static List<Arguments> everything() {
        List<Arguments> all = new ArrayList<>();
        for (String name : ScenarioFiles.shipped()) {
            for (Mode mode : Mode.values()) {
                if (mode == Mode.MD || !ONE_MODE.contains(name)) {
                    all.add(Arguments.of(name, mode));
                }
            }
        }
        return all;
    }

    private Scenario scenario(String name, Mode mode) throws IOException {
        Scenario scenario = ScenarioFiles.load(name, directory);
        return scenario.withTelemetry(scenario.telemetry().withMode(mode));
    }

    private Service service(Scenario scenario) throws IOException {
        Path inventory = Files.writeString(directory.resolve("inventory.yaml"), LabInventory.of(scenario, own -> own));
        return new ConfigLoader(directory, directory, Map.of()).loadService(inventory, List.of("data=" + directory));
    }

    /** None of them late by more than that. */
    private static void sameInParts(
            Parts parts, List<byte[]> published, long late, Map<String, String> inOrder, Rows rows) {
        Map<String, String> rowsOfParts = new TreeMap<>();
        assertThat(eventsOfParts(published, late, parts, rowsOfParts))
                .as("in parts that are moved from machine to machine, exporters late by up to %d ms", late / 1_000_000)
                .containsExactlyEntriesOf(inOrder);
        assertThat(comparable(rowsOfParts))
                .as("rows of tables, in parts")
                .containsExactlyEntriesOf(comparable(rows.byKey));
    }

    /** Of tables, by their keys. */
    private static final class Rows implements RowSink {
        private final Map<String, String> byKey = new TreeMap<>();

        @Override
        public void row(Row row) {
            Row.Told told = row.told();
            byKey.put(RollupJson.key(told), RollupJson.json(told));
        }

        boolean ofAttacks() {
            return byKey.keySet().stream().anyMatch(key -> key.startsWith("attacks_1s/"));
        }

        @Override
        public void complete(long untilNanos) {}
    }

    /** Without what nobody needs to be the same: which of the flows of a path was the last to tell of it. Episodes come with events. */
    private static Map<String, String> comparable(Map<String, String> rows) {
        Map<String, String> others = new TreeMap<>();
        rows.forEach((key, json) -> {
            if (!key.startsWith("episodes/")) {
                others.put(key, key.startsWith("paths/") ? json.replaceFirst(",\"last_seen\":\"[^\"]+\"", "") : json);
            }
        });
        return others;
    }

    /** Which follows the numbers as they arrive: those still to come are missing. */
    private static Map<String, String> withoutCompleteness(Map<String, String> events) {
        Map<String, String> others = new TreeMap<>();
        events.forEach((id, line) -> others.put(id, line.replaceFirst("\"completeness\":[0-9.]+,", "")));
        return others;
    }

    private static List<Datagram> datagrams(Scenario scenario) {
        List<Datagram> all = new ArrayList<>();
        ScenarioRun run = new ScenarioRun(
                scenario,
                1,
                WorldTime.from(EPOCH),
                new ScenarioNodes(),
                LabListener.NOBODY,
                (time, address, port, destination, payload, from, end) -> {
                    byte[] bytes = new byte[end - from];
                    payload.get(from, bytes);
                    all.add(new Datagram(time, address, port, bytes));
                });
        for (long until = SECOND; run.runUntil(until); until += SECOND) {}
        return all;
    }

    /** Each is late by some part of the window; {@code inTheirOrder} none overtakes another of its exporter. */
    private static List<Datagram> mixed(List<Datagram> sent, boolean inTheirOrder) {
        Random random = new Random(SEED);
        record Late(Datagram datagram, long nanos) {}
        List<Late> late = new ArrayList<>();
        Map<Integer, Long> last = new HashMap<>();
        for (Datagram one : sent) {
            // Of a stream nobody knows what is missing before its first number.
            boolean first = one.nanos < sent.getFirst().nanos + WINDOW;
            long nanos = first ? one.nanos : one.nanos + random.nextLong(WINDOW);
            late.add(new Late(one, inTheirOrder ? last.merge(one.address, nanos, Math::max) : nanos));
        }
        late.sort(Comparator.comparingLong(Late::nanos));
        return late.stream().map(Late::datagram).toList();
    }

    private static final class Found implements EventSink {
        private final EventJson json;
        private final Map<String, String> byId = new TreeMap<>();

        Found(Service service) {
            json = new EventJson(DropReasons.of(service.config().inventory()));
        }

        @Override
        public synchronized void on(Event event) {
            SEEN.add(event.kind());
            byId.put(event.id().toString(), comparable(json.line(event).strip()));
        }
    }

    /** Without what depends on when a worker next looks at its streams. */
    private static String comparable(String line) {
        if (line.contains("\"kind\":\"report-loss\"")) {
            return line.replaceFirst("\"detectedAt\":[^,]+,", "");
        }
        if (line.contains("\"kind\":\"exporter-silent\"")) {
            return line.replaceFirst("\"end\":[^,]+,", "").replaceFirst("\"detectedAt\":[^,]+,", "");
        }
        return line;
    }

    /** As an edge publishes them, with what it knows of each. */
    private static List<byte[]> published(Service service, List<Datagram> sent) {
        List<byte[]> envelopes = new ArrayList<>();
        Journalling journal = (batch, index) -> {
            int length = batch.length(index);
            ByteBuffer envelope = ByteBuffer.allocate(Envelope.LENGTH + length);
            int flags = (batch.flags(index) & DatagramBatch.DUPLICATE) != 0 ? Envelope.DUPLICATE : 0;
            flags |= (batch.flags(index) & DatagramBatch.UNBOUND) != 0 ? Envelope.UNBOUND : 0;
            int at = Envelope.encode(
                    envelope,
                    0,
                    flags,
                    batch.wireLength(index),
                    batch.timeNanos(index),
                    1,
                    envelopes.size(),
                    batch.v6(index),
                    batch.sourceHi(index),
                    batch.sourceLo(index),
                    batch.sourcePort(index),
                    batch.destinationHi(index),
                    batch.destinationLo(index),
                    batch.destinationPort(index));
            envelope.put(at, batch.data(), batch.offset(index), length);
            envelopes.add(envelope.array());
        };
        TableFeed feed = new TableFeed(RowSink.NOBODY, service.config().inventory(), PathBook.of(service));
        Ledger ledger = new Ledger(false);
        Ledger.Worker counts = ledger.addWorker();
        Engine engine = new Engine(new EngineOptions(1, 0, 1, 1), List.of(), feed::flows, () -> Pipeline.tally(counts));
        NodeBinding binding = binding(service, SEED);
        RecordedDatagrams edge =
                worker(service, engine, binding, 0, ledger, List.of(counts), SEED, feed, new Found(service), journal);
        sent.forEach(one -> add(edge, one));
        edge.end();
        return envelopes;
    }

    /** By id, of parts that are moved to other machines now and then. */
    private static Map<String, String> eventsOfParts(
            List<byte[]> published, long late, Parts parts, Map<String, String> rows) {
        Map<String, String> byId = new TreeMap<>();
        LocalParts host = new LocalParts(parts, (id, json) -> byId.put(id, json));
        Random random = new Random(parts.seed());
        long last = Envelope.receivedNanos(ByteBuffer.wrap(published.getFirst()), 0) - 1;
        for (byte[] envelope : published) {
            long nanos = Envelope.receivedNanos(ByteBuffer.wrap(envelope), 0);
            if (nanos > last && random.nextInt(50) == 0) {
                host.onTime(last - late);
            }
            if (random.nextInt(published.size()) < MOVES) {
                host.move();
            }
            last = Math.max(last, nanos);
            host.on(envelope);
            if (random.nextInt(10) == 0) {
                host.on(envelope); // published again after a crash
            }
        }
        host.onTime(last); // as in one piece
        host.end();
        assertThat(host.silent()).as("who does not say how far his rows are").isEmpty();
        rows.putAll(host.rows());
        Map<String, String> comparable = new TreeMap<>();
        byId.forEach((id, line) -> comparable.put(id, comparable(line)));
        return comparable;
    }

    /** By id. Each exporter's datagrams go to one worker, and no worker is further ahead of another than the window. */
    private static Map<String, String> events(Service service, List<Datagram> sent, EngineOptions options, long seed) {
        return events(service, sent, options, seed, RowSink.NOBODY);
    }

    private static Map<String, String> events(
            Service service, List<Datagram> sent, EngineOptions options, long seed, RowSink rows) {
        Found found = new Found(service);
        TableFeed feed = new TableFeed(rows, service.config().inventory(), PathBook.of(service));
        Ledger ledger = new Ledger(false);
        ArrayDeque<Ledger.Worker> counts = new ArrayDeque<>();
        for (int i = 0; i < options.workers() + options.shards(); i++) {
            counts.add(ledger.addWorker());
        }
        List<Ledger.Worker> ofWorkers = List.copyOf(counts);
        Engine engine = new Engine(
                options,
                Analysts.operators(service, seed, feed, found),
                feed::flows,
                () -> Pipeline.tally(counts.remove()));
        NodeBinding binding = binding(service, seed);
        RecordedDatagrams[] workers = new RecordedDatagrams[options.workers()];
        Arrays.setAll(
                workers,
                worker -> worker(
                        service, engine, binding, worker, ledger, ofWorkers, seed, feed, found, JournalFeed.OFF));
        engine.start();
        hand(sent, workers, engine, new Random(seed));
        for (RecordedDatagrams worker : workers) {
            worker.end();
        }
        engine.close();
        assertThat(engine.skipped()).isZero();
        assertThat(engine.flowsEvicted()).isZero();
        return found.byId;
    }

    private static NodeBinding binding(Service service, long seed) {
        return new NodeBinding(
                service.listen().binding(),
                1_000,
                Collector.addressesOf(service.config().inventory()),
                seed);
    }

    private static RecordedDatagrams worker(
            Service service,
            Engine engine,
            NodeBinding binding,
            int worker,
            Ledger ledger,
            List<Ledger.Worker> ofWorkers,
            long seed,
            TableFeed feed,
            Found found,
            Journalling journal) {
        Ledger.Worker counts = ofWorkers.get(worker);
        ExporterTable exporters =
                new ExporterTable(1_000, 0, Collector.profiles(service.config().inventory()), seed);
        Pipeline pipeline = new Pipeline(
                service.config(),
                4_096,
                exporters,
                binding,
                engine.intake(worker),
                journal,
                ledger,
                counts,
                seed,
                Analysts.health(service, found),
                feed.exporters(),
                () -> {});
        Admission admission = new Admission(
                DatagramBatch.LARGEST_DATAGRAM, AllowList.of(List.of(AllowList.ANY)), exporters, counts, seed);
        return new RecordedDatagrams(admission, pipeline.decoding(), counts);
    }

    private static void hand(List<Datagram> sent, RecordedDatagrams[] workers, Engine engine, Random random) {
        List<ArrayDeque<Datagram>> waiting = new ArrayList<>();
        for (int i = 0; i < workers.length; i++) {
            waiting.add(new ArrayDeque<>());
        }
        sent.forEach(
                one -> waiting.get(Math.floorMod(one.address, workers.length)).add(one));
        long first = sent.getFirst().nanos;
        while (first != Long.MAX_VALUE) {
            int worker = random.nextInt(workers.length);
            ArrayDeque<Datagram> of = waiting.get(worker);
            int some = random.nextInt(200);
            while (some-- > 0 && !of.isEmpty() && (workers.length == 1 || of.getFirst().nanos <= first + AHEAD)) {
                add(workers[worker], of.removeFirst());
            }
            if (of.isEmpty() || of.getFirst().nanos > first) {
                workers[worker].onTime(first); // nothing is to come from before
            }
            first = waiting.stream()
                    .mapToLong(left -> left.isEmpty() ? Long.MAX_VALUE : left.getFirst().nanos)
                    .min()
                    .orElseThrow();
            for (int i = 0; i < 100 && engine.unseen() > MANY; i++) {
                LockSupport.parkNanos(100_000);
            }
        }
        for (RecordedDatagrams worker : workers) {
            worker.onTime(sent.getLast().nanos);
        }
    }

    private static void add(RecordedDatagrams to, Datagram one) {
        to.add(
                one.nanos,
                false,
                0,
                Integer.toUnsignedLong(one.address),
                one.port,
                0,
                0x7F00_0001,
                8555,
                ByteBuffer.wrap(one.bytes),
                0,
                one.bytes.length);
    }
}
