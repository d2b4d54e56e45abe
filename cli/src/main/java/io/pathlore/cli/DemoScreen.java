package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.cli.service.EventBook;
import io.pathlore.cli.service.ExporterRows.ExporterRow;
import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Rejection;
import io.pathlore.ingest.Shed;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.State;
import io.pathlore.model.EventId;
import io.pathlore.model.Fault;
import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ledger and the exporters as they move, in lines of a terminal. */
final class DemoScreen {
    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;

    /** Where the time of day stands in a time. */
    private static final int CLOCK_AT = 11;

    private static final int CLOCK_LENGTH = 8;

    private final Ink ink;
    private Ledger.@Nullable Snapshot former;
    private Map<String, Long> formerReports = new HashMap<>();
    private long formerNanos;
    private final Set<EventId> told = new HashSet<>();
    private final Map<String, State> states = new HashMap<>();

    DemoScreen(Ink ink) {
        this.ink = ink;
    }

    /** Rates are since the last call. */
    List<String> lines(Ledger.Snapshot ledger, List<ExporterRow> exporters, long flows, long ticks) {
        double seconds = former == null ? Double.NaN : (ticks - formerNanos) / NANOS;
        List<String> lines = new ArrayList<>();
        lines.add(
                row("datagrams read", Term.DATAGRAMS_READ, ledger, seconds, "kernel dropped", ledger.kernelDropped()));
        lines.add(row("accepted", Term.ACCEPTED, ledger, seconds, "rejected", rejected(ledger)));
        lines.add(row("decoded", Term.DECODED_DATAGRAMS, ledger, seconds, "undecodable", undecodable(ledger)));
        lines.add(row("journalled", Term.JOURNALLED, ledger, seconds, "journal dropped", journalDropped(ledger)));
        lines.add(row("reports", Term.REPORTS_DECODED, ledger, seconds, "reports rejected", reportsRejected(ledger)));
        lines.add(row("analysed", Term.ANALYSED, ledger, seconds, "shed", shed(ledger)));
        lines.add(String.format(
                Locale.ROOT,
                "  %-16s %12s %10s      %-16s %12s",
                "flows",
                number(flows),
                "",
                "sequence lost",
                loss(ledger.read(Term.SEQUENCE_LOST))));
        lines.add(String.format(
                Locale.ROOT,
                "  %-16s %12s %10s      %-16s %12s",
                "in flight",
                number(ledger.inFlight()),
                "",
                "duplicates",
                number(ledger.read(Term.DUPLICATES))));
        lines.add("");
        table(lines, exporters, seconds);
        former = ledger;
        formerNanos = ticks;
        return lines;
    }

    /** What happened lately, the newest first. */
    List<String> events(List<EventBook.Entry> newest, EventText words) {
        List<String> lines = new ArrayList<>();
        lines.add(ink.strong() + String.format(Locale.ROOT, "  %-8s  %-16s  %s", "WHEN", "EVENT", "WHAT") + ink.end());
        if (newest.isEmpty()) {
            lines.add("  nothing yet that reports would show");
        }
        newest.forEach(entry -> lines.add("  " + line(entry.event(), words)));
        return lines;
    }

    /** Those that were not told of before, the oldest first. */
    List<String> fresh(List<EventBook.Entry> newest, EventText words) {
        List<String> lines = new ArrayList<>();
        for (EventBook.Entry entry : newest.reversed()) {
            if (told.add(entry.event().id())) {
                lines.add(line(entry.event(), words));
            }
        }
        return lines;
    }

    /** What is done about attacks, as long as it is not over. */
    List<String> mitigations(List<Mitigation> all, DemoOperator operator) {
        return all.stream()
                .filter(each -> !each.state().isOver())
                .map(each -> "  " + line(each.createdNanos(), each, operator))
                .toList();
    }

    /** Those that were not told of before, or stood elsewhere then. */
    List<String> changed(List<Mitigation> all, DemoOperator operator, long nowNanos) {
        List<String> lines = new ArrayList<>();
        for (Mitigation each : all) {
            if (states.put(each.id(), each.state()) != each.state()) {
                lines.add(line(nowNanos, each, operator));
            }
        }
        states.keySet().retainAll(all.stream().map(Mitigation::id).toList());
        return lines;
    }

    private static String line(long timeNanos, Mitigation each, DemoOperator operator) {
        String more = "";
        if (each.state() == State.PROPOSED) {
            long seconds = Math.max(0, Math.ceilDiv(operator.waitsNanos(each), 1_000_000_000L));
            more = "; approve it on the page, or the operator '" + DemoOperator.NAME + "' does in " + seconds + " s";
        } else if (each.packetsPerSecond() >= 0 && each.proven()) {
            more = "; stops " + number(each.packetsPerSecond()) + " packets/s";
        }
        return String.format(
                Locale.ROOT, "%-8s  %-16s  %s%s", clock(timeNanos), each.state().label(), each.reason(), more);
    }

    private static String line(Event event, EventText words) {
        return String.format(
                Locale.ROOT,
                "%-8s  %-16s  %s",
                clock(event.startNanos()),
                event.kind().label(),
                words.of(event));
    }

    private static String clock(long epochNanos) {
        return TimeText.of(epochNanos).substring(CLOCK_AT, CLOCK_AT + CLOCK_LENGTH);
    }

    private String row(String name, Term term, Ledger.Snapshot ledger, double seconds, String other, long bad) {
        long now = ledger.read(term);
        long before = former == null ? 0 : former.read(term);
        return String.format(
                Locale.ROOT,
                "  %-16s %12s %10s      %-16s %12s",
                name,
                number(now),
                Double.isNaN(seconds) ? "" : String.format(Locale.ROOT, "%,.0f/s", (now - before) / seconds),
                other,
                loss(bad));
    }

    private String loss(long count) {
        String padded = String.format(Locale.ROOT, "%12s", number(count));
        return count == 0 ? padded : ink.wrong() + padded + ink.end();
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static long rejected(Ledger.Snapshot ledger) {
        long sum = ledger.read(Term.QUEUE_DROPPED);
        for (Rejection reason : Rejection.values()) {
            sum += ledger.rejected(reason);
        }
        return sum;
    }

    private static long undecodable(Ledger.Snapshot ledger) {
        long sum = 0;
        for (Fault fault : Fault.values()) {
            sum += ledger.undecodable(fault);
        }
        return sum;
    }

    private static long reportsRejected(Ledger.Snapshot ledger) {
        long sum = 0;
        for (Fault fault : Fault.values()) {
            sum += ledger.reportsRejected(fault);
        }
        return sum;
    }

    private static long journalDropped(Ledger.Snapshot ledger) {
        long sum = 0;
        for (JournalDrop reason : JournalDrop.values()) {
            sum += ledger.journalDropped(reason);
        }
        return sum;
    }

    private static long shed(Ledger.Snapshot ledger) {
        long sum = 0;
        for (Shed reason : Shed.values()) {
            sum += ledger.shed(reason);
        }
        return sum;
    }

    private void table(List<String> lines, List<ExporterRow> exporters, double seconds) {
        String format = "  %-10s %6s %-15s %12s %10s %8s %11s %9s";
        lines.add(ink.strong()
                + String.format(
                        Locale.ROOT,
                        format,
                        "EXPORTER",
                        "NODE",
                        "ADDRESS",
                        "REPORTS",
                        "PER SEC",
                        "LOST",
                        "COMPLETE",
                        "RESTARTS")
                + ink.end());
        Map<String, Long> reports = new HashMap<>();
        for (ExporterRow exporter : exporters) {
            String address = exporter.counts().address();
            long now = exporter.counts().reports();
            long before = formerReports.getOrDefault(address, 0L);
            reports.put(address, now);
            SequenceTotals totals = exporter.sequences() == null
                    ? SequenceTotals.NONE
                    : exporter.sequences().totals();
            long lost = totals.lost() + totals.missing();
            String lostText = String.format(Locale.ROOT, "%8s", totals.arrived() == 0 ? "-" : number(lost));
            lines.add(String.format(
                    Locale.ROOT,
                    format.replace("%8s", "%s"),
                    exporter.name() == null ? "-" : exporter.name(),
                    exporter.nodes().isEmpty() ? "-" : exporter.nodes().getFirst(),
                    address,
                    number(now),
                    Double.isNaN(seconds) ? "" : String.format(Locale.ROOT, "%,.0f", (now - before) / seconds),
                    lost > 0 ? ink.wrong() + lostText + ink.end() : lostText,
                    Double.isFinite(totals.completeness())
                            ? String.format(Locale.ROOT, "%.3f %%", PERCENT * totals.completeness())
                            : "-",
                    number(totals.restarts())));
        }
        formerReports = reports;
    }
}
