package io.pathlore.cli.service;

import io.pathlore.store.tables.Row;

/** Takes the rows that one pipeline adds up. Any thread. */
public interface RowSink {
    /** Nobody keeps them. */
    RowSink NOBODY = new RowSink() {
        @Override
        public void row(Row row) {}

        @Override
        public void complete(long untilNanos) {}
    };

    void row(Row row);

    /** Everything before this time was given. */
    void complete(long untilNanos);
}
