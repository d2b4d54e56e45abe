package io.pathlore.wire;

import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;

/**
 * What was noticed while one report was decoded: faults that left something standing and quirks that were repaired, each
 * once, in the order they were found. Hot path: costs nothing while nothing is noticed.
 */
public final class Warnings {
    private static final Fault[] FAULTS = Fault.values();
    private static final Quirk[] QUIRKS = Quirk.values();
    private static final int CAPACITY = 64;

    private final short[] codes = new short[CAPACITY];
    private final int[] offsets = new int[CAPACITY];
    private int count;
    /** Offsets are kept from here, so that they can move together. */
    private int base;

    public void clear() {
        count = 0;
        base = 0;
    }

    public void add(Fault fault, int offset) {
        add(fault.ordinal(), offset);
    }

    public void add(Quirk quirk, int offset) {
        add(FAULTS.length + quirk.ordinal(), offset);
    }

    private void add(int code, int offset) {
        for (int i = 0; i < count; i++) {
            if (codes[i] == code) {
                return;
            }
        }
        if (count < CAPACITY) {
            codes[count] = (short) code;
            offsets[count++] = offset - base;
        }
    }

    public int count() {
        return count;
    }

    public boolean isFault(int index) {
        return codes[index] < FAULTS.length;
    }

    /** Only for an index whose {@link #isFault} is true. */
    public Fault fault(int index) {
        return FAULTS[codes[index]];
    }

    /** Only for an index whose {@link #isFault} is false. */
    public Quirk quirk(int index) {
        return QUIRKS[codes[index] - FAULTS.length];
    }

    public String name(int index) {
        return isFault(index) ? fault(index).name() : quirk(index).label();
    }

    /** Byte offset in the datagram (or packet) where it was noticed. */
    public int offset(int index) {
        return base + offsets[index];
    }

    public boolean has(Fault fault) {
        return indexOf(fault.ordinal()) >= 0;
    }

    public boolean has(Quirk quirk) {
        return indexOf(FAULTS.length + quirk.ordinal()) >= 0;
    }

    public boolean hasFault() {
        for (int i = 0; i < count; i++) {
            if (isFault(i)) {
                return true;
            }
        }
        return false;
    }

    /** Forgets what was noticed after this count: a candidate layout was tried and did not verify. */
    public void rewind(int count) {
        if (count < this.count) {
            this.count = count;
        }
    }

    /** The same things were noticed in bytes that lie elsewhere. */
    public void moveBy(int delta) {
        base += delta;
    }

    private int indexOf(int code) {
        for (int i = 0; i < count; i++) {
            if (codes[i] == code) {
                return i;
            }
        }
        return -1;
    }
}
