package io.pathlore.ingest.udp;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One worker: reads its sockets, lets datagrams in or not, and hands them on. Every datagram read is counted once, and with
 * the end of a batch all counts of the batch are seen at once. Hot path.
 */
public final class ReceiveLoop implements Runnable {
    /** How long nothing may happen before someone looks at the clock. */
    private static final int TICK_MILLIS = 100;

    private static final long TICK_NANOS = TICK_MILLIS * 1_000_000L;

    /** From the kernel's time stamp to where it can be read. */
    private static final long ARRIVING_NANOS = 5_000_000;

    /** Batches of one socket before the next has its turn. */
    private static final int ROUNDS = 16;

    private final UdpSockets sockets;
    private final Admission admission;
    private final Fanout fanout;
    private final Ledger ledger;
    private final Ledger.Worker counts;
    private final Queue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();
    private boolean more;
    private long tickedAt;
    private long newest;
    private @Nullable Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    public ReceiveLoop(UdpSockets sockets, Admission admission, Fanout fanout, Ledger ledger, Ledger.Worker counts) {
        this.sockets = sockets;
        this.admission = admission;
        this.fanout = fanout;
        this.ledger = ledger;
        this.counts = counts;
        sockets.bound().forEach(socket -> ledger.addSocket(socket.label(), socket.kernelDrops()));
        tickedAt = System.nanoTime();
    }

    /** Runs it on a thread of its own, which ends after {@link #stop}. */
    public Thread start(int worker) {
        thread = Thread.ofPlatform().name("pathlore-ingest-udp-" + worker).start(this);
        return thread;
    }

    /** Waits until the thread has ended; an interrupt is kept for later. */
    public void join() {
        Thread running = thread;
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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
                for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
            }
            drain();
            tasks.forEach(task -> task.cancel(false));
        } catch (IOException e) {
            failure = e;
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    /** Waits, at most so long, and reads what is there: for who has a thread of its own, in place of {@link #run}. */
    public void turn(int millis) throws IOException {
        sockets.await(millis);
        long ticks = System.nanoTime();
        boolean due = ticks - tickedAt >= TICK_NANOS;
        long before = due ? WallClock.epochNanos() - ARRIVING_NANOS : 0;
        more = false;
        int percent = 0;
        for (int i = 0; i < sockets.size(); i++) {
            if (sockets.isReady(i) && read(i)) {
                more = true;
                percent = Math.max(percent, sockets.queuedPercent(i));
            }
        }
        fanout.onPressure(percent, ticks);
        if (due) {
            tick(ticks, before);
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
        newest = batch.timeNanos(size - 1);
        long bytes = 0;
        int accepted = 0;
        int dropped = 0;
        for (int i = 0; i < size; i++) {
            bytes += batch.wireLength(i);
            int exporter = admission.admit(batch, i);
            if (exporter != Admission.REJECTED) {
                if (fanout.offer(batch, i, exporter)) {
                    accepted++;
                } else {
                    dropped++;
                }
            }
        }
        fanout.flush();
        counts.add(Term.DATAGRAMS_READ, size);
        counts.add(Term.BYTES_READ, bytes);
        counts.add(Term.ACCEPTED, accepted);
        counts.add(Term.QUEUE_DROPPED, dropped);
        counts.publish(); // before others may see, and count, what was handed on
        fanout.endBatch();
        counts.publish();
    }

    /** {@code before} is from before the sockets were read: what arrived since may have waited while this thread did. */
    private void tick(long ticks, long before) {
        tickedAt = ticks;
        sockets.readKernelDrops();
        // What the kernel still holds was received before now.
        fanout.onTick(more ? newest : Math.max(newest, before));
        counts.publish();
    }

    /**
     * Does something between two reads, on the loop's own thread: what belongs to it can be changed there. A task that comes
     * too late is cancelled.
     */
    public Future<?> execute(Callable<?> change) {
        FutureTask<?> task = new FutureTask<>(change);
        tasks.add(task);
        sockets.wake();
        if (stopping) {
            task.cancel(false);
        }
        return task;
    }

    /**
     * Listens where {@code wanted} says. What stays is not touched; what goes is read to its end first. Where something new
     * cannot be had, all stays as it was. Inside {@link #execute}.
     */
    public void listen(Listen wanted, int worker, Consumer<String> warnings) throws IOException {
        List<UdpSockets.Bound> before = sockets.bound();
        sockets.open(wanted, worker, warnings);
        for (UdpSockets.Bound socket : sockets.bound()) {
            if (!before.contains(socket)) {
                ledger.addSocket(socket.label(), socket.kernelDrops());
            }
        }
        for (int i = sockets.size() - 1; i >= 0; i--) {
            if (!wanted.wants(sockets.socket(i), sockets.technique() == UdpSockets.Technique.CHANNEL)) {
                sockets.refuseMore(i);
                readToTheEnd(i);
                sockets.close(i);
            }
        }
    }

    private void readToTheEnd(int socket) throws IOException {
        do {
            sockets.receive(socket);
            takeBatch();
        } while (sockets.batch().size() > 0);
    }

    private void drain() throws IOException {
        sockets.refuseMore();
        for (int i = 0; i < sockets.size(); i++) {
            readToTheEnd(i);
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
