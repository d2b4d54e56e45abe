package io.pathlore.ingest.udp;

import io.pathlore.model.IpText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Who was turned away by the allow-list, so that each can be named once, with the line that would let it in. Those beyond
 * the capacity are one number. One writer, any readers.
 */
public final class RefusedSources {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    private final List<String> allowed;
    private final AddressIndex index;
    private final long[] datagrams; // the last is of all the others
    private volatile int known;

    RefusedSources(AllowList allowed, int capacity, long seed) {
        this.allowed = allowed.entries();
        index = new AddressIndex(capacity, seed);
        datagrams = new long[capacity + 1];
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void refuse(boolean v6, long hi, long lo) {
        int slot = index.find(v6, hi, lo);
        if (slot == AddressIndex.NONE) {
            slot = known;
            if (slot < index.slots()) {
                index.put(slot, v6, hi, lo);
                SLOT.setRelease(datagrams, slot, 1L);
                known = slot + 1;
                return;
            }
        }
        SLOT.setRelease(datagrams, slot, datagrams[slot] + 1);
    }

    /** A source, and the datagrams of it that were refused. */
    public record Source(String address, long datagrams, List<String> allowed) {
        public Source {
            allowed = List.copyOf(allowed);
        }

        /** One line for the operator. */
        public String hint() {
            List<String> wanted = new ArrayList<>(allowed);
            wanted.add(address);
            return "datagrams from %s are refused; to accept them: listen.allow: [%s]"
                    .formatted(address, String.join(", ", wanted));
        }
    }

    /** In the order they were first seen; what was in an earlier answer is at the same place in the next. */
    public List<Source> sources() {
        int count = known;
        List<Source> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String address = IpText.of(index.v6(i), index.hi(i), index.lo(i));
            all.add(new Source(address, (long) SLOT.getAcquire(datagrams, i), allowed));
        }
        return all;
    }

    /** Datagrams of sources that are not named. */
    public long fromOthers() {
        return (long) SLOT.getAcquire(datagrams, datagrams.length - 1);
    }
}
