package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.plan.Network;
import io.pathlore.analysis.plan.Plan;
import io.pathlore.analysis.plan.Planner;
import io.pathlore.analysis.plan.RuleValidator;
import io.pathlore.cli.config.Service;

/** What the configuration would have done about an attack. Asks nobody and does nothing: the same live and over a recording. */
final class Planning {
    private final Network network;
    private final RuleValidator validator;
    private final Planner planner;

    Planning(Service service) {
        network = new InventoryNetwork(service);
        validator = new RuleValidator(service.defend().neverBlock());
        planner = new Planner(network, validator);
    }

    Network network() {
        return network;
    }

    RuleValidator validator() {
        return validator;
    }

    Plan plan(Event attack) {
        return planner.plan(attack);
    }
}
