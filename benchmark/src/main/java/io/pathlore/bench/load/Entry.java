package io.pathlore.bench.load;

import java.util.Locale;

/** Who takes part, in the order of the table. */
enum Entry {
    C("C, recvmmsg", 0),
    C_TOLD("C, told times and addresses", 0),
    RECEIVE("Java, receives", 0.9),
    ACCOUNT("Java, decodes and accounts", 0.7),
    ACCOUNT_ANY("Java, the same on any address", 0),
    JOURNAL("Java, and journals", 0.5),
    EDGE("Java, journals, does not analyse", 0),
    ANALYSE("Java, accounts and counts flows", 0),
    COLLECT("Java, journals and counts flows", 0),
    WHOLE("Java, everything on, with tables", 0.35);

    private final String title;
    private final double goal;

    Entry(String title, double goal) {
        this.title = title;
        this.goal = goal;
    }

    String title() {
        return title;
    }

    /** As in the names of results. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    boolean isJava() {
        return this != C && this != C_TOLD;
    }

    /** Speed it is to reach where that of C is 1, or 0. */
    double goal() {
        return goal;
    }

    /** A socket bound to every address has to be told which one a datagram was sent to. */
    String address() {
        return this == ACCOUNT_ANY ? "0.0.0.0" : "127.0.0.1";
    }

    boolean decodes() {
        return isJava() && this != RECEIVE;
    }

    boolean journals() {
        return this == JOURNAL || this == EDGE || this == COLLECT || this == WHOLE;
    }

    /** By the collector's own pipeline, with sequence numbers and exporters, to where the analysis would begin. */
    boolean leavesAnalysis() {
        return this == EDGE;
    }

    /** By the collector's own pipeline, to the table of flows. */
    boolean analyses() {
        return this == ANALYSE || this == COLLECT;
    }

    /** With all operators, and what adds up goes into tables. */
    boolean stores() {
        return this == WHOLE;
    }

    String verdict(double ratio) {
        return goal == 0 ? "" : String.format(Locale.ROOT, "%.2f: %s", goal, ratio >= goal ? "ok" : "below");
    }
}
