package io.pathlore.store.tables;

/** A column of a table. */
public record Column(String name, Kind kind) {
    /** What a column holds, and how SQL calls it. */
    public enum Kind {
        /** Nanoseconds since 1970. */
        TIME("TIMESTAMP_NS"),
        NUMBER("BIGINT"),
        SHARE("DOUBLE"),
        FLAG("BOOLEAN"),
        TEXT("VARCHAR"),
        BYTES("BLOB"),
        NUMBERS("BIGINT[]"),
        /** An address as a number; Arrow has none so wide, so it travels in two halves. */
        ADDRESS("UHUGEINT");

        private final String sql;

        Kind(String sql) {
            this.sql = sql;
        }
    }

    /** As in {@code CREATE TABLE}. */
    String definition() {
        return quoted() + " " + kind.sql;
    }

    /** {@code end} is a word of SQL. */
    String quoted() {
        return '"' + name + '"';
    }
}
