package io.pathlore.ingest.udp;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One worker: reads its sockets, lets datagrams in or not, and hands them on. Every datagram read is counted once, and with
 * the end of a batch all counts of the batch are seen at once. Hot path.
 */
public final class ReceiveLoop implements Runnable {
    /** How long nothing may happen before someone looks at the clock. */
    private static final int TICK_MILLIS = 100;

    private static final long TICK_NANOS = TICK_MILLIS * 1_000_000L;

    /** Batches of one socket before the next has its turn. */
    private static final int ROUNDS = 16;

    private final UdpSockets sockets;
    private final Admission admission;
    private final Fanout fanout;
    private final Ledger.Worker counts;
    private boolean more;
    private long tickedAt;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    public ReceiveLoop(UdpSockets sockets, Admission admission, Fanout fanout, Ledger ledger, Ledger.Worker counts) {
        this.sockets = sockets;
        this.admission = admission;
        this.fanout = fanout;
        this.counts = counts;
        for (int i = 0; i < sockets.size(); i++) {
            ledger.addSocket(sockets.socket(i).label(), sockets.socket(i).kernelDrops());
        }
        tickedAt = System.nanoTime();
    }

    /** Runs it on a thread of its own, which ends after {@link #stop}. */
    public Thread start(int worker) {
        return Thread.ofPlatform().name("pathlore-ingest-udp-" + worker).start(this);
    }

    /**
     * Reads until {@link #stop}, then what the kernel had queued by then, and closes the sockets. What arrives meanwhile is
     * counted as dropped by the kernel.
     */
    @Override
    public void run() {
        try (sockets) {
            while (!stopping) {
                turn(more ? 0 : TICK_MILLIS);
            }
            drain();
        } catch (IOException e) {
            failure = e;
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    /** Waits, at most so long, and reads what is there. */
    void turn(int millis) throws IOException {
        sockets.await(millis);
        more = false;
        for (int i = 0; i < sockets.size(); i++) {
            if (sockets.isReady(i)) {
                more |= read(i);
            }
        }
        if (System.nanoTime() - tickedAt >= TICK_NANOS) {
            tick();
        }
    }

    private boolean read(int socket) throws IOException {
        boolean full = true;
        for (int round = 0; full && round < ROUNDS; round++) {
            full = sockets.receive(socket);
            takeBatch();
        }
        return full;
    }

    private void takeBatch() {
        DatagramBatch batch = sockets.batch();
        int size = batch.size();
        if (size == 0) {
            return;
        }
        for (int i = 0; i < size; i++) {
            counts.count(Term.DATAGRAMS_READ);
            counts.add(Term.BYTES_READ, batch.wireLength(i));
            int exporter = admission.admit(batch, i);
            if (exporter != Admission.REJECTED) {
                counts.count(fanout.offer(batch, i, exporter) ? Term.ACCEPTED : Term.QUEUE_DROPPED);
            }
        }
        counts.publish(); // before others may see, and count, what was handed on
        fanout.endBatch();
        counts.publish();
    }

    private void tick() {
        tickedAt = System.nanoTime();
        sockets.readKernelDrops();
        fanout.onTick(WallClock.epochNanos());
        counts.publish();
    }

    private void drain() throws IOException {
        sockets.refuseMore();
        for (int i = 0; i < sockets.size(); i++) {
            do {
                sockets.receive(i);
                takeBatch();
            } while (sockets.batch().size() > 0);
        }
        sockets.readKernelDrops();
        fanout.end();
        counts.publish();
    }

    /** Ends it: reading what is queued takes a moment more. From any thread. */
    public void stop() {
        stopping = true;
        sockets.wake();
    }

    /** Why it ended without being told to, or null. */
    public @Nullable Throwable failure() {
        return failure;
    }
}
