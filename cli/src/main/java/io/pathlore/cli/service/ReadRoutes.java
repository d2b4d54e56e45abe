package io.pathlore.cli.service;

import io.pathlore.cli.network.NetworkRoutes;
import io.pathlore.serve.Route;
import java.util.ArrayList;
import java.util.List;

/** What can be asked where nothing is received and nothing is defended. */
final class ReadRoutes {
    private ReadRoutes() {}

    static List<Route> of(Shown shown, Tables tables, EventBook events, List<Route> reports) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new EventRoutes(shown, events).routes());
        ShownTraffic traffic = new ShownTraffic(tables, events, new AttackTraffic());
        routes.addAll(new AttackRoutes(shown, events, _ -> Defence.Planned.NOTHING, _ -> List.of(), traffic).routes());
        routes.addAll(reports);
        routes.addAll(new TableRoutes(tables).routes());
        routes.addAll(NetworkRoutes.of(new ShownTables(tables, shown)));
        routes.add(FilterRoute.complete(() -> shown.service().config().inventory()));
        return routes;
    }
}
