package io.pathlore.cli.service;

import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.store.journal.JournalRing;
import io.pathlore.wire.envelope.Envelope;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Hands the datagrams of one worker to the journal. Hot path. */
final class JournalFeed implements Journalling {
    /** Where nothing is kept. */
    static final Journalling OFF = (batch, index) -> {};

    private static final long PAUSE_NANOS = 200_000;

    private final JournalRing ring;
    private final Ledger.Worker ledger;

    JournalFeed(JournalRing ring, Ledger.Worker ledger) {
        this.ring = ring;
        this.ledger = ledger;
    }

    @Override
    public void offer(DatagramBatch batch, int index) {
        if (!give(batch, index)) {
            ledger.journalDropped(JournalDrop.SLOW);
        }
    }

    private boolean give(DatagramBatch batch, int index) {
        return ring.offer(
                flags(batch.flags(index)),
                batch.wireLength(index),
                batch.timeNanos(index),
                batch.v6(index),
                batch.sourceHi(index),
                batch.sourceLo(index),
                batch.sourcePort(index),
                batch.destinationHi(index),
                batch.destinationLo(index),
                batch.destinationPort(index),
                batch.data(),
                batch.offset(index),
                batch.length(index));
    }

    /** For one who can wait for the disk, as nobody can who receives; {@code failed} tells that waiting is in vain. */
    static Journalling patient(JournalRing ring, Ledger.Worker ledger, BooleanSupplier failed) {
        JournalFeed feed = new JournalFeed(ring, ledger);
        return new Journalling() {
            @Override
            public void offer(DatagramBatch batch, int index) {
                while (!feed.give(batch, index)) {
                    if (failed.getAsBoolean()) {
                        ledger.journalDropped(JournalDrop.SLOW);
                        return;
                    }
                    ring.publish();
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }

            @Override
            public void endBatch() {
                feed.endBatch();
            }
        };
    }

    private static int flags(int ofBatch) {
        return ((ofBatch & DatagramBatch.KERNEL_TIME) != 0 ? Envelope.KERNEL_TIME : 0)
                | ((ofBatch & DatagramBatch.DUPLICATE) != 0 ? Envelope.DUPLICATE : 0)
                | ((ofBatch & DatagramBatch.UNBOUND) != 0 ? Envelope.UNBOUND : 0);
    }

    @Override
    public void endBatch() {
        ring.publish();
    }
}
