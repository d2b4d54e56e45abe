package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.model.EventId;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.List;
import java.util.Set;

/** What happened lately, and what happens. */
final class EventRoutes {
    private final Collector collector;
    private final EventBook events;

    EventRoutes(Collector collector, EventBook events) {
        this.collector = collector;
        this.events = events;
    }

    List<Route> routes() {
        return List.of(
                Route.get(
                        "/api/v1/events",
                        Role.VIEWER,
                        request -> EventQuery.of(request, names()).answer(events)),
                Route.get("/api/v1/events/{id}", Role.VIEWER, this::one),
                Route.get(
                        "/api/v1/stream/events",
                        Role.VIEWER,
                        request -> events.stream().listen(EventQuery.ofStream(request, names())::wants)));
    }

    private Names names() {
        return InventoryNames.of(collector.service().config().inventory());
    }

    private Reply one(Request request) throws Problem {
        ReportQuery.known(request.query(), Set.of());
        String id = request.path().getOrDefault("id", "");
        if (!id.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "id: not one of an event; those have 16 hex digits");
        }
        EventBook.Entry entry = events.find(EventId.parse(id));
        if (entry == null) {
            throw new Problem(404, "no such event: the last ten thousand are kept");
        }
        return Reply.json(200, entry.json());
    }
}
