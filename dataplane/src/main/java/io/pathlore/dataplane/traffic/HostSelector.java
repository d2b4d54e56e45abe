package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts, in words: {@code all}, a kind ({@code camera}), an index ({@code 3}), a name, or the start of names with a star
 * ({@code home-1-*}); {@code camera:4} are the first four of them. Several are separated by commas.
 */
public record HostSelector(List<String> parts) {
    public HostSelector {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("names no host");
        }
    }

    public static HostSelector parse(String text) {
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String word = part.strip();
            if (word.isEmpty()) {
                throw new IllegalArgumentException("names no host");
            }
            parts.add(word);
        }
        return new HostSelector(parts);
    }

    /** Indexes of the hosts meant, in the order they are named, each once; says what is wrong where a part means none. */
    public List<Integer> resolve(Topology topology) {
        Set<Integer> found = new LinkedHashSet<>();
        for (String part : parts) {
            found.addAll(resolve(topology, part));
        }
        return List.copyOf(found);
    }

    private static List<Integer> resolve(Topology topology, String part) {
        int colon = part.lastIndexOf(':');
        String word = colon < 0 ? part : part.substring(0, colon);
        List<Integer> found = new ArrayList<>();
        List<Host> hosts = topology.hosts();
        Kind kind = kind(word);
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            if (word.equals("all")
                    || host.kind() == kind
                    || host.name().equals(word)
                    || word.endsWith("*") && host.name().startsWith(word.substring(0, word.length() - 1))
                    || word.equals(Integer.toString(i))) {
                found.add(i);
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no host is '" + word + "' in " + topology.name());
        }
        if (colon < 0) {
            return found;
        }
        long first = Quantity.count(part.substring(colon + 1));
        if (first < 1 || first > found.size()) {
            throw new IllegalArgumentException("'" + part + "' wants " + first + " of " + found.size() + " hosts");
        }
        return found.subList(0, (int) first);
    }

    private static @Nullable Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
                return kind;
            }
        }
        return null;
    }
}
