package io.pathlore.cli;

import io.pathlore.cli.Outcomes.Noticed;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketWalker;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes everything twice. The lenient decoder finds and repairs known departures; the strict one, looking for INT in the
 * same places, stumbles over whatever else does not follow the text. A packet that only looks marked is no finding.
 */
final class Linter implements Input.Handler {
    private static final int MAX_EXPORTERS = 4096;
    private static final String OTHERS = "(others)";

    /** Takes findings as they are made; {@code before} is how often the exporter broke the same rule already. */
    interface Printer {
        void finding(Finding finding, long before, ByteBuffer buffer, int start, int end);
    }

    private final ReportDecoder lenient;
    private final ReportDecoder strict;
    private final Exporters lenientExporters;
    private final Exporters strictExporters;
    private final ReportFilter filter;
    private final Printer printer;
    private final Map<String, ExporterSummary> summaries = new LinkedHashMap<>();
    private final Outcomes found;
    private final Outcomes refused;

    private Place place = new Place();
    private ExporterSummary summary = new ExporterSummary("");
    private String exporter = "";
    private boolean firstReport;
    /** Where the reports of the datagram at hand start that are not wanted, and how many are. */
    private final Set<Integer> leftOut = new HashSet<>();

    private int wanted;

    Linter(Config config, Profiles profiles, Inventory inventory, ReportFilter filter, Printer printer) {
        this.filter = filter;
        DecodeOptions options = config.decode().lenientOptions();
        lenient = new ReportDecoder(options);
        strict = new ReportDecoder(options.withStrict(true));
        lenientExporters = new Exporters(profiles, inventory);
        strictExporters = new Exporters(profiles, inventory);
        this.printer = printer;
        found = new Outcomes(lenient.warnings(), new Outcomes.Watcher() {
            @Override
            public void onReport(ReportView report) {
                boolean isWanted = filter.wants(place, report);
                note(isWanted, report.start());
                summary.onReport(place, report, firstReport, isWanted);
                firstReport = false;
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                boolean isWanted = filter.wantsRejected(place, fault);
                note(isWanted, offset);
                if (isWanted) {
                    summary.onRejected();
                }
            }

            private void note(boolean isWanted, int start) {
                wanted += isWanted ? 1 : 0;
                if (!isWanted) {
                    leftOut.add(start);
                }
            }
        });
        refused = new Outcomes(strict.warnings(), new Outcomes.Watcher() {
            @Override
            public void onReport(ReportView report) {}

            @Override
            public void onRejected(Fault fault, int offset) {}
        });
    }

    /** Of those who sent something that was wanted. */
    Collection<ExporterSummary> summaries() {
        return filter.given()
                ? summaries.values().stream()
                        .filter(summary -> summary.reports() + summary.packets() > 0)
                        .toList()
                : summaries.values();
    }

    @Override
    public boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer) {
        String address = place.addressed ? String.valueOf(place.exporter()) : "";
        begin(place, place.addressed ? address : ExporterSummary.BY_HAND, address);
        lenient.decode(buffer, start, end, lenientExporters.of(place, buffer, start, end), found);
        strict.decode(buffer, start, end, strictExporters.of(place, buffer, start, end), refused);
        Evidence evidence = new Evidence(buffer, start, end);
        if (outer != null && (wanted > 0 || !filter.given())) {
            tell(new Noticed(start, null, outer, start), evidence, buffer, start, end);
        }
        compare(evidence, buffer, start, end);
        return true;
    }

    @Override
    public boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart) {
        begin(place, ExporterSummary.PACKETS, "");
        Exporter exporter = lenientExporters.of(place, buffer, start, start);
        lenient.decodePacket(buffer, start, end, packetStart, exporter);
        if (!filter.wants(place, lenient.packet())) {
            return true;
        }
        found.add(lenient.warnings(), start);
        strict.decodePacket(buffer, start, end, packetStart, exporter);
        refused.add(strict.warnings(), start);
        summary.onPacket();
        compare(new Evidence(buffer, start, end), buffer, start, end);
        return true;
    }

    private void begin(Place place, String name, String exporter) {
        this.place = place;
        this.exporter = exporter;
        String key = summaries.size() < MAX_EXPORTERS || summaries.containsKey(name) ? name : OTHERS;
        summary = summaries.computeIfAbsent(key, ExporterSummary::new);
        firstReport = true;
        found.clear();
        refused.clear();
        leftOut.clear();
        wanted = 0;
    }

    private void compare(Evidence evidence, ByteBuffer buffer, int start, int end) {
        for (Noticed one : found.noticed()) {
            if (!leftOut.contains(one.report())) {
                tell(one, evidence, buffer, start, end);
            }
        }
        for (Noticed one : refused.noticed()) {
            boolean named = found.names(one.name(), one.report());
            boolean apart = !isOrdinaryPacket(one) && !found.isInsideReport(one.report());
            if (!named && apart && !leftOut.contains(one.report())) {
                tell(one, evidence, buffer, start, end);
            }
        }
    }

    /** The strict decoder takes every mark at its word; the lenient one saw that there is no INT behind this one. */
    private boolean isOrdinaryPacket(Noticed one) {
        return one.fault() != null
                && one.fault().level() == Fault.Level.INT
                && found.names(Fault.INT_FALSE_POSITIVE.name(), one.report());
    }

    private void tell(Noticed one, Evidence evidence, ByteBuffer buffer, int start, int end) {
        Fault fault = one.fault();
        Quirk quirk = one.quirk();
        Finding finding;
        if (fault != null) {
            finding = new Finding(
                    place.number,
                    exporter,
                    fault.name(),
                    fault.clause(),
                    evidence.place(fault, one.offset(), one.report()) - start,
                    fault.meaning(),
                    evidence.numbers(fault, one.offset(), one.report()),
                    fault.isHarmless());
        } else if (quirk != null) {
            int offset = one.offset() - start;
            finding = new Finding(
                    place.number, exporter, quirk.label(), quirk.clause(), offset, quirk.meaning(), "", false);
        } else {
            return;
        }
        long before = summary.onFinding(finding);
        printer.finding(finding, before, buffer, start, end);
    }
}
