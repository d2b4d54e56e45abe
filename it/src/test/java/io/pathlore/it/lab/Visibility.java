package io.pathlore.it.lab;

import io.pathlore.dataplane.scenario.TrafficEntry;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.AttackFact;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.watch.QueueRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * When each fact could first be known: "When a fact is visible" of docs/reference/events.md, rule by rule, over all reports that
 * came. Slow and plain; shares nothing with the recorder but the facts.
 */
final class Visibility {
    static final long ABSENT = Long.MIN_VALUE;

    private static final long FOREVER = Long.MAX_VALUE;
    private static final long SILENT_AFTER = 30 * Shipped.SECOND;
    private static final long LATENCY_REPORTS = 20;
    private static final long TTL_REASON = 26;
    /** Reports of one packet come together; the same identification later is another packet. */
    private static final long JOIN = Shipped.SECOND;

    private final Witness run;
    private final Map<String, List<Seen>> byFlow = new HashMap<>();
    private final Map<Long, List<Seen>> byNode = new HashMap<>();
    private final List<Seen> honest = new ArrayList<>();
    private final List<Seen> forged = new ArrayList<>();
    private final IdentityHashMap<Fact, Long> found = new IdentityHashMap<>();

    Visibility(Witness run) {
        this.run = run;
        for (Seen report : run.reports) {
            if (report.forged()) {
                forged.add(report);
                continue;
            }
            honest.add(report);
            if (report.flow() != null) {
                byFlow.computeIfAbsent(report.flow(), key -> new ArrayList<>()).add(report);
            }
            for (Long node : report.nodes()) {
                byNode.computeIfAbsent(node, key -> new ArrayList<>()).add(report);
            }
        }
    }

    long of(Fact fact) {
        // That of a path change is asked for again by every link it left.
        Long known = found.get(fact);
        if (known == null) {
            known = look(fact);
            found.put(fact, known);
        }
        return known;
    }

    private long look(Fact fact) {
        return switch (fact) {
            case Fact.PathChange change -> pathChange(change);
            case Fact.Loop loop -> first(ofFlow(loop.flow().id().toString()), loop, next(loop), looping());
            case Fact.Congestion congestion ->
                first(ofNode(congestion.node()), fact, next(fact), report -> shows(report, congestion));
            case Fact.Latency latency -> latency(latency);
            case Fact.Drops drops ->
                first(
                        ofNode(drops.node()),
                        fact,
                        next(fact),
                        report -> report.isFrom(drops.node())
                                && report.dropped()
                                && report.dropReason() != null
                                && report.dropReason() == drops.reason());
            case Fact.LinkDown down -> linkDown(down);
            case Fact.LinkUp up ->
                wasKnownDown(up)
                        ? first(ofNode(up.from().node()), fact, downAgain(up), report -> shows(report, up))
                        : ABSENT;
            case Fact.ReportLoss loss -> reportLoss(loss);
            case Fact.ExporterRestart restart ->
                first(
                        ofNode(restart.node()),
                        fact,
                        next(fact),
                        report -> report.isFrom(restart.node())
                                && report.hwId() == restart.hwId()
                                && !run.scenario.telemetry().reporting().transparentSecurity());
            case Fact.ExporterSilent silent -> silent(silent);
            case Fact.SpoofSuspected spoof -> first(forged, fact, next(fact), report -> report.isFrom(spoof.node()));
            case Fact.Attack attack -> attack(attack);
        };
    }

    private List<Seen> ofFlow(String flow) {
        return byFlow.getOrDefault(flow, List.of());
    }

    private List<Seen> ofNode(long node) {
        return byNode.getOrDefault(node, List.of());
    }

    private static long first(List<Seen> reports, Fact fact, long until, Predicate<Seen> shows) {
        for (Seen report : reports) {
            if (report.timeNanos() >= fact.span().startNanos() && report.timeNanos() < until && shows.test(report)) {
                return report.timeNanos();
            }
        }
        return ABSENT;
    }

    /** When the next fact of that kind and place begins. */
    private long next(Fact fact) {
        return startsAfter(
                fact, other -> other.kind() == fact.kind() && other.identity().equals(fact.identity()), 1);
    }

    private long startsAfter(Fact fact, Predicate<Fact> which, int nth) {
        return run.facts().stream()
                .filter(other -> other.span().startNanos() > fact.span().startNanos())
                .filter(which)
                .mapToLong(other -> other.span().startNanos())
                .sorted()
                .skip(nth - 1L)
                .findFirst()
                .orElse(FOREVER);
    }

    /** Whether reports had told of another way of the flow than the new one. */
    private boolean canBeKnown(Fact.PathChange change, String flow) {
        List<Fact.PathChange> changes = run.facts().stream()
                .filter(Fact.PathChange.class::isInstance)
                .map(Fact.PathChange.class::cast)
                .filter(other -> other.flow().id().toString().equals(flow))
                .filter(other -> other.span().startNanos() <= change.span().startNanos())
                .sorted(Comparator.comparingLong(other -> -other.span().startNanos()))
                .toList();
        for (int i = 0; i < changes.size(); i++) {
            long from = i + 1 < changes.size() ? changes.get(i + 1).span().startNanos() : Long.MIN_VALUE;
            long until = changes.get(i).span().startNanos();
            if (isTold(flow, from, until, changes.get(i).after())) {
                return !changes.get(i).before().equals(change.after());
            }
        }
        return false;
    }

    /** Postcards of nodes that are on both ways tell nothing of a difference. */
    private boolean isTold(String flow, long from, long until, List<Long> after) {
        return ofFlow(flow).stream()
                .filter(report -> report.timeNanos() >= from
                        && report.timeNanos() < until
                        && !report.dropped()
                        && !report.replica())
                .anyMatch(report -> report.stack() || !after.containsAll(report.nodes()));
    }

    private boolean isTold(String flow, long from, long until) {
        return ofFlow(flow).stream()
                .anyMatch(report -> report.timeNanos() >= from
                        && report.timeNanos() < until
                        && !report.dropped()
                        && !report.replica());
    }

    private long pathChange(Fact.PathChange change) {
        String flow = change.flow().id().toString();
        if (!canBeKnown(change, flow)) {
            return ABSENT;
        }
        long until = startsAfter(
                change,
                other -> other instanceof Fact.PathChange later
                        && later.flow().id().toString().equals(flow),
                2);
        boolean newNodes = !new HashSet<>(change.before()).containsAll(change.after());
        Map<String, Postcards> cards = new HashMap<>();
        return first(ofFlow(flow), change, until, report -> {
            if (report.replica()) {
                return false;
            }
            if (report.nodes().stream()
                    .anyMatch(node ->
                            change.after().contains(node) && !change.before().contains(node))) {
                return true;
            }
            if (report.stack()) {
                List<@Nullable Long> nodes =
                        report.hops().stream().<@Nullable Long>map(Hop::node).toList();
                return !report.gaps() && hasNewLink(change, nodes) || report.whole() && nodes.equals(change.after());
            }
            if (newNodes || report.dropped() || report.packet() == null || report.node() == null) {
                return false;
            }
            Set<Long> from = Postcards.of(cards, report).nodes;
            from.add(report.node());
            return from.equals(new HashSet<>(change.after()));
        });
    }

    private static boolean hasNewLink(Fact.PathChange change, List<@Nullable Long> nodes) {
        return IntStream.range(1, nodes.size()).anyMatch(i -> {
            Long from = nodes.get(i - 1);
            Long to = nodes.get(i);
            return from != null && to != null && follow(change.after(), from, to) && !follow(change.before(), from, to);
        });
    }

    private static boolean follow(List<Long> nodes, long from, long to) {
        return IntStream.range(1, nodes.size()).anyMatch(i -> nodes.get(i - 1) == from && nodes.get(i) == to);
    }

    /** The postcards of one packet. */
    private static final class Postcards {
        final Set<Long> nodes = new HashSet<>();
        final Map<Long, Integer> ttls = new HashMap<>();
        private long lastNanos;

        static Postcards of(Map<String, Postcards> packets, Seen report) {
            Postcards cards = packets.get(String.valueOf(report.packet()));
            if (cards == null || report.timeNanos() - cards.lastNanos > JOIN) {
                cards = new Postcards();
                packets.put(String.valueOf(report.packet()), cards);
            }
            cards.lastNanos = report.timeNanos();
            return cards;
        }
    }

    private static Predicate<Seen> looping() {
        Map<String, Postcards> packets = new HashMap<>();
        return report -> {
            boolean twice = report.nodes().size()
                    < report.hops().stream().filter(hop -> hop.node() != null).count();
            if (twice || report.dropped() && report.dropReason() != null && report.dropReason() == TTL_REASON) {
                return true;
            }
            if (report.stack() || report.packet() == null || report.node() == null) {
                return false;
            }
            Integer before = Postcards.of(packets, report).ttls.putIfAbsent(report.node(), report.ttl());
            return before != null && before != report.ttl();
        };
    }

    private boolean shows(Seen report, Fact.Congestion congestion) {
        QueueRules rules = run.scenario.telemetry().queueRules();
        long threshold = rules.thresholdBytes() > 0
                ? rules.thresholdBytes()
                : run.scenario.options().queueBytes() / 2;
        if (report.congested() && report.isFrom(congestion.node()) && isQueue(report.own(), congestion)) {
            return true;
        }
        return report.hops().stream()
                .anyMatch(hop -> isQueue(hop, congestion) && hop.occupancy() != null && hop.occupancy() >= threshold);
    }

    private static boolean isQueue(Hop hop, Fact.Congestion congestion) {
        return hop.isOf(congestion.node())
                && hop.egress() != null
                && hop.egress() == congestion.interfaceId()
                && hop.queue() != null
                && hop.queue() == congestion.queue();
    }

    private long latency(Fact.Latency latency) {
        long until = latency.span().hasEnded() ? latency.span().endNanos() : FOREVER;
        return ofNode(latency.node()).stream()
                .filter(report -> report.timeNanos() >= latency.span().startNanos() && report.timeNanos() < until)
                .filter(report -> report.hops().stream()
                        .anyMatch(hop -> hop.isOf(latency.node())
                                && hop.egress() != null
                                && hop.egress() == latency.interfaceId()
                                && hop.timed()))
                .mapToLong(Seen::timeNanos)
                .skip(LATENCY_REPORTS - 1)
                .findFirst()
                .orElse(ABSENT);
    }

    private long linkDown(Fact.LinkDown down) {
        long start = down.span().startNanos();
        long until = down.span().hasEnded() ? down.span().endNanos() : FOREVER;
        Set<String> carried = run.flowsOnLink.getOrDefault(
                Witness.place(start, down.from().node(), down.from().interfaceId()), Set.of());
        long elsewhere = first(
                ofNode(down.from().node()),
                down,
                until,
                report -> report.flow() != null
                        && carried.contains(report.flow())
                        && isTold(report.flow(), Long.MIN_VALUE, start)
                        && !report.dropped()
                        && !report.replica()
                        && report.hops().stream()
                                .anyMatch(hop -> hop.isOf(down.from().node())
                                        && hop.egress() != null
                                        && hop.egress() != down.from().interfaceId()));
        long rerouted = run.facts().stream()
                .filter(Fact.PathChange.class::isInstance)
                .map(Fact.PathChange.class::cast)
                .filter(change -> change.span().startNanos() >= start)
                .filter(change -> follow(
                                change.before(), down.from().node(), down.to().node())
                        && !follow(change.after(), down.from().node(), down.to().node()))
                .mapToLong(this::of)
                .filter(shown -> shown != ABSENT && shown < until)
                .min()
                .orElse(ABSENT);
        if (elsewhere == ABSENT || rerouted == ABSENT) {
            return Math.max(elsewhere, rerouted);
        }
        return Math.min(elsewhere, rerouted);
    }

    private boolean wasKnownDown(Fact.LinkUp up) {
        return run.facts().stream()
                .filter(Fact.LinkDown.class::isInstance)
                .map(Fact.LinkDown.class::cast)
                .filter(down -> down.from().equals(up.from()) && down.to().equals(up.to()))
                .filter(down -> down.span().endNanos() == up.span().startNanos())
                .anyMatch(down -> of(down) != ABSENT);
    }

    private long downAgain(Fact.LinkUp up) {
        return startsAfter(
                up,
                other -> other instanceof Fact.LinkDown down
                        && down.from().equals(up.from())
                        && down.to().equals(up.to()),
                1);
    }

    private static boolean shows(Seen report, Fact.LinkUp up) {
        List<Hop> hops = report.hops();
        for (int i = 0; i < hops.size(); i++) {
            Hop hop = hops.get(i);
            boolean droppedHere = report.dropped() && i == hops.size() - 1;
            if (!hop.isOf(up.from().node()) || droppedHere) {
                continue;
            }
            if (hop.egress() != null) {
                if (hop.egress() == up.from().interfaceId()) {
                    return true;
                }
            } else if (report.stack()
                    && !report.gaps()
                    && i + 1 < hops.size()
                    && hops.get(i + 1).isOf(up.to().node())) {
                return true;
            }
        }
        return false;
    }

    private long reportLoss(Fact.ReportLoss loss) {
        Map<Long, Long> lost = run.lost.getOrDefault(loss.node(), Map.of());
        Long number = lost.get(loss.span().startNanos());
        if (number == null) {
            throw new AssertionError("nothing was lost when it says: " + loss);
        }
        return first(
                ofNode(loss.node()),
                loss,
                next(loss),
                report -> report.isFrom(loss.node()) && report.hwId() == loss.hwId() && report.sequence() > number);
    }

    private long silent(Fact.ExporterSilent silent) {
        int address = run.scenario.topology().switches().stream()
                .filter(each -> each.nodeId() == silent.node())
                .findFirst()
                .orElseThrow()
                .address();
        long until = silent.span().hasEnded() ? silent.span().endNanos() : run.endNanos();
        long last = run.arrivals.getOrDefault(address, List.of()).stream()
                .mapToLong(Long::longValue)
                .filter(time -> time < until)
                .max()
                .orElse(ABSENT);
        return last != ABSENT && until - last >= SILENT_AFTER ? last : ABSENT;
    }

    private long attack(Fact.Attack attack) {
        AttackFact plan = plan(attack);
        Topology topology = run.scenario.topology();
        Set<String> sources = new HashSet<>();
        plan.sources()
                .forEach(share ->
                        sources.add(address(topology.hosts().get(share.host()).ipv4())));
        return first(honest, attack, next(attack), report -> {
            Map<String, Object> flow = report.tuple();
            return flow.get("destination") instanceof String to
                    && isIn(attack.victim().prefix().toString(), to)
                    && agrees(flow.get("protocol"), attack.victim().protocol())
                    && agrees(flow.get("destinationPort"), attack.victim().port())
                    && (plan.spoofedPercent() > 0 || sources.contains(String.valueOf(flow.get("source"))));
        });
    }

    private AttackFact plan(Fact.Attack attack) {
        for (TrafficEntry entry : run.scenario.traffic()) {
            for (AttackFact plan : entry.source(run.scenario.topology())
                    .attacks(run.scenario.topology(), 0, run.scenario.durationNanos())) {
                if (Shipped.EPOCH + plan.startNanos() == attack.span().startNanos()
                        && plan.vector().label().equals(attack.vector())) {
                    return plan;
                }
            }
        }
        throw new AssertionError("no traffic plans " + attack);
    }

    private static boolean agrees(@Nullable Object value, int wanted) {
        return wanted == Fact.ABSENT || value instanceof Long number && number == wanted;
    }

    private static String address(int ipv4) {
        return (ipv4 >>> 24) + "." + (ipv4 >>> 16 & 0xFF) + "." + (ipv4 >>> 8 & 0xFF) + "." + (ipv4 & 0xFF);
    }

    private static boolean isIn(String prefix, String address) {
        if (prefix.indexOf(':') >= 0 || address.indexOf(':') >= 0) {
            return prefix.equals(address);
        }
        int slash = prefix.indexOf('/');
        int length = slash < 0 ? 32 : Integer.parseInt(prefix.substring(slash + 1));
        long differs = number(slash < 0 ? prefix : prefix.substring(0, slash)) ^ number(address);
        return differs >>> 32 - length == 0;
    }

    private static long number(String address) {
        long number = 0;
        for (String part : address.split("\\.", -1)) {
            number = number << 8 | Integer.parseInt(part);
        }
        return number;
    }
}
