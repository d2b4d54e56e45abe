package io.pathlore.analysis.filter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What people call nodes and drop reasons. A name may stand for several numbers, and case makes no difference. */
public final class Names {
    public static final Names NONE = new Names(Map.of(), Map.of());

    private final Map<String, Set<Long>> nodes = new TreeMap<>();
    private final Map<String, Set<Long>> reasons = new TreeMap<>();
    private final List<String> nodeNames;
    private final List<String> reasonNames;

    public Names(Map<String, ? extends Iterable<Long>> nodes, Map<String, ? extends Iterable<Long>> dropReasons) {
        Set<String> shownNodes = new TreeSet<>();
        nodes.forEach((name, ids) -> {
            ids.forEach(id -> this.nodes
                    .computeIfAbsent(nodeKey(name), _unused -> new TreeSet<>())
                    .add(id));
            shownNodes.add(name);
        });
        Set<String> shownReasons = new TreeSet<>();
        dropReasons.forEach((name, numbers) -> {
            String key = reasonKey(name);
            numbers.forEach(number ->
                    reasons.computeIfAbsent(key, _unused -> new TreeSet<>()).add(number));
            shownReasons.add(key);
        });
        nodeNames = List.copyOf(shownNodes);
        reasonNames = List.copyOf(shownReasons);
    }

    private static String nodeKey(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Reasons are named in prose, {@code ACL deny}, and asked for without quotes: {@code acl_deny}. */
    private static String reasonKey(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            boolean letter = Character.isLetterOrDigit(c) || c == '*' || c == '%';
            if (letter) {
                key.append(c);
            } else if (!key.isEmpty() && key.charAt(key.length() - 1) != '_') {
                key.append('_');
            }
        }
        return key.toString();
    }

    /** Ids of the nodes of that name, in order; empty when there is none. */
    List<Long> nodes(String name) {
        return List.copyOf(nodes.getOrDefault(nodeKey(name), Set.of()));
    }

    List<Long> dropReasons(String name) {
        return List.copyOf(reasons.getOrDefault(reasonKey(name), Set.of()));
    }

    List<Long> nodesLike(String pattern) {
        return like(nodes, nodeKey(pattern));
    }

    List<Long> dropReasonsLike(String pattern) {
        return like(reasons, reasonKey(pattern));
    }

    private static List<Long> like(Map<String, Set<Long>> all, String pattern) {
        Set<Long> found = new LinkedHashSet<>();
        all.forEach((name, ids) -> {
            if (Wildcards.matches(pattern, name)) {
                found.addAll(ids);
            }
        });
        List<Long> sorted = new ArrayList<>(found);
        sorted.sort(null);
        return sorted;
    }

    /** As the inventory writes them. */
    List<String> nodeNames() {
        return nodeNames;
    }

    /** As they are asked for. */
    List<String> dropReasonNames() {
        return reasonNames;
    }
}
