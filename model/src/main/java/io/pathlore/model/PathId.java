package io.pathlore.model;

import java.util.List;
import java.util.stream.Collectors;

/** Short name of a path: the first 64 bits of SHA-256 over its node ids in travel order, with commas; 16 hex digits as text. */
public record PathId(long bits) {
    public static PathId of(List<Long> nodes) {
        return new PathId(Digest.of(nodes.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }

    @Override
    public String toString() {
        return Digest.hex(bits);
    }
}
