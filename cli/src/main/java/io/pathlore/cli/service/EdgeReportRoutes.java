package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.model.FlowKey;
import io.pathlore.serve.EventStream;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.wire.envelope.Envelope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What was received by the edges, asked of them. The same routes, and the same answers, as where a journal is. */
final class EdgeReportRoutes implements AutoCloseable {
    /** Each holds what an answer may take. */
    private static final int AT_ONCE = 2;

    private static final long PATIENCE_SECONDS = 3;

    /** The tree of the largest datagram. */
    private static final int ONE_BYTES = 32 << 20;

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Shown shown;
    private final Edges edges;
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final EventStream<Void> listeners =
            new EventStream<>(ReportRoutes.LISTENERS, ReportRoutes.QUEUE, ReportRoutes.HEARTBEAT);

    EdgeReportRoutes(Shown shown, Edges edges) {
        this.shown = shown;
        this.edges = edges;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/reports", Role.VIEWER, request -> inTurn(() -> list(request)))
                        .is(ReportQuery.OPERATION),
                Route.get("/api/v1/reports/{id}", Role.VIEWER, request -> inTurn(() -> one(request)))
                        .is(ReportRoutes.ONE),
                Route.get("/api/v1/reports/{id}/packet", Role.VIEWER, request -> inTurn(() -> packet(request)))
                        .is(PacketAnswer.OPERATION),
                Route.get("/api/v1/stream/reports", Role.VIEWER, this::stream).is(ReportRoutes.LIVE));
    }

    private interface Asking {
        Reply answer() throws Problem, IOException;
    }

    private Reply inTurn(Asking asking) throws Problem {
        boolean mine = false;
        try {
            mine = room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!mine) {
                throw new Problem(503, "too many questions about reports at once: try again");
            }
            return asking.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "the time of this request is over");
        } catch (IOException e) {
            throw new IllegalStateException(e); // nothing is read or written but memory
        } finally {
            if (mine) {
                room.release();
            }
        }
    }

    // Lists
    // --------------------------------------------------------------------------------------------------------------

    private Reply list(Request request) throws Problem, IOException {
        Map<String, String> asked = new HashMap<>(request.query());
        String text = asked.remove("cursor");
        ReportQuery query = ReportQuery.of(
                new Request(request.path(), asked, request.body(), request.caller()),
                InventoryNames.of(shown.service().config().inventory()),
                shown.nowNanos());
        EdgesCursor from = text == null
                ? EdgesCursor.begin(query.from(), edges.print(), edges.all().size())
                : EdgesCursor.parse(text);
        if (from == null
                || from.print() != edges.print()
                || from.places().size() != edges.all().size()) {
            throw new Problem(400, "cursor: not one that this server gave out for these edges");
        }
        if (query.capture() && from.newest()) {
            throw new Problem(400, "order: a capture has the oldest first");
        }
        EdgeMerge merge = new EdgeMerge(
                edges,
                from,
                asked.getOrDefault("filter", ""),
                query.limit(),
                query.raw() || query.capture(),
                query.capture());
        return query.capture() ? capture(merge, query.limit()) : list(merge, query.limit());
    }

    private static Reply list(EdgeMerge merge, int limit) throws Problem {
        JsonText json = new JsonText().open('{').name("items").open('[');
        long[] so = new long[2];
        EdgesCursor next = merge.run((item, edge) -> {
            json.raw(withEdge(item.json(), edge));
            so[0]++;
            so[1] += item.json().length();
            return so[0] < limit && so[1] < ReportPage.MAX_SIZE;
        });
        json.close(']');
        if (next != null) {
            json.name("next").value(next.toString());
        }
        merge.scanned(json);
        Unreached.write(merge.unreached(), json);
        return Reply.json(200, json.close('}').toString());
    }

    /** Its name is ours and needs no escapes. */
    static String withEdge(String json, Edge edge) {
        return "{\"edge\":\"" + edge.name() + "\"," + json.substring(1);
    }

    private static Reply capture(EdgeMerge merge, int limit) throws Problem, IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        EdgesCursor next;
        try (CaptureWriter writer = CaptureWriter.to(bytes)) {
            Datagrams datagrams = new Datagrams();
            long[] so = new long[2];
            List<IOException> failures = new ArrayList<>();
            next = merge.run((item, edge) -> {
                Envelope envelope = datagrams.next(item);
                try {
                    if (envelope != null && writer.write(envelope)) {
                        so[0]++;
                        so[1] += envelope.datagramLength();
                    }
                } catch (IOException e) {
                    failures.add(e);
                }
                return so[0] < limit && so[1] < ReportPage.MAX_SIZE && failures.isEmpty();
            });
            if (!failures.isEmpty()) {
                throw failures.getFirst();
            }
        }
        Map<String, String> headers = new HashMap<>();
        headers.put(ReportPage.DISPOSITION, "attachment; filename=\"reports.pcap\"");
        if (next != null) {
            headers.put("Pathlore-Next", next.toString());
        }
        if (!merge.unreached().isEmpty()) {
            headers.put("Pathlore-Unreached", header(Unreached.text(merge.unreached())));
        }
        return new Reply.Content(200, ReportPage.CAPTURE_TYPE, bytes.toByteArray(), headers);
    }

    /** What a header may have in it, and not too much of it. */
    private static String header(String text) {
        String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
        return clean.substring(0, Math.min(clean.length(), 2_000));
    }

    /** Each datagram once, of the reports that an edge told of one after the other. */
    private static final class Datagrams {
        private final Map<Long, Long> last = new HashMap<>();

        @Nullable
        Envelope next(EdgeItem item) {
            Long before = last.put(item.id().edge(), item.id().position());
            if (before != null && before == item.id().position()) {
                return null;
            }
            try {
                return EdgeItem.datagram(item.id(), MAPPER.readTree(item.json()));
            } catch (JsonProcessingException e) {
                return null;
            }
        }
    }

    // One
    // --------------------------------------------------------------------------------------------------------------

    /** An answer about one report, of who has it. */
    private record Found<T>(T answer, Edge edge) {}

    @FunctionalInterface
    private interface Getter<T> {
        T get(Edge edge) throws EdgeException;
    }

    private Reply one(Request request) throws Problem {
        boolean tree = "true".equals(request.query().get("tree"));
        boolean capture = "pcap".equals(request.query().get("format"));
        if (tree && capture) {
            throw new Problem(400, "tree: a capture has none");
        }
        ReportId id = ReportRoutes.id(request);
        if (capture) {
            try {
                return ReportPage.capture(datagram(id));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        Found<String> found = find(id, edge -> {
            String json = edge.askText("/api/v1/reports/" + id + (tree ? "?tree=true" : ""), ONE_BYTES);
            EdgeItem.Page page = EdgeItem.page("{\"items\":[" + json + "]}");
            if (page == null
                    || page.items().size() != 1
                    || !page.items().getFirst().id().equals(id)) {
                throw edge.strange("what it answers is not that report");
            }
            return page.items().getFirst().json();
        });
        return Reply.json(200, withEdge(found.answer, found.edge));
    }

    private Envelope datagram(ReportId id) throws Problem {
        return find(id, edge -> {
                    JsonNode report = edge.askJson("/api/v1/reports/" + id, ONE_BYTES);
                    Envelope envelope = EdgeItem.datagram(id, report);
                    if (envelope == null) {
                        throw edge.strange("what it answers is not that report");
                    }
                    return envelope;
                })
                .answer;
    }

    /** Of the edge whose journal it is, where that is known; else of whichever has it. */
    private <T> Found<T> find(ReportId id, Getter<T> getter) throws Problem {
        Edge home = edges.home(id.edge());
        List<Unreached> unreached = new ArrayList<>();
        Map<Edge, Future<T>> asked = new HashMap<>();
        for (Edge edge : home == null ? edges.all() : List.of(home)) {
            asked.put(edge, edges.threads().submit(() -> getter.get(edge)));
        }
        for (Map.Entry<Edge, Future<T>> each : asked.entrySet()) {
            try {
                T answer = each.getValue().get();
                edges.isHome(id.edge(), each.getKey());
                return new Found<>(answer, each.getKey());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof EdgeException failure)) {
                    throw new IllegalStateException(e.getCause());
                }
                if (!failure.isNotThere()) {
                    unreached.add(new Unreached(each.getKey().name(), failure.why()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Problem(503, "the time of this request is over");
            }
        }
        if (unreached.isEmpty()) {
            throw new Problem(404, "no such report: no edge has it, or no longer");
        }
        throw new Problem(503, "who may have this report cannot be asked: " + Unreached.text(unreached));
    }

    // One packet
    // --------------------------------------------------------------------------------------------------------------

    private Reply packet(Request request) throws Problem, IOException {
        Config config = shown.service().config();
        ReportId id = ReportRoutes.id(request);
        long join = shown.service().analysis().join().toNanos();
        Reply reply = PacketAnswer.of(new OfEdges(config), config, id, join);
        if (reply == null) {
            throw new Problem(404, "no such report: no edge has it, or no longer");
        }
        return reply;
    }

    /** Nodes on the way of a packet may report to different edges. */
    private final class OfEdges implements PacketAnswer.Source {
        private final DecodedReports decoded = new DecodedReports();
        private List<Unreached> unreached = List.of();

        OfEdges(Config config) {
            decoded.begin(config, Filter.ALL);
        }

        @Override
        public void at(ReportId id, DecodedReports.Taker taker) throws Problem {
            decoded.decode(datagram(id), taker);
        }

        @Override
        public boolean between(FlowKey flow, long sinceNanos, long untilNanos, DecodedReports.Taker taker)
                throws Problem {
            EdgesCursor from = EdgesCursor.begin(
                    new ReportQuery.Cursor(false, sinceNanos, untilNanos, 0, 0),
                    edges.print(),
                    edges.all().size());
            EdgeMerge merge = new EdgeMerge(edges, from, "flow = " + flow.id(), ReportQuery.MAX_LIMIT, true, true);
            Datagrams datagrams = new Datagrams();
            long[] so = new long[2];
            EdgesCursor next = merge.run((item, edge) -> {
                Envelope envelope = datagrams.next(item);
                if (envelope != null) {
                    so[0]++;
                    so[1] += envelope.datagramLength();
                    decoded.decode(envelope, taker);
                }
                return so[0] < ReportQuery.MAX_LIMIT && so[1] < ReportPage.MAX_SIZE;
            });
            unreached = merge.unreached();
            return next == null;
        }

        @Override
        public List<Unreached> unreached() {
            return unreached;
        }
    }

    // Live
    // --------------------------------------------------------------------------------------------------------------

    private Reply stream(Request request) throws Problem {
        Map<String, String> query = request.query();
        Filter _ = ReportQuery.filter(
                query, InventoryNames.of(shown.service().config().inventory()));
        int rate = request.number("rate");
        SplittableRandom random = new SplittableRandom(shown.nowNanos());
        return listeners.feed(
                "pathlore-edge-tail",
                listener -> new EdgeTail(
                                edges, query.getOrDefault("filter", ""), rate, random, ReportTail.Hearer.of(listener))
                        .run());
    }

    @Override
    public void close() {
        listeners.close();
    }
}
