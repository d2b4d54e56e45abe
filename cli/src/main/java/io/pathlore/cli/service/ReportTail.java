package io.pathlore.cli.service;

import io.pathlore.serve.JsonText;
import io.pathlore.serve.Listener;
import io.pathlore.store.journal.JournalReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Tells one listener of reports as they are journalled. It reads what the journal has written, so nobody who receives knows of it; it
 * works at most half of the time, and where that is not enough it skips to the end of the journal and says so.
 */
final class ReportTail {
    private static final long NANOS = 1_000_000_000L;
    private static final long TICK_NANOS = NANOS / EvenChoice.TICKS_PER_SECOND;
    static final long WORK_NANOS = TICK_NANOS / 2;
    private static final long TOO_FAR_NANOS = 2 * NANOS;

    /** As a {@link Listener} does. */
    interface Hearer {
        boolean tell(String event, String data);

        boolean stays(Duration time) throws InterruptedException;

        static Hearer of(Listener listener) {
            return new Hearer() {
                @Override
                public boolean tell(String event, String data) {
                    return listener.tell(event, data);
                }

                @Override
                public boolean stays(Duration time) throws InterruptedException {
                    return listener.stays(time);
                }
            };
        }
    }

    private final JournalReports reports;
    private final Hearer listener;
    private final long workNanos;
    private final LongSupplier epochNanos;
    private final EvenChoice choice;

    private final JournalReader reader;
    private long lastPosition = -1;
    private long lastNanos;
    private boolean atEnd;
    private long seenBefore;
    private long skipped;

    /**
     * Follows what the reader of the reports was told to read.
     *
     * @param workNanos of each tenth of a second
     */
    ReportTail(
            JournalReports reports,
            JournalReader reader,
            EvenChoice choice,
            Hearer listener,
            LongSupplier epochNanos,
            long workNanos) {
        this.reports = reports;
        this.reader = reader;
        this.choice = choice;
        this.listener = listener;
        this.epochNanos = epochNanos;
        this.workNanos = workNanos;
    }

    /** Until nobody listens. */
    void run() throws IOException, InterruptedException {
        reader.skipToEnd();
        long tickEnd = System.nanoTime() + TICK_NANOS;
        while (true) {
            read();
            // Where the machine is busy, ticks that were missed are not made up for.
            long now = System.nanoTime();
            long wait = Math.max(tickEnd - now, TICK_NANOS / 10);
            tickEnd = Math.max(tickEnd, now) + TICK_NANOS;
            if (!listener.stays(Duration.ofNanos(wait)) || !tell(choice.tick())) {
                return;
            }
            if (choice.secondIsOver()) {
                if (!listener.tell("rate", rate())) {
                    return;
                }
                choice.nextSecond();
                seenBefore = reports.reports();
                skipped = 0;
            }
        }
    }

    private boolean tell(List<String> chosen) {
        for (String json : chosen) {
            if (!listener.tell("report", json)) {
                return false;
            }
        }
        return true;
    }

    private void read() throws IOException {
        if (!atEnd && lastPosition >= 0 && epochNanos.getAsLong() - lastNanos > TOO_FAR_NANOS) {
            reader.fromPosition(lastPosition + 1).skipToEnd();
        }
        long end = System.nanoTime() + workNanos;
        do {
            atEnd = !reports.next(at -> choice.offer(() -> at.json(false)));
            if (!atEnd) {
                long position = reports.envelope().position();
                skipped += lastPosition < 0 ? 0 : position - lastPosition - 1;
                lastPosition = position;
                lastNanos = reports.envelope().receivedNanos();
            }
        } while (!atEnd && System.nanoTime() < end);
    }

    private String rate() {
        long behind = atEnd || lastPosition < 0 ? 0 : Math.max(0, epochNanos.getAsLong() - lastNanos);
        JsonText json = new JsonText().open('{');
        json.name("shown").value(choice.shown());
        json.name("matching").value(choice.matching());
        json.name("seen").value(reports.reports() - seenBefore);
        json.name("behind").value((double) behind / NANOS);
        if (skipped > 0) {
            json.name("skipped").value(skipped);
        }
        return json.close('}').toString();
    }
}
