package io.pathlore.bench.load;

import io.pathlore.bench.Contestant;
import java.io.IOException;

/** A receiver and the sender it has to itself. */
final class Lane implements Lossless.Road, AutoCloseable {
    /** Fit into a receive buffer of 4 MiB. */
    static final int PRELOAD = 5_000;

    private static final int POLL_MILLIS = 20;

    /** What it took to empty the socket, for one datagram. */
    record Drained(double nanos, double allocatedBytes) {}

    private final Entry entry;
    private final Contestant receiver;
    private final Contestant sender;
    private final Cleaning cleaning;
    private long read;
    private long lostInside;

    /** What is to be done when both have ended. */
    interface Cleaning {
        void run() throws IOException;
    }

    Lane(Entry entry, Contestant receiver, Contestant sender, Cleaning cleaning) {
        this.entry = entry;
        this.receiver = receiver;
        this.sender = sender;
        this.cleaning = cleaning;
    }

    /** Fills the socket and has it emptied, so many times. */
    Drained drain(int times) throws IOException {
        long nanos = 0;
        long allocated = 0;
        for (int i = 0; i < times; i++) {
            sender.ask("send " + PRELOAD);
            long[] answer = receiver.numbers("drain " + PRELOAD);
            if (answer[0] != PRELOAD) {
                throw new IOException(
                        "%s got %d of %d datagrams: is the receive buffer capped? see: sysctl net.core.rmem_max"
                                .formatted(entry.title(), answer[0], PRELOAD));
            }
            nanos += answer[1];
            allocated += answer[2];
        }
        if (entry.isJava()) {
            nanos += receiver.work("settle");
        }
        double datagrams = (double) times * PRELOAD;
        return new Drained(nanos / datagrams, allocated / datagrams);
    }

    /** Sends at this rate for so long, and counts what did not arrive. */
    @Override
    public Lossless.Ran run(double perSecond, double seconds) throws IOException, InterruptedException {
        long[] sent = sender.numbers("pace %d %d".formatted((long) perSecond, (long) (perSecond * seconds)));
        long before = read;
        long lostBefore = lostInside;
        // The receiver may be behind by what its buffer holds.
        boolean moving = true;
        while (moving && read - before < sent[0]) {
            long[] now = receiver.numbers("count");
            moving = now[0] != read;
            read = now[0];
            lostInside = now[1];
            Thread.sleep(POLL_MILLIS);
        }
        long lost = sent[0] - (read - before) + (lostInside - lostBefore);
        return new Lossless.Ran(sent[0] * 1e9 / sent[1], sent[0], lost);
    }

    /** That the books of the receiver agree with each other, and with what was sent. */
    void check() throws IOException {
        if (entry.isJava()) {
            String wrong = receiver.ask("check");
            if (!wrong.isEmpty()) {
                throw new IOException(entry.title() + ": " + wrong);
            }
        }
    }

    @Override
    public void close() throws IOException {
        sender.close();
        receiver.close();
        cleaning.run();
    }
}
