package io.pathlore.analysis;

import org.jspecify.annotations.Nullable;

/**
 * What belonged to hops of late, where it is mostly found without looking it up. A hint: whoever asks checks that it is the right one.
 * Makes nothing. Hot path.
 */
public final class HopHints<T> {
    private static final int BITS = 14;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final @Nullable Object[] cells = new Object[1 << BITS];

    /** Where the hint is for a queue of an interface of a node. */
    public static int of(long node, long egress, long queue) {
        return (int) (((node * SPREAD ^ egress) * SPREAD ^ queue) * SPREAD >>> Long.SIZE - BITS);
    }

    @SuppressWarnings("unchecked") // only such are put in
    public @Nullable T get(int of) {
        return (T) cells[of];
    }

    public void put(int of, T value) {
        cells[of] = value;
    }
}
