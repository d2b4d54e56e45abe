package io.pathlore.cli.service;

import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.store.journal.JournalRing;
import io.pathlore.wire.envelope.Envelope;

/** Hands the datagrams of one worker to the journal. Hot path. */
final class JournalFeed implements Journalling {
    /** Where nothing is kept. */
    static final Journalling OFF = (batch, index) -> {};

    private final JournalRing ring;
    private final Ledger.Worker ledger;

    JournalFeed(JournalRing ring, Ledger.Worker ledger) {
        this.ring = ring;
        this.ledger = ledger;
    }

    @Override
    public void offer(DatagramBatch batch, int index) {
        boolean taken = ring.offer(
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
        if (!taken) {
            ledger.journalDropped(JournalDrop.SLOW);
        }
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
