package io.pathlore.bench.replay;

/** Who takes part, in the order of the table. */
enum Entry {
    C_SEGMENTS("C, sendmmsg and UDP_SEGMENT", "c.segments", 400_000),
    SEGMENTS("Java, the same", "java.segments", 400_000),
    C_MESSAGES("C, sendmmsg", "c.messages", 20_000),
    MESSAGES("Java, the same", "java.messages", 20_000),
    CHANNEL("Java, a call each", "java.channel", 20_000);

    private final String title;
    private final String key;
    private final int datagrams;

    Entry(String title, String key, int datagrams) {
        this.title = title;
        this.key = key;
        this.datagrams = datagrams;
    }

    String title() {
        return title;
    }

    String key() {
        return key;
    }

    /** Of one turn: some tens of milliseconds. */
    int datagrams() {
        return datagrams;
    }

    boolean isJava() {
        return this != C_SEGMENTS && this != C_MESSAGES;
    }

    Entry baseline() {
        return this == C_SEGMENTS || this == SEGMENTS ? C_SEGMENTS : C_MESSAGES;
    }
}
