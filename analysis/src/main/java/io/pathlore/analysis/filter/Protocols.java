package io.pathlore.analysis.filter;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** IP protocols that people call by name. */
final class Protocols {
    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("icmp", 1),
            Map.entry("igmp", 2),
            Map.entry("ipv4", 4),
            Map.entry("tcp", 6),
            Map.entry("udp", 17),
            Map.entry("dccp", 33),
            Map.entry("ipv6", 41),
            Map.entry("gre", 47),
            Map.entry("esp", 50),
            Map.entry("ah", 51),
            Map.entry("icmpv6", 58),
            Map.entry("ospf", 89),
            Map.entry("sctp", 132),
            Map.entry("udp-lite", 136));

    static final List<String> NAMES = NUMBERS.keySet().stream().sorted().toList();

    private Protocols() {}

    /** -1 when there is none of that name. */
    static int number(String name) {
        return NUMBERS.getOrDefault(name.toLowerCase(Locale.ROOT), -1);
    }
}
