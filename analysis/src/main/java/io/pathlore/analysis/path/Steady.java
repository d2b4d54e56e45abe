package io.pathlore.analysis.path;

import io.pathlore.model.ReportRow;

/**
 * Flows whose packets take the way they took before. All there is to remember of most reports is when it came; that lies here in half a
 * line of memory, where what is known of the flow lies in five. A cache, of flows with nothing else to decide. Hot path.
 */
final class Steady {
    private static final int CELLS = 1 << 16;
    private static final int CELL = 4;
    private static final int FLOW = 0;
    private static final int ROUTE = 1;
    private static final int LAST = 2;

    /** What {@link ReportRow#route} never is. */
    private static final long NONE = 0;

    private final long[] cells = new long[CELLS * CELL];

    private static int cell(long flow) {
        return ((int) (flow >>> 20) & CELLS - 1) * CELL;
    }

    /** Whether the flow is here and takes this way; then that is remembered. */
    boolean goesOn(long flow, long route, long nanos) {
        int cell = cell(flow);
        if (cells[cell + FLOW] != flow || cells[cell + ROUTE] != route) {
            return false;
        }
        cells[cell + LAST] = Math.max(cells[cell + LAST], nanos);
        return true;
    }

    /** Whether the flow is here, whatever way it takes. */
    boolean has(long flow) {
        int cell = cell(flow);
        return cells[cell + FLOW] == flow && cells[cell + ROUTE] != NONE;
    }

    /** The flow that is where this one would be; only where there is one. */
    long flowInPlaceOf(long flow) {
        return cells[cell(flow) + FLOW];
    }

    boolean isPlaceTaken(long flow) {
        return cells[cell(flow) + ROUTE] != NONE;
    }

    /** When the one that is there last took its way. */
    long lastInPlaceOf(long flow) {
        return cells[cell(flow) + LAST];
    }

    void put(long flow, long route, long last) {
        int cell = cell(flow);
        cells[cell + FLOW] = flow;
        cells[cell + ROUTE] = route;
        cells[cell + LAST] = last;
    }

    void clearPlaceOf(long flow) {
        cells[cell(flow) + ROUTE] = NONE;
    }
}
