package io.pathlore.cli.service;

import io.pathlore.cli.config.Config;
import io.pathlore.cli.service.ReportQuery.Cursor;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Reply;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.wire.envelope.Envelope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One answer about reports: as many as were asked for, or as could be found with so much work, and where to go on. */
final class ReportPage {
    /** Characters of JSON, or octets of a capture. */
    static final int MAX_SIZE = 8 << 20;

    private static final int FIRST_STEP = 256;
    private static final int STEP_GROWTH = 4;
    static final String DISPOSITION = "Content-Disposition";
    static final String CAPTURE_TYPE = "application/vnd.tcpdump.pcap";

    /** What one answer may cost. */
    record Budget(long octets, long nanos) {
        static final Budget DEFAULT = new Budget(128 << 20, 1_000_000_000L);
    }

    private record Found(long position, int ordinal, String json) {}

    private final JournalReports reports;
    private final ReportQuery query;
    private final Budget budget;
    private final long startTicks = System.nanoTime();

    private final JsonText json = new JsonText();
    private int items;
    private long size;
    private @Nullable Cursor next;

    // Where the walk is.
    private long lastPosition;
    private boolean full;
    private boolean matched;

    private ReportPage(JournalReports reports, ReportQuery query, Budget budget) {
        this.reports = reports;
        this.query = query;
        this.budget = budget;
    }

    static Reply answer(JournalReports reports, Config config, ReportQuery query, Budget budget) throws IOException {
        ReportPage page = new ReportPage(reports, query, budget);
        JournalReader ignored = reports.begin(config, query.filter());
        return query.capture() ? page.capture() : page.list();
    }

    private boolean spent() {
        return reports.octets() >= budget.octets || System.nanoTime() - startTicks >= budget.nanos;
    }

    private Reply list() throws IOException {
        json.open('{').name("items").open('[');
        if (query.from().newest()) {
            newest();
        } else {
            oldest();
        }
        json.close(']');
        if (next != null) {
            json.name("next").value(next.toString());
        }
        json.name("scanned").open('{');
        json.name("datagrams").value(reports.datagrams());
        json.name("reports").value(reports.reports());
        json.name("octets").value(reports.octets());
        if (reports.damaged() > 0) {
            json.name("damaged").value(reports.damaged());
        }
        return Reply.json(200, json.close('}').close('}').toString());
    }

    // The oldest first
    // --------------------------------------------------------------------------------------------------------------

    private void oldest() throws IOException {
        walk(this::add, () -> {});
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Through the span that was asked for, until it ends, there is enough, or it was too much work. */
    private void walk(DecodedReports.Taker taker, Step afterEach) throws IOException {
        Cursor from = query.from();
        JournalReader ignored =
                reports.again().between(from.since(), from.until()).fromPosition(from.position());
        while (!full && reports.next(taker)) {
            lastPosition = reports.envelope().position();
            afterEach.run();
            if (!full && spent()) {
                next = from.at(lastPosition + 1, 0);
                return;
            }
        }
    }

    private void add(DecodedReports at) {
        Cursor from = query.from();
        long position = at.envelope().position();
        if (full || position == from.position() && at.ordinal() < from.ordinal()) {
            return;
        }
        String text = at.json(query.raw());
        json.raw(text);
        size += text.length();
        if (++items == query.limit() || size >= MAX_SIZE) {
            full = true;
            next = from.at(position, at.ordinal() + 1);
        }
    }

    private Reply capture() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(bytes)) {
            walk(at -> matched = true, () -> {
                if (matched) {
                    matched = false;
                    size += reports.envelope().datagramLength();
                    if (writer.write(reports.envelope()) && ++items == query.limit() || size >= MAX_SIZE) {
                        full = true;
                        next = query.from().at(lastPosition + 1, 0);
                    }
                }
            });
        }
        Map<String, String> headers = new HashMap<>();
        headers.put(DISPOSITION, "attachment; filename=\"reports.pcap\"");
        if (next != null) {
            headers.put("Pathlore-Next", next.toString());
        }
        return new Reply.Content(200, CAPTURE_TYPE, bytes.toByteArray(), headers);
    }

    /** One datagram, as it was received. */
    static Reply capture(Envelope envelope) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(bytes)) {
            writer.write(envelope);
        }
        return new Reply.Content(
                200, CAPTURE_TYPE, bytes.toByteArray(), Map.of(DISPOSITION, "attachment; filename=\"report.pcap\""));
    }

    // The newest first
    // --------------------------------------------------------------------------------------------------------------

    /**
     * A journal is read forwards. So its end is read in steps, each of which lies before the last one and is larger; positions rise
     * from record to record, which makes them exact.
     */
    private void newest() throws IOException {
        Cursor from = query.from();
        Cursor before = from.position() == Long.MAX_VALUE ? from.at(end(from.until()), 0) : from;
        long step = FIRST_STEP;
        boolean first = true;
        while (!full && (before.position() > 0 || before.ordinal() > 0)) {
            if (!first && spent()) {
                next = before;
                return;
            }
            long low = Math.max(0, before.position() - step);
            ArrayDeque<Found> found = new ArrayDeque<>();
            boolean whole = step(low, before, found, first);
            if (!whole) {
                next = before;
                return;
            }
            full |= items + found.size() == query.limit();
            for (Iterator<Found> latest = found.descendingIterator(); latest.hasNext(); ) {
                Found each = latest.next();
                json.raw(each.json);
                items++;
                size += each.json.length();
                before = before.at(each.position, each.ordinal);
            }
            if (full) {
                next = before;
                return;
            }
            before = before.at(low, 0);
            first = false;
            step = step > Long.MAX_VALUE / STEP_GROWTH ? step : step * STEP_GROWTH;
        }
    }

    /** A position behind all that was received before {@code until}. */
    private long end(long until) throws IOException {
        JournalReader reader = reports.again().between(until + JournalReports.DISORDER_NANOS, Long.MAX_VALUE);
        if (reader.next()) {
            return reader.envelope().position();
        }
        reader = reports.again();
        reader.skipToEnd();
        long end = Math.max(0, reader.segmentPosition()); // after a start nothing is in it yet
        while (reader.next()) {
            end = reader.envelope().position() + 1;
        }
        return end;
    }

    /** False: it was too much work, and what was found is not all of the latest. */
    private boolean step(long low, Cursor before, ArrayDeque<Found> found, boolean first) throws IOException {
        Cursor from = query.from();
        JournalReader ignored =
                reports.again().between(from.since(), from.until()).fromPosition(low);
        int room = query.limit() - items;
        long[] held = {size};
        DecodedReports.Taker taker = at -> {
            long position = at.envelope().position();
            if (position > before.position() || position == before.position() && at.ordinal() >= before.ordinal()) {
                return;
            }
            String text = at.json(query.raw());
            found.addLast(new Found(position, at.ordinal(), text));
            held[0] += text.length();
            while (found.size() > room || held[0] > MAX_SIZE && found.size() > 1) {
                held[0] -= found.removeFirst().json.length();
                full = true;
            }
        };
        while (reports.next(taker)) {
            if (reports.envelope().position() >= before.position()) {
                return true;
            }
            if (!first && spent()) {
                full = false;
                return false;
            }
        }
        return true;
    }
}
