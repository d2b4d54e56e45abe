package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.plan.Plan;
import io.pathlore.analysis.plan.Proposal;
import io.pathlore.mitigate.enforcer.RuleText;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What planning decided about attacks, in order and in their time: which rules, with what against them, and why there is none. An attack is
 * told of again and again; what was decided before is not said twice. The same reports give the same decisions, live and over a recording.
 */
final class Decisions {
    /**
     * One of them.
     *
     * @param nanos stream time: when the attack was last seen to be above its limit
     * @param proposal null where there is no rule to speak of
     * @param refusal why there is none, or why it must not hold
     */
    record Decision(long nanos, EventId attack, @Nullable Proposal proposal, String refusal) {
        String json() {
            JsonLine json = new JsonLine().begin().time("time", nanos).text("attack", attack.toString());
            if (proposal != null) {
                RuleText.write(json, proposal.rule());
                json.text("enforcer", proposal.enforcer())
                        .number("node", proposal.node())
                        .text("reason", proposal.reason())
                        .number("perSecond", proposal.perSecond())
                        .share("confidence", proposal.confidence())
                        .bool("mayActAlone", proposal.mayActAlone())
                        .texts("objections", proposal.objections());
            }
            if (!refusal.isEmpty()) {
                json.text("refusal", refusal);
            }
            return json.end().strip();
        }
    }

    /** What a decision is about; the rule is null where it is why there is none. */
    private record Subject(EventId attack, @Nullable Rule rule, String enforcerOrRefusal) {}

    private final int most;
    private final Deque<Decision> log = new ArrayDeque<>();
    private final Map<Subject, List<String>> last = new LinkedHashMap<>();

    /** @param most that are kept; the oldest go first */
    Decisions(int most) {
        this.most = most;
    }

    synchronized void on(Event event, Plan plan) {
        if (!(event.details() instanceof Attack attack)) {
            return;
        }
        for (Proposal one : plan.proposals()) {
            Subject subject = new Subject(event.id(), one.rule(), one.enforcer());
            if (isNew(subject, one.objections())) {
                add(new Decision(attack.lastNanos(), event.id(), one, one.refusal()));
            }
        }
        for (String refusal : plan.refusals()) {
            boolean ofARule = plan.proposals().stream()
                    .anyMatch(one -> !one.refusal().isEmpty() && refusal.endsWith(one.refusal()));
            if (!ofARule && isNew(new Subject(event.id(), null, refusal), List.of())) {
                add(new Decision(attack.lastNanos(), event.id(), null, refusal));
            }
        }
    }

    private boolean isNew(Subject subject, List<String> objections) {
        List<String> before = last.put(subject, objections);
        if (last.size() > most) {
            last.remove(last.keySet().iterator().next());
        }
        return !objections.equals(before);
    }

    private void add(Decision decision) {
        if (log.size() == most) {
            log.removeFirst();
        }
        log.addLast(decision);
    }

    /** As JSON, the oldest first. */
    synchronized List<String> json(Predicate<EventId> attacks) {
        return log.stream()
                .filter(one -> attacks.test(one.attack()))
                .map(Decision::json)
                .toList();
    }
}
