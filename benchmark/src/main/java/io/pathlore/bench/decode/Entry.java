package io.pathlore.bench.decode;

/** Who takes turns over a corpus, in the order of the table. */
enum Entry {
    FLOOR("floor", "memory floor, C", "touch 3"),
    C("c", "C", "decode 3"),
    VIEWS("views", "Java, views", "decode 3"),
    LENIENT("lenient", "Java, lenient decoder", "decode 3"),
    JSON("json", "Java, decoder and JSON", "decode 1");

    private final String key;
    private final String title;
    private final String turn;

    Entry(String key, String title, String turn) {
        this.key = key;
        this.title = title;
        this.turn = turn;
    }

    /** As in the names of results, and the name of a {@link Reader.Variant}. */
    String key() {
        return key;
    }

    String title() {
        return title;
    }

    /** What a contestant is told to do in one turn. */
    String turn() {
        return turn;
    }

    int passes() {
        return Integer.parseInt(turn.substring(turn.indexOf(' ') + 1));
    }

    boolean isJava() {
        return this != FLOOR && this != C;
    }

    /** JSON takes so long that a small part of the corpus is enough, and is not compared to C. */
    int reports(Corpus.Kind kind) {
        return this == JSON ? 16 * Columns.ROWS : kind.reports();
    }
}
