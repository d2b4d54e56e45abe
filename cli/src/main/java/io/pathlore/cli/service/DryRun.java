package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.plan.Plan;
import io.pathlore.analysis.plan.Proposal;
import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.enforcer.RuleText;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What would have been decided about the attacks of a recording. Nobody is told of it. */
public final class DryRun {
    private static final int KEPT = 10_000;

    /** One rule of one attack is proposed once, however often the attack is told of. */
    private record Key(EventId attack, Rule rule, String enforcer) {}

    private final Planning planning;
    private final Decisions decisions = new Decisions(KEPT);
    private final Map<Key, Proposal> proposals = new LinkedHashMap<>();

    public DryRun(Service service) {
        planning = new Planning(service);
    }

    public void on(Event event) {
        if (event.details() instanceof Attack) {
            Plan plan = planning.plan(event);
            decisions.on(event, plan);
            for (Proposal one : plan.proposals()) {
                if (proposals.size() < KEPT && one.refusal().isEmpty()) {
                    proposals.putIfAbsent(new Key(one.attack(), one.rule(), one.enforcer()), one);
                }
            }
        }
    }

    /** In the order in which they would have been made. */
    public List<Proposal> proposals() {
        return List.copyOf(proposals.values());
    }

    /** All that would have been decided, in order, as the running collector tells it of its own. */
    public List<String> decisions() {
        return decisions.json(_ -> true);
    }

    /** As it would stand in the ledger. */
    public static String json(Proposal proposal) {
        JsonLine json = new JsonLine().begin().text("attack", proposal.attack().toString());
        RuleText.write(json, proposal.rule());
        return json.text("enforcer", proposal.enforcer())
                .number("node", proposal.node())
                .text("reason", proposal.reason())
                .bool("mayActAlone", proposal.mayActAlone())
                .texts("objections", proposal.objections())
                .end()
                .strip();
    }
}
