package io.pathlore.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.client.ServerEvents;
import io.pathlore.serve.JsonText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tells one listener of reports as the edges tell of them. Each edge chooses at most as many as are wanted of all of them, and of those that
 * come here as many are chosen again.
 */
final class EdgeTail {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration TICK = Duration.ofMillis(1_000 / EvenChoice.TICKS_PER_SECOND);
    private static final int MAX_PAUSE_SECONDS = 8;

    /** An edge gives a sign of life every 15 seconds. */
    private static final long SILENCE_NANOS = 45_000_000_000L;

    private final Edges edges;
    private final String path;
    private final EvenChoice choice;
    private final ReportTail.Hearer listener;
    private final List<Follower> followers = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    EdgeTail(Edges edges, String filter, int rate, RandomGenerator random, ReportTail.Hearer listener) {
        this.edges = edges;
        this.listener = listener;
        choice = new EvenChoice(rate, random);
        path = "/api/v1/stream/reports?rate=" + rate
                + (filter.isBlank() ? "" : "&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));
    }

    /** Until nobody listens. */
    void run() throws InterruptedException {
        for (Edge edge : edges.all()) {
            Follower follower = new Follower(edge);
            followers.add(follower);
            edges.threads().execute(follower::run);
        }
        try {
            while (listener.stays(TICK)) {
                if (!tick()) {
                    return;
                }
            }
        } finally {
            over.countDown();
            followers.forEach(Follower::close);
        }
    }

    private boolean tick() {
        List<String> chosen;
        String rate = null;
        synchronized (choice) {
            chosen = choice.tick();
            if (choice.secondIsOver()) {
                rate = rate();
                choice.nextSecond();
            }
        }
        for (String json : chosen) {
            if (!listener.tell("report", json)) {
                return false;
            }
        }
        return rate == null || listener.tell("rate", rate);
    }

    private String rate() {
        long matching = 0;
        long seen = 0;
        long skipped = 0;
        double behind = 0;
        List<Unreached> unreached = new ArrayList<>();
        for (Follower follower : followers) {
            follower.closeIfSilent();
            String why = follower.trouble;
            if (!why.isEmpty()) {
                unreached.add(new Unreached(follower.edge.name(), why));
            }
            JsonNode rate = follower.rate.path("seen").isNumber() ? follower.rate : MAPPER.createObjectNode();
            follower.rate = MAPPER.createObjectNode();
            matching += rate.path("matching").asLong();
            seen += rate.path("seen").asLong();
            skipped += rate.path("skipped").asLong();
            behind = Math.max(behind, finite(rate.path("behind").asDouble()));
        }
        JsonText json = new JsonText().open('{');
        json.name("shown").value(choice.shown());
        json.name("matching").value(Math.max(matching, choice.shown()));
        json.name("seen").value(Math.max(seen, choice.shown()));
        json.name("behind").value(behind);
        if (skipped > 0) {
            json.name("skipped").value(skipped);
        }
        Unreached.write(unreached, json);
        return json.close('}').toString();
    }

    private static double finite(double number) {
        return Double.isFinite(number) ? number : 0;
    }

    /** Listens to one edge, and again when the connection is lost. */
    private final class Follower {
        final Edge edge;
        volatile String trouble = "";
        volatile JsonNode rate = MAPPER.createObjectNode();
        private volatile @Nullable ServerEvents events;
        private volatile long heardTicks = System.nanoTime();

        Follower(Edge edge) {
            this.edge = edge;
        }

        void run() {
            int pause = 1;
            try {
                do {
                    try (ServerEvents stream = edge.stream(path)) {
                        events = stream;
                        heardTicks = System.nanoTime();
                        trouble = "";
                        pause = 1;
                        follow(stream);
                        trouble = "has ended the stream; it is listened to again";
                    } catch (EdgeException e) {
                        trouble = e.why();
                    } catch (IOException e) {
                        trouble = "the connection is lost; it is listened to again";
                    }
                    events = null;
                    pause = Math.min(2 * pause, MAX_PAUSE_SECONDS);
                } while (!over.await(pause, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void follow(ServerEvents stream) throws IOException, EdgeException {
            for (ServerEvents.Message message = stream.next();
                    message != null && over.getCount() > 0;
                    message = stream.next()) {
                heardTicks = System.nanoTime();
                switch (message.event()) {
                    case "report" -> offer(message.data());
                    case "rate" -> rate = MAPPER.readTree(message.data());
                    case "dropped" -> throw new EdgeException("more came than could be read; it is listened to again");
                    default -> {} // a sign of life, or something that is only known later
                }
            }
        }

        private void offer(String json) throws EdgeException {
            // It goes on only if it is one, whatever else it says.
            EdgeItem.Page page = EdgeItem.page("{\"items\":[" + json + "]}");
            if (page == null || page.items().size() != 1) {
                throw edge.strange("what it tells is no report");
            }
            synchronized (choice) {
                choice.offer(
                        () -> EdgeReportRoutes.withEdge(page.items().getFirst().json(), edge));
            }
        }

        void closeIfSilent() {
            if (System.nanoTime() - heardTicks > SILENCE_NANOS) {
                close();
            }
        }

        void close() {
            ServerEvents stream = events;
            if (stream != null) {
                try {
                    stream.close();
                } catch (IOException e) {
                    // It is gone, which is what was wanted.
                }
            }
        }
    }
}
