package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.plan.RuleFilter;
import io.pathlore.cli.Protocols;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventId;
import io.pathlore.model.EventKind;
import io.pathlore.model.JsonLine;
import io.pathlore.model.RuleMatch;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Who is attacked, by whom, and where the reports are that show it. */
final class AttackRoutes {
    private static final String GROUP = "Attacks";
    private static final long SECOND = 1_000_000_000L;

    private final Shown shown;
    private final EventBook events;
    private final Function<EventId, Defence.Planned> planned;
    private final Function<EventId, List<String>> decisions;
    private final ShownTraffic traffic;

    /**
     * @param planned what planning said of an attack last
     * @param decisions all that it said of one, as JSON
     */
    AttackRoutes(
            Shown shown,
            EventBook events,
            Function<EventId, Defence.Planned> planned,
            Function<EventId, List<String>> decisions,
            ShownTraffic traffic) {
        this.decisions = decisions;
        this.shown = shown;
        this.events = events;
        this.planned = planned;
        this.traffic = traffic;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/attacks", Role.VIEWER, this::list)
                        .is(Operation.of(GROUP, "Attacks, the newest first, with what planning said of them")
                                .takes(
                                        Parameter.text("id", "of this id only"),
                                        EventQuery.FILTER,
                                        EventQuery.SINCE,
                                        EventQuery.UNTIL,
                                        Parameter.LIMIT,
                                        Parameter.CURSOR)
                                .answers("AttackList")),
                Route.get("/api/v1/attacks/{id}", Role.VIEWER, this::one)
                        .is(Operation.of(GROUP, "One attack, as it was told last")
                                .at(EventRoutes.ID)
                                .answers("Attack")
                                .refuses(404)),
                Route.get("/api/v1/attacks/{id}/traffic", Role.VIEWER, this::traffic)
                        .is(Operation.of(GROUP, "How much of it came in and how much was stopped, in steps of time")
                                .at(EventRoutes.ID)
                                .answers("AttackTraffic")
                                .refuses(404)));
    }

    private Inventory inventory() {
        return shown.service().config().inventory();
    }

    private Reply list(Request request) throws Problem {
        return EventQuery.of(request, EventKind.ATTACK, InventoryNames.of(inventory()))
                .answer(events, request, this::item);
    }

    private static EventId id(Request request) throws Problem {
        String id = request.path().getOrDefault("id", "");
        if (!id.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "id: not one of an attack; those have 16 hex digits");
        }
        return EventId.parse(id);
    }

    private Reply traffic(Request request) throws Problem {
        return Reply.json(200, traffic.json(id(request)));
    }

    private Reply one(Request request) throws Problem {
        EventBook.Entry entry = events.find(id(request));
        if (entry == null || entry.event().kind() != EventKind.ATTACK) {
            throw new Problem(404, "no such attack: the last ten thousand events are kept");
        }
        String item = item(entry);
        return Reply.json(
                200,
                item.substring(0, item.length() - 1) + ",\"decisions\":["
                        + String.join(",", decisions.apply(entry.event().id())) + "]}");
    }

    /** The event, with names, what to ask {@code reports} for, and what planning said of it. */
    private String item(EventBook.Entry entry) {
        if (!(entry.event().details() instanceof Attack attack)) {
            return entry.json();
        }
        Inventory inventory = inventory();
        Defence.Planned said = planned.apply(entry.event().id());
        JsonLine more = new JsonLine();
        more.begin().text("target", target(attack)).open("names");
        Stream.of(
                        attack.sources().stream().map(AttackSource::firstNode),
                        attack.hops().stream(),
                        attack.reporters().stream())
                .flatMap(Function.identity())
                .distinct()
                .forEach(node -> {
                    Inventory.Node known = inventory.byId(node);
                    if (known != null && known.name() != null) {
                        more.text(Long.toString(node), known.name());
                    }
                });
        more.close()
                .texts("refusals", said.refusals())
                .texts("objections", said.objections())
                .open("evidence")
                .text("filter", evidence(attack))
                .time("since", entry.event().startNanos() - SECOND)
                .time("until", last(entry.event(), attack) + SECOND)
                .close();
        String added = more.end().strip();
        return entry.json().substring(0, entry.json().length() - 1) + "," + added.substring(1);
    }

    private static long last(Event event, Attack attack) {
        return event.endNanos() == Event.OPEN ? attack.lastNanos() : event.endNanos();
    }

    private static String target(Attack attack) {
        String protocol = Protocols.name(attack.protocol());
        return attack.victim()
                + (attack.port() == Event.ABSENT ? "" : " port " + attack.port())
                + (protocol == null ? "" : " " + protocol);
    }

    /** Later fragments have no ports. */
    private static String evidence(Attack attack) {
        boolean hasPort = attack.port() != Event.ABSENT && attack.vector() != AttackVector.FRAGMENT_FLOOD;
        return RuleFilter.of(new RuleMatch(
                RuleMatch.ANY, null, attack.victim(), attack.protocol(), hasPort ? attack.port() : RuleMatch.ANY));
    }
}
