package io.pathlore.analysis.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many rules there may be, and which ones where there are more that want to be. */
public record Caps(int rules, int perEnforcer, int perMinute) {
    public static final Caps USUAL = new Caps(64, 16, 5);

    /** Those that stop most come first; of equal ones those that are surer. */
    private static final Comparator<Proposal> IMPACT = Comparator.comparingLong((Proposal one) -> -one.perSecond())
            .thenComparingInt(one -> -one.confidence())
            .thenComparing(one -> one.attack().toString())
            .thenComparing(Proposal::blastRadius);

    /** Rules there are room for now, and those that have to wait for an operator. */
    public record Split(List<Proposal> chosen, List<Proposal> waiting) {
        public Split {
            chosen = List.copyOf(chosen);
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * Chooses by impact.
     *
     * @param held rules that hold now, by enforcer
     * @param lastMinute rules that are new since a minute ago
     */
    public Split split(List<Proposal> wanted, Map<String, Integer> held, int lastMinute) {
        Map<String, Integer> now = new HashMap<>(held);
        int total = held.values().stream().mapToInt(Integer::intValue).sum();
        int fresh = lastMinute;
        List<Proposal> chosen = new ArrayList<>();
        List<Proposal> waiting = new ArrayList<>();
        for (Proposal one : wanted.stream().sorted(IMPACT).toList()) {
            int own = now.getOrDefault(one.enforcer(), 0);
            if (total < rules && own < perEnforcer && fresh < perMinute) {
                chosen.add(one);
                now.put(one.enforcer(), own + 1);
                total++;
                fresh++;
            } else {
                waiting.add(one);
            }
        }
        return new Split(chosen, waiting);
    }
}
