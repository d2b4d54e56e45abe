package io.pathlore.it.collect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One exporter that sends at a steady rate, beside whatever else happens, until it is stopped; and remembers what it sent. */
final class Load implements AutoCloseable {
    private static final int PER_TURN = 20;

    private final Sender sender;
    private final int port;
    private final int node;
    private final int payload;
    private final Thread thread;
    private volatile int begun;
    private volatile boolean stopping;

    Load(String address, int port, int node, int perSecond) throws IOException {
        this(address, port, node, perSecond, 0);
    }

    /** Datagrams are numbered from 1; {@code node} sets the loads of one test apart, {@code payload} makes them longer. */
    Load(String address, int port, int node, int perSecond, int payload) throws IOException {
        this.port = port;
        this.node = node;
        this.payload = payload;
        sender = Sender.from(address);
        thread = Thread.ofPlatform().start(() -> run(perSecond));
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void run(int perSecond) {
        long start = System.nanoTime();
        try {
            while (!stopping) {
                for (int i = 0; i < PER_TURN; i++) {
                    begun++;
                    sender.send(port, bytes(begun));
                }
                long due = start + begun * TimeUnit.SECONDS.toNanos(1) / perSecond;
                LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was sent as number so much. */
    byte[] bytes(int number) {
        return ReportBytes.v20(1, number, node, number, 1, number & 0xFF, payload);
    }

    String exporter() {
        return sender.address();
    }

    /** Datagrams so far; the last of them may be on its way. */
    int sent() {
        return begun;
    }

    void awaitSent(int datagrams) throws IOException {
        RunningCollector.until("sent", () -> begun >= datagrams);
    }

    /** How many were sent. */
    int stop() {
        stopping = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return begun;
    }

    @Override
    public void close() throws IOException {
        stop();
        sender.close();
    }
}
