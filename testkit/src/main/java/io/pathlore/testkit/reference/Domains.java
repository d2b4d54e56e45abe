package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The registry of domain specific metadata [INT 2.1 §5.8, TR 2.0 §3.3.1, spec-notes 3.6]. */
record Domains(Map<Integer, List<DomainItem>> registry) {
    private static final int BITS = 16;

    /** The domain is registered, and so is every bit that is set. */
    boolean knows(int id, int bits) {
        return registry.containsKey(id) && items(id, bits).isPresent();
    }

    /** The items of the set bits in bit order, or nothing when the registry does not know every one of them. */
    Optional<List<DomainItem>> items(int id, int bits) {
        List<DomainItem> set = registry.getOrDefault(id, List.of()).stream()
                .filter(item -> Items.isSet(bits, item.bit(), BITS))
                .sorted(Comparator.comparingInt(DomainItem::bit))
                .toList();
        return set.size() == Integer.bitCount(bits) ? Optional.of(set) : Optional.empty();
    }

    static int words(List<DomainItem> items) {
        return items.stream().mapToInt(DomainItem::words).sum();
    }

    static int words(List<DomainItem> items, boolean sourceOnly) {
        return words(
                items.stream().filter(item -> item.sourceOnly() == sourceOnly).toList());
    }
}
