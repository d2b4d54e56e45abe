package io.pathlore.cli;

import io.pathlore.model.Profile;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.decode.ReportView;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What {@code check} says of one exporter at the end. */
final class ExporterSummary {
    /** Names of what has no exporter's address. */
    static final String PACKETS = "data packets";

    static final String BY_HAND = "input";

    private static final int MAX_STREAMS = 4096;

    private record StreamKey(long nodeId, int hwId, long destinationHigh, long destinationLow, int port, int bits) {}

    /** How often a rule was broken, and what to say of it. */
    static final class Rule {
        final Finding first;
        long count;

        Rule(Finding first) {
            this.first = first;
        }
    }

    private final String name;
    private long reports;
    private long packets;
    private long violations;
    private final Set<String> forms = new LinkedHashSet<>();
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final Map<StreamKey, SequenceStream> streams = new LinkedHashMap<>();

    ExporterSummary(String name) {
        this.name = name;
    }

    /**
     * {@code first} of its datagram: from v2.0 on the number counts datagrams, not reports. What is not wanted has a number all the
     * same, or it would look lost.
     */
    void onReport(Place place, ReportView report, boolean first, boolean wanted) {
        if (wanted) {
            reports++;
            boolean plain = report.dialect() == Profile.SPEC;
            forms.add(report.version().label()
                    + (plain ? "" : " " + report.dialect().label()));
        }
        if (first) {
            StreamKey key = new StreamKey(
                    report.nodeId(),
                    report.hwId(),
                    place.destinationHigh,
                    place.destinationLow,
                    place.destinationPort,
                    bits(report));
            SequenceStream stream = streams.get(key);
            if (stream == null && streams.size() < MAX_STREAMS) {
                stream = new SequenceStream(key.bits);
                streams.put(key, stream);
            }
            if (stream != null) {
                stream.on(report.sequence());
            }
        }
    }

    private static int bits(ReportView report) {
        if (report.version() != ReportVersion.V2_0) {
            return 32;
        }
        return report.dialect() == Profile.TRANSPARENT_SECURITY ? 16 : 22;
    }

    void onRejected() {
        reports++;
    }

    void onPacket() {
        packets++;
    }

    /** How often this rule was broken before. */
    long onFinding(Finding finding) {
        Rule rule = rules.computeIfAbsent(finding.rule(), unknown -> new Rule(finding));
        if (!finding.note()) {
            violations++;
        }
        return rule.count++;
    }

    String name() {
        return name;
    }

    boolean isExporter() {
        return !name.equals(PACKETS) && !name.equals(BY_HAND);
    }

    long packets() {
        return packets;
    }

    long reports() {
        return reports;
    }

    long violations() {
        return violations;
    }

    Set<String> forms() {
        return forms;
    }

    Map<String, Rule> rules() {
        return rules;
    }

    /** Empty when no counter was seen twice. */
    String sequence() {
        if (streams.values().stream().allMatch(stream -> stream.seen() < 2)) {
            return "";
        }
        long seen = 0;
        long lost = 0;
        long late = 0;
        long repeated = 0;
        long restarts = 0;
        long constant = 0;
        for (SequenceStream stream : streams.values()) {
            if (stream.isConstant()) {
                constant++;
                continue;
            }
            seen += stream.seen();
            lost += stream.lost();
            late += stream.late();
            repeated += stream.repeated();
            restarts += stream.restarts();
        }
        if (constant > 0 && constant == streams.size()) {
            return "constant, so loss cannot be seen";
        }
        StringBuilder text = new StringBuilder(lost == 0 ? "no loss" : lost + " lost of " + (seen + lost));
        append(text, late, "late");
        append(text, repeated, "repeated");
        append(text, restarts, restarts == 1 ? "restart" : "restarts");
        append(text, constant, constant == 1 ? "counter constant" : "counters constant");
        return text.toString();
    }

    private static void append(StringBuilder text, long number, String what) {
        if (number > 0) {
            text.append(", ").append(number).append(' ').append(what);
        }
    }
}
