package io.pathlore.analysis.filter;

import java.util.List;
import java.util.Map;

/** The names that tests call nodes and drop reasons by. */
final class Network {
    static final Names NAMES = new Names(
            Map.of(
                    "leaf-3", List.of(3L),
                    "leaf-4", List.of(4L),
                    "Spine-1", List.of(101L),
                    "core", List.of(201L, 202L),
                    "rack 7", List.of(7L),
                    "55", List.of(5500L)),
            Map.of("ACL deny", List.of(80L), "IP TTL zero", List.of(26L), "full", List.of(71L, 160L)));

    private Network() {}
}
