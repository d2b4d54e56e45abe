package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The routes every collector has. */
final class Routes {
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 10_000;
    private static final int MAX_CURSOR_LENGTH = 256;

    private Routes() {}

    static List<Route> of(Sources sources, MetricSource own) {
        return List.of(
                Route.get("/api/v1/status", Role.VIEWER, request -> {
                    only(request, Set.of());
                    return Reply.json(200, sources.status().statusJson());
                }),
                Route.get("/api/v1/ledger", Role.VIEWER, request -> {
                    only(request, Set.of());
                    return Reply.json(200, sources.ledgers().ledgerJson());
                }),
                Route.get(
                        "/api/v1/exporters",
                        Role.VIEWER,
                        request -> Reply.json(200, sources.exporters().exportersJson(page(request)))),
                Route.get("/metrics", Role.VIEWER, request -> {
                    MetricWriter out = new MetricWriter();
                    own.write(out);
                    sources.metrics().write(out);
                    return new Reply.Content(
                            200, MetricWriter.CONTENT_TYPE, out.finish().getBytes(StandardCharsets.UTF_8));
                }),
                Route.get(
                        "/healthz",
                        null,
                        request -> health(request, sources.health().checks(), true)),
                Route.get(
                        "/readyz",
                        null,
                        request -> health(request, sources.health().checks(), false)));
    }

    /** Everybody is told whether; only who may read is told why. */
    private static Reply health(Request request, List<Sources.Check> checks, boolean vitalOnly) {
        List<Sources.Check> asked =
                checks.stream().filter(check -> check.vital() || !vitalOnly).toList();
        boolean good = asked.stream().allMatch(Sources.Check::good);
        JsonText json = new JsonText().open('{').name("status").value(good ? "ok" : "failed");
        if (request.mayRead()) {
            json.name("checks").open('[');
            for (Sources.Check check : asked) {
                json.open('{').name("name").value(check.name()).name("ok").value(check.good());
                json.name("detail").value(check.detail()).close('}');
            }
            json.close(']');
        }
        return Reply.json(good ? 200 : 503, json.close('}').toString());
    }

    private static Sources.Page page(Request request) throws Problem {
        only(request, Set.of("limit", "cursor"));
        Map<String, String> query = request.query();
        String cursor = query.get("cursor");
        if (cursor != null && cursor.length() > MAX_CURSOR_LENGTH) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        String text = query.getOrDefault("limit", Integer.toString(DEFAULT_LIMIT));
        if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > MAX_LIMIT) {
            throw new Problem(400, "limit: a number from 1 to " + MAX_LIMIT);
        }
        return new Sources.Page(Integer.parseInt(text), cursor);
    }

    /** A parameter that is not understood must not be passed over: the answer would be to another question. */
    private static void only(Request request, Set<String> known) throws Problem {
        if (!known.containsAll(request.query().keySet())) {
            throw new Problem(
                    400, "this route takes " + (known.isEmpty() ? "no parameters" : "only " + new TreeSet<>(known)));
        }
    }
}
