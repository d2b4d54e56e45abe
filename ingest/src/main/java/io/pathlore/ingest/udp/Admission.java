package io.pathlore.ingest.udp;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Rejection;

/**
 * Whether a datagram is let in. The tests have one order, and a datagram that fails is counted by the first it fails:
 * empty, oversize, acl, rate. Hot path.
 */
public final class Admission {
    static final int REJECTED = -1;

    /** Sources the allow-list turned away that are remembered by name. */
    private static final int REFUSED_CAPACITY = 256;

    private final int largestDatagram;
    private AllowList allowed;
    private volatile RefusedSources refused;
    private final long seed;
    private final ExporterTable exporters;
    private final Ledger.Worker ledger;

    // Datagrams of one exporter come in runs, and one that was let in need not be looked up again.
    private boolean lastV6;
    private long lastHi;
    private long lastLo;
    private int lastSlot = REJECTED;

    public Admission(int largestDatagram, AllowList allowed, ExporterTable exporters, Ledger.Worker ledger, long seed) {
        this.largestDatagram = largestDatagram;
        this.allowed = allowed;
        this.seed = seed;
        refused = new RefusedSources(allowed, REFUSED_CAPACITY, seed);
        this.exporters = exporters;
        this.ledger = ledger;
    }

    /** Another list from the next datagram on. On the thread that reads. */
    public void allow(AllowList next) {
        allowed = next;
        refused = new RefusedSources(next, REFUSED_CAPACITY, seed);
        lastSlot = REJECTED;
    }

    /** The exporter's slot, or {@link #REJECTED}, counted. */
    int admit(DatagramBatch batch, int index) {
        if (batch.wireLength(index) == 0) {
            ledger.rejected(Rejection.EMPTY);
            return REJECTED;
        }
        if (batch.wireLength(index) > largestDatagram || batch.truncated(index)) {
            ledger.rejected(Rejection.OVERSIZE);
            return REJECTED;
        }
        boolean v6 = batch.v6(index);
        long hi = batch.sourceHi(index);
        long lo = batch.sourceLo(index);
        int slot = lastSlot;
        if (slot == REJECTED || lo != lastLo || hi != lastHi || v6 != lastV6) {
            if (!allowed.allows(v6, hi, lo)) {
                refused.refuse(v6, hi, lo);
                ledger.rejected(Rejection.ACL);
                return REJECTED;
            }
            slot = exporters.slotOf(v6, hi, lo, batch.timeNanos(index));
            lastV6 = v6;
            lastHi = hi;
            lastLo = lo;
            lastSlot = slot;
        } else {
            exporters.onAgain(slot);
        }
        if (!exporters.withinRate(slot, batch.timeNanos(index))) {
            ledger.rejected(Rejection.RATE);
            return REJECTED;
        }
        return slot;
    }

    /** Who was turned away by the allow-list. */
    public RefusedSources refused() {
        return refused;
    }
}
