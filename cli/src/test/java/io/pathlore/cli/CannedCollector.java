package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.ingest.KernelDrops;
import io.pathlore.ingest.Ledger;
import io.pathlore.serve.ApiServer;
import io.pathlore.serve.HttpOptions;
import io.pathlore.serve.Notices;
import io.pathlore.serve.Problem;
import io.pathlore.serve.ServeException;
import io.pathlore.serve.Sources;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The real HTTP side of a collector on a free port of loopback, over facts that a test makes up. */
final class CannedCollector implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();

    final ObjectNode status;
    final ObjectNode ledger;
    final List<ObjectNode> exporters = new ArrayList<>();
    final AtomicInteger pagesAsked = new AtomicInteger();
    /** Told, before each answer, how many pages were asked for. */
    volatile IntConsumer onPage = count -> {};

    final TokenStore tokens;
    volatile int largestPage = Integer.MAX_VALUE;

    private final ApiServer server;

    CannedCollector(Path data) throws IOException, TokenException, ServeException {
        this(data, "127.0.0.1", null);
    }

    CannedCollector(Path data, String address, HttpOptions.@Nullable Tls tls)
            throws IOException, TokenException, ServeException {
        status = object(STATUS);
        ledger = object(ledgerAtWork());
        tokens = TokenStore.open(data, 1);
        HttpOptions options =
                new HttpOptions(InetAddress.ofLiteral(address), 0, tls, false, Set.of(), HttpOptions.Limits.DEFAULT);
        Sources sources =
                new Sources(() -> status.toString(), () -> ledger.toString(), this::page, List::of, metrics -> {});
        server = ApiServer.start(options, tokens, sources, List.of(), CannedCollector::nowNanos, new Notices() {
            @Override
            public void warn(String line) {
                throw new AssertionError(line);
            }

            @Override
            public void error(String line) {
                throw new AssertionError(line);
            }
        });
    }

    static long nowNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private String page(Sources.Page page) throws Problem {
        onPage.accept(pagesAsked.incrementAndGet());
        String cursor = page.cursor();
        if (cursor != null && !cursor.matches("from [0-9]+ &c")) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        int from = cursor == null ? 0 : Integer.parseInt(cursor.split(" ", -1)[1]);
        int to = Math.min(exporters.size(), from + Math.min(page.limit(), largestPage));
        ObjectNode json = MAPPER.createObjectNode();
        json.putArray("items").addAll(exporters.subList(from, to));
        if (to < exporters.size()) {
            json.put("next", "from " + to + " &c");
        }
        return json.toString();
    }

    int port() {
        return server.address().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** A switch that works, with everything the API tells of one. */
    ObjectNode addExporter(String address) {
        ObjectNode exporter = object("""
                {"address":"", "nodes":[3], "firstSeen":"2020-01-01T00:00:00Z", "lastSeen":"2020-01-02T03:04:05.678Z",
                 "datagrams":1000, "bytes":204000, "reports":1000, "rejectedReports":0, "undecodable":0, "overRate":0,
                 "streams":1, "lost":0, "missing":0, "duplicates":0, "reordered":0, "late":0, "restarts":0,
                 "unknownGaps":0, "completeness":1.0, "suspected":false}
                """);
        exporter.put("address", address);
        exporters.add(exporter);
        return exporter;
    }

    static ObjectNode object(String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            return (ObjectNode) node;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What a collector counts to which nothing bad has happened; by the ledger itself, so that the names are its own. */
    private static String ledgerAtWork() {
        Ledger ledger = new Ledger(true);
        ledger.addSocket("0.0.0.0:8555", new KernelDrops());
        Ledger.Worker worker = ledger.addWorker();
        worker.add(Ledger.Term.DATAGRAMS_READ, 1_000);
        worker.add(Ledger.Term.BYTES_READ, 204_000);
        worker.add(Ledger.Term.ACCEPTED, 1_000);
        worker.add(Ledger.Term.DECODED_DATAGRAMS, 1_000);
        worker.add(Ledger.Term.JOURNALLED, 1_000);
        worker.add(Ledger.Term.REPORTS_SEEN, 1_000);
        worker.add(Ledger.Term.REPORTS_DECODED, 1_000);
        worker.add(Ledger.Term.ANALYSED, 1_000);
        worker.publish();
        return ledger.snapshot().toJson();
    }

    private static final String STATUS = """
            {"version":"0.1.0", "startedAt":"2020-01-01T00:00:00Z", "uptimeSeconds":12345.6, "synthetic":false,
             "listen":[{"socket":"0.0.0.0:8555", "technique":"recvmmsg", "receiveBufferAsked":16777216,
                        "receiveBufferGranted":16777216, "kernelDropped":0}],
             "allow":["private"], "binding":{"mode":"learn", "nodes":1, "violations":0, "unknown":0},
             "refused":{"sources":[], "others":0},
             "journal":{"enabled":true, "directory":"/var/lib/pathlore/journal", "state":"ok", "bytes":268435456,
                        "segments":1, "damaged":0, "removed":0},
             "engine":{"shards":1, "workers":1, "flows":42, "flowCapacity":1000000, "flowsEvicted":0, "shedLevel":0},
             "memory":{"ceiling":1073741824, "planned":536870912}, "warnings":[]}
            """;

    @Override
    public void close() {
        server.close();
    }
}
