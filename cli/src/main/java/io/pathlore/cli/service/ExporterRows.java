package io.pathlore.cli.service;

import io.pathlore.analysis.health.ClockOffset;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.cli.config.Inventory;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.model.Fault;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Sources;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who sent reports, as it is shown. */
public final class ExporterRows {
    private static final long CENSUS_SECONDS = 5;

    /**
     * One exporter, as far as it is known.
     *
     * @param sequences null where the answer did not come in time
     * @param clockAhead of ours, at least, in nanoseconds; {@link ClockOffset#UNKNOWN}
     */
    public record ExporterRow(
            ExporterTable.Row counts,
            @Nullable String name,
            List<Long> nodes,
            @Nullable SequenceRow sequences,
            long clockAhead) {}

    /** What its numbers say. */
    public record SequenceRow(int streams, SequenceTotals totals, boolean suspected) {}

    private ExporterRows() {}

    /** In the order of their addresses. */
    static List<ExporterRow> of(List<Pipeline> pipelines, Inventory inventory) {
        Map<String, Census.Entry> entries = new HashMap<>();
        boolean whole = true;
        var asked = pipelines.stream().map(each -> each.census().ask()).toList();
        for (var answer : asked) {
            try {
                answer.get(CENSUS_SECONDS, TimeUnit.SECONDS).exporters().forEach((address, entry) -> {
                    entries.merge(address, entry, Census.Entry::plus);
                });
            } catch (TimeoutException | ExecutionException e) {
                whole = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                whole = false;
            }
        }
        Map<String, ExporterTable.Row> rows = new HashMap<>();
        for (Pipeline pipeline : pipelines) {
            pipeline.exporters().rows().forEach(row -> rows.merge(row.address(), row, ExporterRows::plus));
        }
        List<ExporterRow> all = new ArrayList<>();
        for (ExporterTable.Row row : rows.values()) {
            Census.Entry entry = entries.get(row.address());
            Inventory.Node node = inventory.byAddress(InetAddress.ofLiteral(row.address()));
            SequenceRow sequences = entry == null
                    ? whole ? new SequenceRow(0, SequenceTotals.NONE, false) : null
                    : new SequenceRow(entry.streams(), entry.totals(), entry.suspected());
            all.add(new ExporterRow(
                    row,
                    node == null ? null : node.name(),
                    entry == null ? List.of() : List.copyOf(entry.nodes()),
                    sequences,
                    entry == null ? ClockOffset.UNKNOWN : entry.clockAhead()));
        }
        all.sort(Comparator.comparing(each -> each.counts().address(), ExporterRows::byAddress));
        return all;
    }

    private static ExporterTable.Row plus(ExporterTable.Row one, ExporterTable.Row other) {
        boolean oneIsLater = one.lastSeenNanos() >= other.lastSeenNanos();
        return new ExporterTable.Row(
                one.address(),
                Math.min(one.firstSeenNanos(), other.firstSeenNanos()),
                Math.max(one.lastSeenNanos(), other.lastSeenNanos()),
                one.datagrams() + other.datagrams(),
                one.bytes() + other.bytes(),
                one.reports() + other.reports(),
                one.rejectedReports() + other.rejectedReports(),
                one.undecodable() + other.undecodable(),
                one.overRate() + other.overRate(),
                oneIsLater ? one.lastFault() : other.lastFault());
    }

    /** 10.0.0.9 before 10.0.0.10, IPv4 before IPv6. */
    private static int byAddress(String one, String other) {
        byte[] a = InetAddress.ofLiteral(one).getAddress();
        byte[] b = InetAddress.ofLiteral(other).getAddress();
        return a.length != b.length ? a.length - b.length : Arrays.compareUnsigned(a, b);
    }

    /** One line of the list: its address, and who writes the rest. */
    record Listed(String address, Consumer<JsonText> writer) {}

    /** A part of them, as the API has it. */
    static String page(List<ExporterRow> exporters, Sources.Page page) throws Problem {
        return pageOf(
                exporters.stream()
                        .map(each -> new Listed(each.counts().address(), json -> write(json, each)))
                        .toList(),
                page);
    }

    /** Puts them in the order of their addresses. */
    static String sortedPage(List<Listed> exporters, Sources.Page page) throws Problem {
        return pageOf(
                exporters.stream()
                        .sorted(Comparator.comparing(Listed::address, ExporterRows::byAddress))
                        .toList(),
                page);
    }

    private static String pageOf(List<Listed> exporters, Sources.Page page) throws Problem {
        String after = page.cursor();
        if (after != null && !isAddress(after)) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        JsonText json = new JsonText().open('{').name("items").open('[');
        int count = 0;
        String last = null;
        boolean more = false;
        for (Listed exporter : exporters) {
            String address = exporter.address();
            if (after != null && byAddress(address, after) <= 0) {
                continue;
            }
            if (count++ == page.limit()) {
                more = true;
                break;
            }
            exporter.writer().accept(json);
            last = address;
        }
        json.close(']');
        if (more && last != null) {
            json.name("next").value(last);
        }
        return json.close('}').toString();
    }

    private static boolean isAddress(String text) {
        try {
            return InetAddress.ofLiteral(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static void write(JsonText json, ExporterRow exporter) {
        ExporterTable.Row row = exporter.counts();
        json.open('{').name("address").value(row.address());
        if (exporter.name() != null) {
            json.name("name").value(exporter.name());
        }
        json.name("nodes").open('[');
        exporter.nodes().forEach(json::value);
        json.close(']');
        json.name("firstSeen").value(TimeText.of(row.firstSeenNanos()));
        json.name("lastSeen").value(TimeText.of(row.lastSeenNanos()));
        json.name("datagrams").value(row.datagrams());
        json.name("bytes").value(row.bytes());
        json.name("reports").value(row.reports());
        json.name("rejectedReports").value(row.rejectedReports());
        json.name("undecodable").value(row.undecodable());
        json.name("overRate").value(row.overRate());
        if (row.lastFault() != Fault.NONE) {
            json.name("lastFault").value(row.lastFault().name());
        }
        SequenceRow sequences = exporter.sequences();
        if (sequences != null) {
            SequenceTotals totals = sequences.totals();
            json.name("streams").value(sequences.streams());
            json.name("lost").value(totals.lost());
            json.name("missing").value(totals.missing());
            json.name("duplicates").value(totals.duplicates());
            json.name("reordered").value(totals.reordered());
            json.name("late").value(totals.late());
            json.name("restarts").value(totals.restarts());
            json.name("unknownGaps").value(totals.unknownGaps());
            if (Double.isFinite(totals.completeness())) {
                json.name("completeness").value(totals.completeness());
            }
            json.name("suspected").value(sequences.suspected());
        }
        if (exporter.clockAhead() != ClockOffset.UNKNOWN) {
            json.name("clockAheadNs").value(exporter.clockAhead());
        }
        json.close('}');
    }
}
