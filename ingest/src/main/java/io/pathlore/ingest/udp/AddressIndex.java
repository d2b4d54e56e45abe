package io.pathlore.ingest.udp;

import java.util.Arrays;

/**
 * Finds the slot of an address among a fixed number of slots: open addressing over primitive arrays, at most half full. Hash
 * values depend on a seed, so that nobody outside can choose addresses that all meet. Hot path.
 */
final class AddressIndex {
    static final int NONE = -1;

    // IPv4 addresses are kept as IPv6 knows them [RFC 4291 §2.5.5.2].
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final int[] table; // slot + 1, or 0
    private final int mask;
    private final long seed;
    private final int[] hashes;
    private final long[] high;
    private final long[] low;

    AddressIndex(int slots, long seed) {
        if (slots < 1 || slots > 1 << 24) {
            throw new IllegalArgumentException("a table of " + slots + " addresses");
        }
        table = new int[Integer.highestOneBit(Math.max(4, 4 * slots - 1))];
        mask = table.length - 1;
        this.seed = seed;
        hashes = new int[slots];
        high = new long[slots];
        low = new long[slots];
    }

    int slots() {
        return high.length;
    }

    private int hash(long hi, long key) {
        long mixed = (hi ^ seed) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32 ^ key) * 0xD6E8_FEB8_6659_FD93L;
        mixed = (mixed ^ mixed >>> 32 ^ seed) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (mixed ^ mixed >>> 32);
    }

    private static long key(boolean v6, long lo) {
        return v6 ? lo : lo | MAPPED;
    }

    int find(boolean v6, long hi, long lo) {
        long key = key(v6, lo);
        for (int at = hash(hi, key) & mask; table[at] != 0; at = at + 1 & mask) {
            int slot = table[at] - 1;
            if (low[slot] == key && high[slot] == hi) {
                return slot;
            }
        }
        return NONE;
    }

    /** Of an address that is not in it, to a slot that is free. */
    void put(int slot, boolean v6, long hi, long lo) {
        long key = key(v6, lo);
        int hash = hash(hi, key);
        int at = hash & mask;
        while (table[at] != 0) {
            at = at + 1 & mask;
        }
        table[at] = slot + 1;
        hashes[slot] = hash;
        high[slot] = hi;
        low[slot] = key;
    }

    /** Frees a slot. What was pushed beyond its place moves up, so that no search ends too early. */
    void remove(int slot) {
        int hole = hashes[slot] & mask;
        while (table[hole] != slot + 1) {
            hole = hole + 1 & mask;
        }
        for (int at = hole + 1 & mask; table[at] != 0; at = at + 1 & mask) {
            int home = hashes[table[at] - 1] & mask;
            if ((at - home & mask) >= (at - hole & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = 0;
    }

    void clear() {
        Arrays.fill(table, 0);
    }

    boolean v6(int slot) {
        return high[slot] != 0 || low[slot] >>> 32 != MAPPED >>> 32;
    }

    long hi(int slot) {
        return high[slot];
    }

    /** As it was put. */
    long lo(int slot) {
        return v6(slot) ? low[slot] : low[slot] & 0xFFFF_FFFFL;
    }
}
