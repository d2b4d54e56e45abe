package io.pathlore.model;

import java.util.Optional;

/** What can happen in a network. */
public enum EventKind {
    PATH_CHANGE("path-change", Severity.INFO, 1_000),
    LOOP("loop", Severity.CRITICAL, 1_000),
    CONGESTION("congestion", Severity.WARNING, 100),
    LATENCY("latency", Severity.WARNING, 5_000),
    DROPS("drops", Severity.WARNING, 1_000),
    LINK_DOWN("link-down", Severity.CRITICAL, 3_000),
    LINK_UP("link-up", Severity.INFO, 3_000),
    REPORT_LOSS("report-loss", Severity.WARNING, 1_000),
    EXPORTER_RESTART("exporter-restart", Severity.INFO, 1_000),
    EXPORTER_SILENT("exporter-silent", Severity.CRITICAL, 1_000),
    SPOOF_SUSPECTED("spoof-suspected", Severity.CRITICAL, 10_000),
    ATTACK("attack", Severity.CRITICAL, 1_000);

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final EventKind[] VALUES = values();

    private final String label;
    private final Severity severity;
    private final long toleranceNanos;

    EventKind(String label, Severity severity, long toleranceMillis) {
        this.label = label;
        this.severity = severity;
        toleranceNanos = toleranceMillis * NANOS_PER_MILLI;
    }

    public static Optional<EventKind> ofLabel(String label) {
        for (EventKind kind : VALUES) {
            if (kind.label.equals(label)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    public String label() {
        return label;
    }

    /** Where nothing more is known of the event than its kind. */
    public Severity severity() {
        return severity;
    }

    /**
     * How much later than the first report that shows it an event may be said to have begun. Silence shows only when a time-out
     * has passed, which comes on top.
     */
    public long toleranceNanos() {
        return toleranceNanos;
    }
}
