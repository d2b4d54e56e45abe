package io.pathlore.cli.doctor;

import java.util.Locale;

/** What can be in the way. Its label is the stable name in JSON. */
public enum Reason {
    UNREACHABLE,
    NOT_A_COLLECTOR,
    /** What the collector itself warns of. */
    COLLECTOR_WARNS,

    NOT_LISTENING,
    PORT_BUSY,
    PORT_NOT_BINDABLE,
    /** IPv4 or IPv6 is not there, or switched off. */
    FAMILY_MISSING,
    HTTP_PORT_BUSY,
    DATA_NOT_WRITABLE,
    DISK_LOW,
    JOURNAL_LOCKED,
    RECEIVE_BUFFER_CAPPED,

    NOTHING_ARRIVES,
    SILENT,
    KERNEL_DROPS,
    SEQUENCE_LOSS,

    NOT_ALLOWED,
    OVER_RATE,
    EMPTY,
    OVERSIZE,
    QUEUE_FULL,
    STUCK,

    UNDECODABLE,
    REPORTS_REJECTED,

    JOURNAL_FULL,
    JOURNAL_SLOW,
    JOURNAL_ERROR,
    JOURNAL_DAMAGED,

    SHED_OVERLOAD,
    SHED_LATE,
    SHED_BINDING,
    SHED_SELF,
    ALL_DUPLICATES,
    FLOWS_EVICTED,
    OPERATORS_SKIPPED,
    BINDING_VIOLATIONS,

    KAFKA_CONNECTING,
    KAFKA_FAILS,
    KAFKA_SILENT,
    KAFKA_BEHIND,
    KAFKA_MISSED,
    KAFKA_REJECTED,
    TABLES_FAIL,

    EDGE_FAILS,
    EDGE_CONNECTING,
    EDGES_UNKNOWN;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
