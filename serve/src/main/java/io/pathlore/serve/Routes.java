package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The routes every collector has. */
final class Routes {
    private static final String COLLECTOR = "Collector";
    private static final String PROCESS = "Process";

    private Routes() {}

    static List<Route> of(Sources sources, MetricSource own) {
        return List.of(
                Route.get(
                                "/api/v1/status",
                                Role.VIEWER,
                                request -> Reply.json(200, sources.status().statusJson()))
                        .is(Operation.of(COLLECTOR, "What runs, and how it is").answers("Status")),
                Route.get(
                                "/api/v1/ledger",
                                Role.VIEWER,
                                request -> Reply.json(200, sources.ledgers().ledgerJson()))
                        .is(Operation.of(COLLECTOR, "What became of every datagram")
                                .answers("Ledger")),
                Route.get(
                                "/api/v1/exporters",
                                Role.VIEWER,
                                request -> Reply.json(200, sources.exporters().exportersJson(page(request))))
                        .is(Operation.of(COLLECTOR, "Who sends, in the order of addresses")
                                .takes(Parameter.LIMIT, Parameter.CURSOR)
                                .answers("ExporterList")),
                Route.get("/metrics", Role.VIEWER, request -> metrics(sources, own))
                        .is(Operation.of(PROCESS, "Metrics in Prometheus' text format")
                                .answers(200, MetricWriter.CONTENT_TYPE, "")),
                Route.get("/healthz", null, request -> health(request, sources, true))
                        .is(Operation.of(
                                        PROCESS, "Whether it works: where a vital check fails, start the process again")
                                .answers("Health")
                                .answers(503, "application/json", "Health")),
                Route.get("/readyz", null, request -> health(request, sources, false))
                        .is(Operation.of(PROCESS, "Whether all of it works")
                                .answers("Health")
                                .answers(503, "application/json", "Health")));
    }

    private static Reply metrics(Sources sources, MetricSource own) {
        MetricWriter out = new MetricWriter();
        own.write(out);
        sources.metrics().write(out);
        return new Reply.Content(200, MetricWriter.CONTENT_TYPE, out.finish().getBytes(StandardCharsets.UTF_8));
    }

    private static Sources.Page page(Request request) {
        return new Sources.Page(request.number("limit"), request.query().get("cursor"));
    }

    /** Everybody is told whether; only who may read is told why. */
    private static Reply health(Request request, Sources sources, boolean vitalOnly) {
        List<Sources.Check> asked = sources.health().checks().stream()
                .filter(check -> check.vital() || !vitalOnly)
                .toList();
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
}
