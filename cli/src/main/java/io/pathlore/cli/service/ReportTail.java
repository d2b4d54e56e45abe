package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Listener;
import io.pathlore.store.journal.JournalReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Tells one listener of reports as they are journalled. It reads what the journal has written, so nobody who receives knows of it; it
 * works at most half of the time, and where that is not enough it skips to the end of the journal and says so.
 */
final class ReportTail {
    private static final long NANOS = 1_000_000_000L;
    private static final long TICK_NANOS = NANOS / EvenChoice.TICKS_PER_SECOND;
    private static final long WORK_NANOS = TICK_NANOS / 2;
    private static final long TOO_FAR_NANOS = 2 * NANOS;

    private final JournalReports reports;
    private final Listener listener;
    private final LongSupplier epochNanos;
    private final EvenChoice choice;

    private JournalReader reader;
    private long lastPosition = -1;
    private long lastNanos;
    private boolean atEnd;
    private long seenBefore;
    private long skipped;

    ReportTail(
            JournalReports reports, Config config, Filter filter, int rate, Listener listener, LongSupplier epochNanos)
            throws IOException {
        this.reports = reports;
        this.listener = listener;
        this.epochNanos = epochNanos;
        long now = epochNanos.getAsLong();
        choice = new EvenChoice(rate, new SplittableRandom(now));
        reader = reports.begin(config, filter).between(now, Long.MAX_VALUE);
        reader.skipToEnd();
    }

    /** Until nobody listens. */
    void run() throws IOException, InterruptedException {
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
            reader = reader.fromPosition(lastPosition + 1);
            reader.skipToEnd();
        }
        long end = System.nanoTime() + WORK_NANOS;
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
