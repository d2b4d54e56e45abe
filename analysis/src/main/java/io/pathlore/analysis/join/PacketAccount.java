package io.pathlore.analysis.join;

import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that was said of one packet, for somebody who asks about that packet: the nodes it met in their order, and those that should have
 * told of it and did not. A stack has an order of its own; what nodes say each for itself is put in order by TTL. Who is missing is known
 * from other packets of the flow, which had the same TTL at the same node.
 */
public final class PacketAccount {
    /** More are not asked for. */
    private static final int MOST_HOPS = 256;

    /**
     * A node that told of it.
     *
     * @param ttl with which the packet left it, or {@link ReportRow#ABSENT}
     * @param report which of those given to {@link #add}, from 0
     * @param dropReason where the packet ended here, else {@link ReportRow#ABSENT}
     */
    public record Hop(
            long node,
            long ingress,
            long egress,
            long latency,
            long queue,
            long occupancy,
            int ttl,
            int report,
            boolean dropped,
            long dropReason) {}

    /**
     * Nodes that told nothing of it.
     *
     * @param after the hop that they stand behind; -1: in front of the first
     * @param count how many, or {@link ReportRow#ABSENT}
     * @param nodes those that told of other packets there, in order; empty where none ever does
     */
    public record Missing(int after, int count, List<Long> nodes) {
        public Missing {
            nodes = List.copyOf(nodes);
        }
    }

    private final List<Hop> cards = new ArrayList<>();
    private List<Hop> stack = List.of();
    private List<Missing> gapsOfStack = List.of();
    private boolean isStackPartial;
    private final NavigableMap<Integer, Map<Long, Integer>> usual = new TreeMap<>();
    private int reports;

    /** A report of the packet. */
    public void add(ReportRow row) {
        int number = reports++;
        int last = row.hops() - 1;
        List<Hop> hops = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            boolean reporter = i == last && (row.way() & ReportRow.REPORTER) != 0;
            boolean dropped = reporter && row.dropped();
            hops.add(new Hop(
                    row.hopNode(i),
                    row.ingress(i),
                    row.egress(i),
                    row.latency(i),
                    row.queue(i),
                    row.occupancy(i),
                    reporter || last == 0 ? row.ttl() : (int) ReportRow.ABSENT,
                    number,
                    dropped,
                    dropped ? row.dropReason() : ReportRow.ABSENT));
        }
        if ((row.way() & ReportRow.STACK) == 0) {
            cards.addAll(hops.subList(0, Math.min(hops.size(), MOST_HOPS - Math.min(MOST_HOPS, cards.size()))));
        } else if (hops.size() > stack.size()) {
            stack = hops;
            gapsOfStack = gaps(row);
            isStackPartial = (row.way() & ReportRow.PARTIAL) != 0;
        }
    }

    private static List<Missing> gaps(ReportRow row) {
        List<Missing> gaps = new ArrayList<>();
        for (int i = 0; i + 1 < row.hops(); i++) {
            int hidden = row.hiddenAfter(i);
            if (hidden > 0) {
                gaps.add(new Missing(i, hidden, List.of()));
            }
        }
        if ((row.way() & ReportRow.GAPS) != 0 && gaps.isEmpty()) {
            // Hop limit or MTU: those behind the last that could add itself, and in front of who tells of it.
            int reporter = (row.way() & ReportRow.REPORTER) != 0 ? 1 : 0;
            gaps.add(new Missing(row.hops() - 1 - reporter, (int) ReportRow.ABSENT, List.of()));
        }
        return gaps;
    }

    /** A report of another packet of the same flow. */
    public void other(ReportRow row) {
        boolean card = row.hops() == 1 && (row.way() & (ReportRow.STACK | ReportRow.REPLICA)) == 0;
        if (card && row.ttl() >= 0 && row.hopNode(0) != ReportRow.ABSENT) {
            usual.computeIfAbsent(row.ttl(), ttl -> new HashMap<>()).merge(row.hopNode(0), 1, Integer::sum);
        }
    }

    /** The nodes that told of it, in the order in which it met them. */
    public List<Hop> hops() {
        List<Hop> hops = new ArrayList<>(stack);
        Set<Long> named = new HashSet<>();
        stack.forEach(hop -> named.add(hop.node));
        List<Hop> before = new ArrayList<>();
        List<Hop> after = new ArrayList<>();
        int from = stack.isEmpty() ? Integer.MAX_VALUE : stack.getLast().ttl;
        for (Hop card : inOrder()) {
            if (stack.isEmpty() || !named.contains(card.node) || card.dropped && !stack.getLast().dropped) {
                (card.ttl > from && !card.dropped ? before : after).add(card);
            }
        }
        hops.addAll(0, before);
        hops.addAll(after);
        return hops;
    }

    /** A node that speaks again of the packet has said no more than once where it was; what it dropped it says last. */
    private List<Hop> inOrder() {
        List<Hop> sorted = new ArrayList<>(cards);
        sorted.sort(Comparator.<Hop>comparingInt(hop -> -hop.ttl).thenComparing(hop -> hop.dropped));
        List<Hop> once = new ArrayList<>();
        for (Hop hop : sorted) {
            Hop last = once.isEmpty() ? null : once.getLast();
            if (last != null && last.node == hop.node && last.ttl == hop.ttl) {
                once.removeLast();
                once.add(hop.dropped ? hop : last);
            } else {
                once.add(hop);
            }
        }
        return once;
    }

    /** Who should have told of it and did not, in order. */
    public List<Missing> missing() {
        if (!stack.isEmpty()) {
            int before = hops().indexOf(stack.getFirst());
            return gapsOfStack.stream()
                    .map(gap -> new Missing(gap.after + before, gap.count, gap.nodes))
                    .toList();
        }
        List<Hop> hops = hops();
        List<Missing> missing = new ArrayList<>();
        for (int i = -1; i < hops.size(); i++) {
            Hop here = i < 0 ? null : hops.get(i);
            Hop next = i + 1 < hops.size() ? hops.get(i + 1) : null;
            if (here != null && here.dropped && next == null || here == null && next == null) {
                continue; // it went no further
            }
            if (here != null && here.ttl < 0 || next != null && next.ttl < 0) {
                continue; // nobody can tell
            }
            List<Long> nodes = between(here, next);
            int count = here == null || next == null ? nodes.size() : here.ttl - next.ttl - 1;
            if (count > 0) {
                missing.add(new Missing(i, count, nodes));
            }
        }
        return missing;
    }

    /** Who told of other packets with a TTL between those of these two. */
    private List<Long> between(@Nullable Hop here, @Nullable Hop next) {
        int low = next == null ? 0 : next.ttl + 1;
        int high = here == null ? Integer.MAX_VALUE : here.ttl - 1;
        if (low > high) {
            return List.of();
        }
        List<Long> nodes = new ArrayList<>();
        usual.subMap(low, true, high, true)
                .values()
                .forEach(told -> nodes.add(Collections.max(
                                told.entrySet(),
                                Map.Entry.<Long, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                        .getKey()));
        Collections.reverse(nodes);
        return nodes;
    }

    /** Nothing is known to be missing, and the way is more than one node, or a stack that was not cut short: a drop is an end, too. */
    public boolean isWhole() {
        if (!missing().isEmpty()) {
            return false;
        }
        List<Hop> hops = hops();
        return stack.isEmpty() ? hops.size() > 1 : !isStackPartial || hops.getLast().dropped;
    }
}
