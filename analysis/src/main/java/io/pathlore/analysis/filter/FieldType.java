package io.pathlore.analysis.filter;

import org.jspecify.annotations.Nullable;

/** What the values of a field are, and with that what can be asked of them. */
public enum FieldType {
    NODE("a node id or the name of a node", true, true),
    NUMBER("a number", true, false),
    /** In nanoseconds. */
    TIME("a time, like 50us", true, false),
    /** In octets, or whatever else a node counts its queues in. */
    SIZE("an amount, like 1500 or 64KB", true, false),
    /** In tenths: 5, 10, 20. */
    VERSION("a version: 0.5, 1.0 or 2.0", true, false),
    /** Ordered as {@link io.pathlore.model.Severity} is. */
    SEVERITY("a severity: info, warning or critical", true, false),
    PROTOCOL("a protocol, like tcp or 17", false, false),
    REASON("a drop reason, by number or name", false, true),
    ADDRESS("an address or prefix, like 10.0.0.1 or 10.0.0.0/8", false, false),
    /** One of a closed set. */
    WORD("a word", false, true),
    FLOW("the id of a flow, 16 hex digits", false, true),
    DEVICE("a MAC address, or NODE/INTERFACE", false, true),
    PATH("nodes in travel order, like 1 > 2 > 3", false, true),
    FLAG("true or false", false, false);

    private final String wanted;
    private final boolean ordered;
    private final boolean alike;

    FieldType(String wanted, boolean ordered, boolean alike) {
        this.wanted = wanted;
        this.ordered = ordered;
        this.alike = alike;
    }

    /** What to write behind an operator, for people. */
    public String wanted() {
        return wanted;
    }

    /** Whether one value can be more than another. */
    public boolean isOrdered() {
        return ordered;
    }

    /** Whether {@code like} makes sense. */
    public boolean isAlike() {
        return alike;
    }

    /** What its numbers measure; null where they have no unit. */
    Unit.@Nullable Measure measure() {
        return this == TIME ? Unit.Measure.TIME : this == SIZE ? Unit.Measure.SIZE : null;
    }

    /** Those that may stand behind a field, in the order people look for them. */
    String operators() {
        return this == FLAG ? "=, !=" : "=, !=" + (ordered ? ", <, <=, >, >=" : "") + ", in" + (alike ? ", like" : "");
    }
}
