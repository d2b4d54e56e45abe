package io.pathlore.analysis.plan;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * From an attack to the rules that would stop it: for each device one, as near to it as somebody can make a rule hold. The same attack
 * and network give the same plan. Does nothing itself.
 */
public final class Planner {
    private static final int AGREEING = 2;
    private static final int WHOLE = 10_000;
    private static final double PERCENT = 100;
    private static final int TCP = 6;

    /** Of what it takes now, a service keeps so much where friend and foe cannot be told apart. */
    private static final int KEPT = 10;

    private final Network network;
    private final RuleValidator validator;

    public Planner(Network network, RuleValidator validator) {
        this.network = network;
        this.validator = validator;
    }

    /** Of an event that is no attack, or over, nothing. */
    public Plan plan(Event event) {
        if (!(event.details() instanceof Attack attack) || event.endNanos() != Event.OPEN) {
            return new Plan(List.of(), List.of());
        }
        List<Proposal> proposals = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        if (attack.sources().isEmpty()) {
            refusals.add("no device is known that takes part");
        }
        List<String> evidence = evidence(attack);
        for (AttackSource source : attack.sources()) {
            plan(event, attack, source, evidence, proposals, refusals);
        }
        proposals.sort(
                Comparator.comparingLong((Proposal one) -> -one.perSecond()).thenComparing(Proposal::blastRadius));
        return new Plan(proposals, refusals);
    }

    private void plan(
            Event event,
            Attack attack,
            AttackSource source,
            List<String> evidence,
            List<Proposal> proposals,
            List<String> refusals) {
        Place place = place(attack, source);
        if (place == null) {
            refusals.add(source.device() + ": no enforcer serves node " + source.firstNode()
                    + " or another on the way; see defend.enforcers");
            return;
        }
        Rule rule = place.rule;
        RuleMatch match = rule.match();
        boolean named = isNamed(match);
        long perSecond = attack.perSecond() * source.share() / WHOLE;
        if (proposals.stream()
                .anyMatch(one -> one.rule().equals(rule) && one.enforcer().equals(place.enforcer))) {
            return; // without a device, those of one node or address are one rule
        }
        String refusal = validator.refusal(rule, false);
        if (refusal != null) {
            refusals.add(source.device() + ": " + refusal);
        }
        List<String> objections = new ArrayList<>(evidence);
        String capacity = capacity(attack, source, perSecond);
        if (capacity != null) {
            objections.add(capacity);
        }
        if (!named) {
            objections.add("neither the device nor its address is known: others would be hit too");
        }
        String alone = validator.refusal(rule, true);
        if (alone != null && refusal == null) {
            objections.add(alone);
        }
        proposals.add(new Proposal(
                event.id(),
                rule,
                place.node,
                place.enforcer,
                reason(attack, source, perSecond, place.node),
                attack.confidence(),
                perSecond,
                objections,
                refusal == null ? "" : refusal,
                RuleFilter.of(match)));
    }

    private record Place(long node, String enforcer, Rule rule) {}

    /**
     * The first node that met the device's packets, else another on the way of the attack; there, the first enforcer that can tell these
     * packets from others. Where none can, the first is to say why.
     */
    private @Nullable Place place(Attack attack, AttackSource source) {
        List<Rule> ways = ways(attack, source);
        Place first = null;
        List<Long> nodes = new ArrayList<>(attack.hops());
        nodes.remove(Long.valueOf(source.firstNode()));
        nodes.addFirst(source.firstNode());
        for (long node : nodes) {
            for (String enforcer : network.enforcers(node)) {
                for (Rule way : ways) {
                    if (network.canSay(enforcer, way)) {
                        return new Place(node, enforcer, way);
                    }
                }
                first = first == null ? new Place(node, enforcer, ways.getFirst()) : first;
            }
        }
        return first;
    }

    /** How it can be said what is to be stopped, the narrowest first. */
    private static List<Rule> ways(Attack attack, AttackSource source) {
        Prefix victim = attack.victim();
        int port = attack.port() == Event.ABSENT ? RuleMatch.ANY : attack.port();
        List<Rule> ways = new ArrayList<>();
        if (source.mac() != AttackSource.ABSENT) {
            ways.add(Rule.drop(new RuleMatch(source.mac(), null, victim, attack.protocol(), port)));
            // Some know devices and where their packets go, and nothing else: who judges and who approves sees the rule
            // as it is.
            ways.add(Rule.drop(new RuleMatch(source.mac(), null, victim, RuleMatch.ANY, port)));
        }
        if (source.address() != null) {
            ways.add(Rule.drop(new RuleMatch(RuleMatch.ANY, source.address(), victim, attack.protocol(), port)));
        }
        if (ways.isEmpty()) {
            RuleMatch match = new RuleMatch(RuleMatch.ANY, null, victim, attack.protocol(), port);
            // Who connects over TCP may be anybody where neither device nor address is known: some of it has to pass.
            ways.add(attack.protocol() == TCP ? new Rule(match, kept(attack)) : Rule.drop(match));
        }
        return ways;
    }

    private static boolean isNamed(RuleMatch match) {
        return match.device() != RuleMatch.ANY || match.source() != null;
    }

    private static long kept(Attack attack) {
        long bytes = attack.bytesPerSecond() == Event.ABSENT ? 0 : attack.bytesPerSecond();
        return Math.max(1, bytes / KEPT);
    }

    /** Why what is known is not enough to act upon without asking. */
    private List<String> evidence(Attack attack) {
        List<String> objections = new ArrayList<>();
        if (attack.vector() == AttackVector.SCAN) {
            objections.add("a scan takes no room; an operator decides whether it is one of theirs");
        }
        if (attack.reporters().isEmpty()) {
            objections.add("nobody knows which node reports it");
        }
        for (long node : attack.reporters()) {
            if (!network.isBound(node)) {
                objections.add(
                        "node " + node + " reports it and is not bound to its addresses; give them in inventory");
            }
        }
        if (attack.windows() < Attack.SUSTAINED) {
            objections.add("it has been above the limit in " + attack.windows() + " windows; " + Attack.SUSTAINED
                    + " are needed");
        }
        boolean agreed = attack.reporters().size() >= AGREEING || attack.hops().size() >= AGREEING;
        if (!agreed && !network.isOneReporterEnough()) {
            objections.add("only one node tells of it");
        }
        return objections;
    }

    /** No device sends more than its link can carry: who says so is wrong, or lies. */
    private @Nullable String capacity(Attack attack, AttackSource source, long perSecond) {
        long speed = network.bitsPerSecond(source.firstNode(), source.ingress());
        if (speed == Network.UNKNOWN) {
            return "the speed of " + place(source)
                    + " is not known, so the rate cannot be checked; give it in inventory";
        }
        double least = attack.bytesPerSecond() == Event.ABSENT
                ? perSecond * 20.0
                : (double) attack.bytesPerSecond() * source.share() / WHOLE;
        return least * 8 > speed
                ? String.format(
                        Locale.ROOT,
                        "%,.0f bit/s are said to come in by %s, which can carry %,d",
                        least * 8,
                        place(source),
                        speed)
                : null;
    }

    private static String place(AttackSource source) {
        return "node " + source.firstNode()
                + (source.ingress() == AttackSource.ABSENT ? "" : " interface " + source.ingress());
    }

    private static String reason(Attack attack, AttackSource source, long perSecond, long node) {
        return String.format(
                Locale.ROOT,
                "%s of %s%s: %s sends %.0f %% of it, %,d %s/s%s; stopped at node %d",
                attack.vector().label(),
                attack.victim(),
                attack.port() == Event.ABSENT ? "" : " port " + attack.port(),
                source.device(),
                source.share() / PERCENT,
                perSecond,
                attack.packets() ? "packets" : "reports",
                source.spoofed() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %.0f %% with forged addresses", source.spoofed() / PERCENT),
                node);
    }
}
