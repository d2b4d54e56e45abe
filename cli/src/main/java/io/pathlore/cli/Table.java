package io.pathlore.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in columns, words to the left and numbers to the right. A column in which there is nothing at all is left out. */
final class Table {
    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    record Column(String title, boolean right) {}

    /**
     * What stands in one place.
     *
     * @param text null where there is nothing, which is shown, or empty, which is not
     * @param wrong shown in red
     */
    record Cell(@Nullable String text, boolean wrong) {
        static Cell of(@Nullable String text) {
            return new Cell(text, false);
        }

        private boolean isNothing() {
            return text == null || text.isEmpty();
        }

        /** What it quotes may come from a stranger: nothing of it may steer a terminal, or tear a line. */
        private String shown() {
            return text == null ? NOTHING : clean(text);
        }
    }

    static String clean(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /** One cell for each column. */
    void add(List<Cell> cells) {
        rows.add(List.copyOf(cells));
    }

    void print(Text text, Ink ink, boolean header) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(i, header);
        }
        if (header) {
            List<Cell> titles =
                    columns.stream().map(column -> Cell.of(column.title())).toList();
            row(text, titles, widths, ink);
        }
        for (List<Cell> cells : rows) {
            row(text, cells, widths, ink);
        }
    }

    /** 0 for a column that is left out. */
    private int width(int column, boolean header) {
        boolean nothing = true;
        int width = header ? columns.get(column).title().length() : 1;
        for (List<Cell> cells : rows) {
            nothing &= cells.get(column).isNothing();
            width = Math.max(width, cells.get(column).shown().length());
        }
        return nothing ? 0 : width;
    }

    private void row(Text text, List<Cell> cells, int[] widths, Ink ink) {
        int owed = 0; // spaces are written when something follows them
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            Cell cell = cells.get(i);
            String shown = cell.shown();
            int padding = widths[i] - shown.length();
            boolean right = columns.get(i).right();
            if (!shown.isEmpty()) {
                text.spaces(owed + (right ? padding : 0));
                text.ink(cell.wrong() ? ink.wrong() : "").add(shown).ink(cell.wrong() ? ink.end() : "");
                owed = right ? 0 : padding;
            } else {
                owed += padding;
            }
            owed += GAP.length();
        }
        text.line();
    }
}
