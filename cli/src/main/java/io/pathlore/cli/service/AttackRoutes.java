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

/** Who is attacked, by whom, and where the reports are that show it. */
final class AttackRoutes {
    private static final long SECOND = 1_000_000_000L;

    private final Collector collector;
    private final EventBook events;

    AttackRoutes(Collector collector, EventBook events) {
        this.collector = collector;
        this.events = events;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/attacks", Role.VIEWER, this::list),
                Route.get("/api/v1/attacks/{id}", Role.VIEWER, this::one));
    }

    private Inventory inventory() {
        return collector.service().config().inventory();
    }

    private Reply list(Request request) throws Problem {
        EventQuery query = EventQuery.of(request, EventKind.ATTACK, InventoryNames.of(inventory()));
        JsonText json = new JsonText().open('{').name("items").open('[');
        events.newest(query.limit(), query::wants).forEach(entry -> json.raw(item(entry, inventory())));
        return Reply.json(200, json.close(']').close('}').toString());
    }

    private Reply one(Request request) throws Problem {
        ReportQuery.known(request.query(), Set.of());
        String id = request.path().getOrDefault("id", "");
        if (!id.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "id: not one of an attack; those have 16 hex digits");
        }
        EventBook.Entry entry = events.find(EventId.parse(id));
        if (entry == null || entry.event().kind() != EventKind.ATTACK) {
            throw new Problem(404, "no such attack: the last ten thousand events are kept");
        }
        return Reply.json(200, item(entry, inventory()));
    }

    /** The event, with names, and what to ask {@code reports} for. */
    static String item(EventBook.Entry entry, Inventory inventory) {
        if (!(entry.event().details() instanceof Attack attack)) {
            return entry.json();
        }
        JsonLine more = new JsonLine();
        more.begin().text("target", target(attack)).open("names");
        attack.sources().stream().map(AttackSource::firstNode).distinct().forEach(node -> {
            Inventory.Node known = inventory.byId(node);
            if (known != null && known.name() != null) {
                more.text(Long.toString(node), known.name());
            }
        });
        more.close()
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
