package io.pathlore.ingest.udp;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressIndexTest {
    private record Address(boolean v6, long hi, long lo) {}

    /** Few addresses in a small table, so that chains form, break and close again. */
    @Test
    void agreesWithAMap() {
        forAll(random -> random, random -> {
            int slots = 1 + random.nextInt(20);
            var index = new AddressIndex(slots, random.nextLong());
            Map<Address, Integer> model = new HashMap<>();
            var free = new ArrayDeque<Integer>();
            for (int i = 0; i < slots; i++) {
                free.add(i);
            }
            for (int i = 0; i < 300; i++) {
                boolean v6 = random.nextBoolean();
                var address = new Address(v6, v6 ? random.nextInt(3) : 0, random.nextInt(12));
                Integer known = model.get(address);
                assertThat(index.find(address.v6(), address.hi(), address.lo()))
                        .isEqualTo(known == null ? AddressIndex.NONE : known);
                if (known != null && random.nextBoolean()) {
                    index.remove(known);
                    model.remove(address);
                    free.add(known);
                } else if (known == null && !free.isEmpty()) {
                    int slot = free.remove();
                    index.put(slot, address.v6(), address.hi(), address.lo());
                    model.put(address, slot);
                    assertThat(new Address(index.v6(slot), index.hi(slot), index.lo(slot)))
                            .isEqualTo(address);
                }
            }
        });
    }
}
