package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.model.EventId;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.List;

/** What happened lately, and what happens. */
final class EventRoutes {
    /** Of events, and of flows. */
    static final Parameter ID = Parameter.text("id", "16 hex digits", "[0-9a-f]{16}");

    private static final String GROUP = "Events";

    private final Shown shown;
    private final EventBook events;

    EventRoutes(Shown shown, EventBook events) {
        this.shown = shown;
        this.events = events;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/events", Role.VIEWER, this::list)
                        .is(Operation.of(GROUP, "What happened lately, the newest first; each as it was told last")
                                .takes(
                                        EventQuery.KIND,
                                        EventQuery.FILTER,
                                        EventQuery.SINCE,
                                        EventQuery.UNTIL,
                                        Parameter.LIMIT,
                                        Parameter.CURSOR)
                                .answers("EventList")),
                Route.get("/api/v1/events/{id}", Role.VIEWER, this::one)
                        .is(Operation.of(GROUP, "One event, as it was told last")
                                .at(ID)
                                .answers("Event")
                                .refuses(404)),
                Route.get("/api/v1/stream/events", Role.VIEWER, this::stream)
                        .is(Operation.of(GROUP, "Events as they are found: server-sent events, `event: event`")
                                .takes(EventQuery.KIND, EventQuery.FILTER)
                                .answers(200, "text/event-stream", "")));
    }

    private Reply list(Request request) throws Problem {
        return EventQuery.of(request, names()).answer(events, request, EventBook.Entry::json);
    }

    private Reply stream(Request request) throws Problem {
        return events.stream().listen(EventQuery.of(request, names())::wants);
    }

    private Names names() {
        return InventoryNames.of(shown.service().config().inventory());
    }

    private Reply one(Request request) throws Problem {
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
