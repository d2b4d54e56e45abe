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
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Who is attacked, by whom, and where the reports are that show it. */
final class AttackRoutes {
    private static final long SECOND = 1_000_000_000L;

    private final Collector collector;
    private final EventBook events;
    private final Defence defence;

    AttackRoutes(Collector collector, EventBook events, Defence defence) {
        this.collector = collector;
        this.events = events;
        this.defence = defence;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/attacks", Role.VIEWER, this::list),
                Route.get("/api/v1/attacks/{id}", Role.VIEWER, this::one),
                Route.get("/api/v1/attacks/{id}/traffic", Role.VIEWER, this::traffic));
    }

    private Inventory inventory() {
        return collector.service().config().inventory();
    }

    private Reply list(Request request) throws Problem {
        EventQuery query = EventQuery.of(request, EventKind.ATTACK, InventoryNames.of(inventory()));
        JsonText json = new JsonText().open('{').name("items").open('[');
        events.newest(query.limit(), query::wants).forEach(entry -> json.raw(item(entry)));
        return Reply.json(200, json.close(']').close('}').toString());
    }

    private static EventId id(Request request) throws Problem {
        ReportQuery.known(request.query(), Set.of());
        String id = request.path().getOrDefault("id", "");
        if (!id.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "id: not one of an attack; those have 16 hex digits");
        }
        return EventId.parse(id);
    }

    private Reply traffic(Request request) throws Problem {
        String json = defence.traffic().json(id(request));
        if (json == null) {
            throw new Problem(404, "not counted by the second: a scan, or an attack before the last start");
        }
        return Reply.json(200, json);
    }

    private Reply one(Request request) throws Problem {
        EventBook.Entry entry = events.find(id(request));
        if (entry == null || entry.event().kind() != EventKind.ATTACK) {
            throw new Problem(404, "no such attack: the last ten thousand events are kept");
        }
        return Reply.json(200, item(entry));
    }

    /** The event, with names, what to ask {@code reports} for, and what planning said of it. */
    private String item(EventBook.Entry entry) {
        if (!(entry.event().details() instanceof Attack attack)) {
            return entry.json();
        }
        Inventory inventory = inventory();
        Defence.Planned planned = defence.planned(entry.event().id());
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
                .texts("refusals", planned.refusals())
                .texts("objections", planned.objections())
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
