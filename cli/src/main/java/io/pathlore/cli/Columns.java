package io.pathlore.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Aligns the cells of lines that come one after the other. The first lines are held back until the widths are known, or until
 * someone waits for them; after that a column only grows.
 */
final class Columns {
    private static final int HELD_BACK = 64;
    private static final String GAP = "  ";

    private static final class Row {
        private final byte[] bytes;
        private final int[] ends;
        private final int[] widths;

        Row(byte[] bytes, int[] ends, int[] widths) {
            this.bytes = bytes;
            this.ends = ends;
            this.widths = widths;
        }
    }

    private final Output out;
    private final int[] widths;
    private final int[] widest;
    private final List<Row> held = new ArrayList<>();
    private boolean released;

    private final Text text = new Text();
    private final int[] ends;
    private final int[] cellWidths;
    private int cells;
    private int cellStart;
    private final Text aligned = new Text();

    /** {@code widest}: a cell that is wider still pushes its own line to the right, but not those that follow. */
    Columns(Output out, int... widest) {
        this.out = out;
        this.widest = widest;
        widths = new int[widest.length];
        ends = new int[widest.length];
        cellWidths = new int[widest.length];
    }

    /** Starts a line; what is written to it up to {@link #endCell} is its first cell. */
    Text begin() {
        cells = 0;
        cellStart = 0;
        return text.clear();
    }

    void endCell() {
        ends[cells] = text.length();
        cellWidths[cells++] = text.column() - cellStart;
        cellStart = text.column();
    }

    /** Ends the line; what was written since the last cell is its rest, which is not aligned. */
    void endLine() {
        if (released) {
            grow(cellWidths, cells);
            write(text.bytes(), text.length(), ends, cellWidths, cells);
            return;
        }
        held.add(new Row(
                Arrays.copyOf(text.bytes(), text.length()),
                Arrays.copyOf(ends, cells),
                Arrays.copyOf(cellWidths, cells)));
        if (held.size() == HELD_BACK) {
            release();
        }
    }

    /** Writes what is held back. */
    void release() {
        if (held.isEmpty()) {
            return;
        }
        released = true;
        for (Row row : held) {
            grow(row.widths, row.widths.length);
        }
        for (Row row : held) {
            write(row.bytes, row.bytes.length, row.ends, row.widths, row.ends.length);
        }
        held.clear();
    }

    private void grow(int[] of, int count) {
        for (int i = 0; i < count; i++) {
            if (of[i] > widths[i] && of[i] <= widest[i]) {
                widths[i] = of[i];
            }
        }
    }

    private void write(byte[] bytes, int length, int[] ends, int[] of, int count) {
        aligned.clear();
        int from = 0;
        for (int i = 0; i < count; i++) {
            aligned.raw(bytes, from, ends[i] - from);
            from = ends[i];
            if (from < length || i + 1 < count) {
                aligned.spaces(widths[i] - of[i]).add(GAP);
            }
        }
        out.write(aligned.raw(bytes, from, length - from).line());
    }
}
