package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.serve.EventStream;
import io.pathlore.serve.Listener;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.wire.tree.TreeNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What was received, from the journal. Requests are answered by few threads of their own: reading and decoding take a processor for a
 * while, which the virtual threads of HTTP must not.
 */
final class ReportRoutes implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int WAITING = 14;
    private static final long IDLE_SECONDS = 10;

    static final int LISTENERS = 8;
    static final int QUEUE = 4_096;
    static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int DEFAULT_RATE = 50;
    private static final int MAX_RATE = 1_000;

    static final Operation ONE = Operation.of(ReportQuery.GROUP, "One report, with its datagram")
            .at(Parameter.text("id", "EDGE-POSITION-ORDINAL, as in `id` of a report"))
            .takes(
                    Parameter.choice("tree", "what each octet means", "false", "true"),
                    Parameter.choice("format", "`pcap`: as a capture", "json", "pcap"))
            .answers("Report")
            .answers(200, ReportPage.CAPTURE_TYPE, "")
            .refuses(404, 409);
    static final Operation LIVE = Operation.of(
                    ReportQuery.GROUP,
                    "Reports as they come: server-sent events, `event: report`, and once a second `event: rate`")
            .takes(
                    Parameter.filter("reports"),
                    Parameter.number("rate", "so many a second at most", 1, MAX_RATE, DEFAULT_RATE))
            .answers(200, "text/event-stream", "")
            .refuses(409);

    private final Shown shown;
    private final ReportPage.Budget budget;
    private final EventStream<Void> listeners = new EventStream<>(LISTENERS, QUEUE, HEARTBEAT);
    private final ConcurrentLinkedQueue<JournalReports> idle = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor threads;

    ReportRoutes(Shown shown) {
        this(shown, ReportPage.Budget.DEFAULT);
    }

    ReportRoutes(Shown shown, ReportPage.Budget budget) {
        this.shown = shown;
        this.budget = budget;
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), task -> {
                    Thread thread = new Thread(task, "pathlore-reports");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** What was received. */
    List<Route> ofThePast() {
        return List.of(
                Route.get("/api/v1/reports", Role.VIEWER, this::list).is(ReportQuery.OPERATION),
                Route.get("/api/v1/reports/{id}", Role.VIEWER, this::one).is(ONE),
                Route.get("/api/v1/reports/{id}/packet", Role.VIEWER, this::packet)
                        .is(PacketAnswer.OPERATION));
    }

    /** What is being received. */
    Route live() {
        return Route.get("/api/v1/stream/reports", Role.VIEWER, this::stream).is(LIVE);
    }

    private Config config() {
        return shown.service().config();
    }

    private Path directory() throws Problem {
        Path kept = shown.kept();
        if (kept == null) {
            throw new Problem(409, shown.whyNothingIsKept());
        }
        return kept;
    }

    private Reply list(Request request) throws Problem {
        Config config = config();
        ReportQuery query = ReportQuery.of(request, InventoryNames.of(config.inventory()), shown.nowNanos());
        return read(reports -> ReportPage.answer(reports, config, query, budget));
    }

    private Reply one(Request request) throws Problem {
        boolean tree = "true".equals(request.query().get("tree"));
        boolean capture = "pcap".equals(request.query().get("format"));
        if (tree && capture) {
            throw new Problem(400, "tree: a capture has none");
        }
        ReportId id = id(request);
        Config config = config();
        String[] found = new String[1];
        return read(reports -> {
            JournalReader ignored = reports.begin(config, Filter.ALL).fromPosition(id.position());
            List<TreeNode> before = new ArrayList<>();
            boolean there = reports.next(at -> {
                boolean same = at.envelope().edgeId() == id.edge()
                        && at.envelope().position() == id.position()
                        && at.ordinal() == id.ordinal();
                if (same) {
                    found[0] = tree ? at.jsonWithTree(before) : at.json(true);
                } else if (tree && at.ordinal() < id.ordinal()) {
                    before.addAll(at.tree());
                }
            });
            if (!there || found[0] == null) {
                throw notThere();
            }
            return capture ? ReportPage.capture(reports.envelope()) : Reply.json(200, found[0]);
        });
    }

    static ReportId id(Request request) throws Problem {
        ReportId id = ReportId.parse(request.path().getOrDefault("id", ""));
        if (id == null) {
            throw new Problem(400, "id: not one of a report; those are like 00c0ffee00c0ffee-1099511627776-0");
        }
        return id;
    }

    private static Problem notThere() {
        return new Problem(404, "no such report: the journal does not have it, or no longer");
    }

    private Reply packet(Request request) throws Problem {
        ReportId id = id(request);
        Config config = config();
        long join = shown.service().analysis().join().toNanos();
        return read(reports -> {
            Reply found = PacketAnswer.of(PacketAnswer.in(reports, config, budget), config, id, join);
            if (found == null) {
                throw notThere();
            }
            return found;
        });
    }

    @FunctionalInterface
    private interface Reading {
        Reply from(JournalReports reports) throws IOException, Problem;
    }

    private Reply read(Reading reading) throws Problem {
        Path directory = directory();
        Future<Reply> answer;
        try {
            answer = threads.submit(() -> read(reading, directory));
        } catch (RejectedExecutionException e) {
            throw new Problem(503, "too many questions about reports at once: try again");
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Problem problem) {
                throw problem;
            }
            if (e.getCause() instanceof IOException unreadable) {
                throw new Problem(500, "the journal cannot be read: " + unreadable.getMessage());
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(false);
            Thread.currentThread().interrupt();
            throw new Problem(503, "the time of this request is over");
        }
    }

    private Reply read(Reading reading, Path directory) throws IOException, Problem {
        JournalReports kept = idle.poll();
        JournalReports reports = kept == null ? new JournalReports(directory) : kept;
        try {
            return reading.from(reports);
        } finally {
            reports.close();
            if (idle.size() < THREADS) {
                idle.add(reports);
            }
        }
    }

    private Reply stream(Request request) throws Problem {
        Map<String, String> query = request.query();
        Path directory = directory();
        Config config = config();
        Filter filter = ReportQuery.filter(query, InventoryNames.of(config.inventory()));
        int rate = request.number("rate");
        long since = shown.nowNanos(); // not when its thread comes to run
        return listeners.feed("pathlore-report-tail", listener -> {
            tail(directory, config, filter, since, new EvenChoice(rate, new SplittableRandom(since)), listener);
        });
    }

    private void tail(Path directory, Config config, Filter filter, long since, EvenChoice choice, Listener listener)
            throws InterruptedException {
        try (JournalReports reports = new JournalReports(directory)) {
            JournalReader reader = reports.begin(config, filter).between(since, Long.MAX_VALUE);
            ReportTail.Hearer hearer = ReportTail.Hearer.of(listener);
            new ReportTail(reports, reader, choice, hearer, shown::nowNanos, ReportTail.WORK_NANOS).run();
        } catch (IOException e) {
            shown.notes().warn("tail", "the journal cannot be followed: " + e.getMessage());
        }
    }

    /** Those who listen to reports now. */
    int listeners() {
        return listeners.clients();
    }

    @Override
    public void close() {
        listeners.close();
        threads.shutdownNow();
    }
}
