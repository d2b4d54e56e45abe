package io.pathlore.ingest.udp;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;

/**
 * Takes datagrams that were received before, from a capture or a journal, the way those from a socket go. Time is that of the
 * datagrams, so the same file gives the same result. Everybody may send: who was let in has been decided then.
 */
public final class RecordedDatagrams {
    /** So many go on at once. */
    public static final int BATCH = 64;

    private static final long TICK_NANOS = 100_000_000;

    /** In one go: enough to look at all streams there may be, whatever the times in a file are. */
    private static final long MOST_TICKS = 300;

    private final transient int batched;
    /** Whether somebody else says how far time has come. */
    private final transient boolean told;

    private final transient DatagramBatch batch;
    private final transient Admission admission;
    private final transient Fanout fanout;
    private final transient Ledger.Worker counts;
    private long newest = Long.MIN_VALUE;
    private long tickedAt = Long.MIN_VALUE;

    /** {@code admission} and {@code fanout} share the worker's counts with this. */
    public RecordedDatagrams(Admission admission, Fanout fanout, Ledger.Worker counts) {
        this(BATCH, false, admission, fanout, counts);
    }

    /** Hands on each at once, and knows of time only what it is told: one exporter may be ahead of another. */
    public static RecordedDatagrams oneByOne(Admission admission, Fanout fanout, Ledger.Worker counts) {
        return new RecordedDatagrams(1, true, admission, fanout, counts);
    }

    private RecordedDatagrams(int batched, boolean told, Admission admission, Fanout fanout, Ledger.Worker counts) {
        this.batched = batched;
        this.told = told;
        batch = new DatagramBatch(batched, DatagramBatch.LARGEST_DATAGRAM, batched);
        this.admission = admission;
        this.fanout = fanout;
        this.counts = counts;
    }

    /** Copies one of which nothing more is known. Addresses as in {@link DatagramBatch}. */
    public void add(
            long timeNanos,
            boolean v6,
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            ByteBuffer from,
            int start,
            int end) {
        add(
                timeNanos,
                0,
                v6,
                sourceHigh,
                sourceLow,
                sourcePort,
                destinationHigh,
                destinationLow,
                destinationPort,
                from,
                start,
                end);
    }

    /** Copies one. Flags and addresses as in {@link DatagramBatch}; what is longer than a datagram can be is cut. */
    public void add(
            long timeNanos,
            int flags,
            boolean v6,
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            ByteBuffer from,
            int start,
            int end) {
        if (!told && newest != Long.MIN_VALUE && timeNanos - newest >= TICK_NANOS) {
            waitUntil(timeNanos);
        }
        int slot = batch.slotOffset(batch.size());
        int length = Math.min(end - start, batch.slotBytes());
        batch.data().put(slot, from, start, length);
        int index = batch.add(slot, length, end - start, timeNanos, flags);
        batch.source(index, v6, sourceHigh, sourceLow, sourcePort);
        batch.destination(index, destinationHigh, destinationLow, destinationPort);
        if (told) {
            flush();
            return;
        }
        newest = Math.max(newest, timeNanos);
        if (tickedAt == Long.MIN_VALUE) {
            tickedAt = timeNanos;
        }
        if (batch.size() == batched || newest - tickedAt >= TICK_NANOS) {
            flush();
        }
    }

    /** Copies the one in an envelope, with what was known of it when it was received. */
    public void add(Envelope envelope) {
        int flags = (envelope.duplicate() ? DatagramBatch.DUPLICATE : 0)
                | (envelope.unbound() ? DatagramBatch.UNBOUND : 0)
                | (envelope.kernelTime() ? DatagramBatch.KERNEL_TIME : 0);
        add(
                envelope.receivedNanos(),
                flags,
                envelope.v6(),
                envelope.exporterHigh(),
                envelope.exporterLow(),
                envelope.exporterPort(),
                envelope.destinationHigh(),
                envelope.destinationLow(),
                envelope.destinationPort(),
                envelope.buffer(),
                envelope.datagramOffset(),
                envelope.datagramEnd());
    }

    /** All that was received before this time has been added. */
    public void onTime(long nanos) {
        if (told && tickedAt != Long.MIN_VALUE && nanos - tickedAt >= 2 * TICK_NANOS) {
            waitUntil(nanos);
        }
        newest = Math.max(newest, nanos);
        tickedAt = tickedAt == Long.MIN_VALUE ? nanos : tickedAt;
        if (newest - tickedAt >= TICK_NANOS) {
            flush();
        }
    }

    /** Nothing came for a while: who waits for somebody hears of time all the same, as where there is a socket. */
    private void waitUntil(long nanos) {
        flush();
        long since = told ? tickedAt : newest;
        for (long left = Math.min(MOST_TICKS, (nanos - since) / TICK_NANOS); left > 0; left--) {
            tickedAt = nanos - 1 - (left - 1) * TICK_NANOS;
            fanout.onTick(tickedAt);
        }
        newest = tickedAt;
        counts.publish();
    }

    private void flush() {
        for (int i = 0; i < batch.size(); i++) {
            counts.count(Term.DATAGRAMS_READ);
            counts.add(Term.BYTES_READ, batch.wireLength(i));
            int exporter = admission.admit(batch, i);
            if (exporter != Admission.REJECTED) {
                counts.count(fanout.offer(batch, i, exporter) ? Term.ACCEPTED : Term.QUEUE_DROPPED);
            }
        }
        fanout.flush();
        batch.clear();
        counts.publish();
        fanout.endBatch();
        if (newest - tickedAt >= TICK_NANOS) {
            tickedAt = newest;
            fanout.onTick(newest);
        }
        counts.publish();
    }

    /** There are no more. */
    public void end() {
        flush();
        fanout.end();
        counts.publish();
    }
}
