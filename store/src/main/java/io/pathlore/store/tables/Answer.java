package io.pathlore.store.tables;

import java.util.List;

/**
 * What SQL was answered with.
 *
 * @param columns their names, in order
 * @param rows each one a JSON object with the columns as keys; NULL is {@code null}
 * @param cut true if there are more rows than the limits allow
 */
public record Answer(List<String> columns, List<String> rows, boolean cut) {
    public Answer {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}
