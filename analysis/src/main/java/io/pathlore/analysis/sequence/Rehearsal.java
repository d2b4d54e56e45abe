package io.pathlore.analysis.sequence;

import java.util.SplittableRandom;

/**
 * Goes through everything that can befall numbers, with streams made up for it, before the first real one comes. A compiler that
 * has only seen datagrams in order leaves out the code for all others; it would have to compile anew just when datagrams begin
 * to get lost, and for that time the receiver would lose many more.
 */
public final class Rehearsal {
    private static final int STREAMS = 64;
    private static final int DATAGRAMS = 400_000;
    private static final long STEP_NANOS = 50_000;
    private static final long SILENCE_NANOS = 8_000_000_000L;
    private static final long LONG_SILENCE_NANOS = 50_000_000_000_000L;

    private Rehearsal() {}

    /** Takes a fraction of a second; leaves nothing behind. */
    public static void run() {
        play();
    }

    static SequenceTable play() {
        var table = new SequenceTable(STREAMS - 4, 1, SequenceTracker.Rules.DEFAULT);
        var random = new SplittableRandom(1);
        var key = new StreamKey();
        long[] numbers = new long[STREAMS];
        long now = 1_000_000_000_000_000_000L;
        int settled = 0;
        for (int i = 0; i < DATAGRAMS; i++) {
            // Most of the time all is well, as it will be.
            int stream = random.nextInt(random.nextInt(16) == 0 ? STREAMS : STREAMS / 2);
            int reports = stream % 8 == 0 ? 1 + random.nextInt(3) : 1;
            long number = numbers[stream] += stream % 16 == 0 ? reports : 1;
            switch (random.nextInt(64)) {
                case 0 -> number = numbers[stream] += 1 + random.nextInt(20); // lost
                case 1 -> number -= random.nextInt(1_500); // again, or late
                case 2 -> {
                    numbers[stream] -= 1; // two change places
                    number++;
                }
                case 3 -> now += silence(random.nextInt(1_000));
                case 4 -> {
                    if (random.nextInt(10) == 0) {
                        numbers[stream] = random.nextInt(1 << 22); // starts anew
                    }
                }
                default -> {}
            }
            now += STEP_NANOS;
            key.exporter(0, 1 + stream % 7).destination(0, 1, 1);
            switch (stream % 3) {
                case 0 -> key.version20(stream, 0);
                case 1 -> key.version10(stream, 0);
                default -> key.version05(stream & 63);
            }
            long hash = random.nextInt(16) == 0 ? 1 : number * 31 + stream;
            table.on(key, Counting.AUTO, stream % 5 == 4 ? 7 : number, now, reports, hash);
            if (i % 256 == 0) {
                settled = table.settle(settled, STREAMS, now);
            }
        }
        table.close();
        return table;
    }

    private static long silence(int dice) {
        return dice < 4 ? LONG_SILENCE_NANOS : dice < 8 ? SILENCE_NANOS : STEP_NANOS;
    }
}
