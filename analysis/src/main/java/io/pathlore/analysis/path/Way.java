package io.pathlore.analysis.path;

import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Nodes in the order a packet met them, and the interfaces it took where they are known. */
final class Way {
    private static final long[] NONE = {};
    private static final int FIRST = 4;

    /** Of each hop: node, ingress, egress. */
    private static final int EACH = 3;

    private int length;
    private long[] hops = NONE;

    int length() {
        return length;
    }

    long node(int index) {
        return hops[EACH * index];
    }

    long ingress(int index) {
        return hops[EACH * index + 1];
    }

    long egress(int index) {
        return hops[EACH * index + 2];
    }

    void clear() {
        length = 0;
    }

    void add(long node, long in, long out) {
        int at = EACH * length;
        if (at == hops.length) {
            hops = Arrays.copyOf(hops, Math.max(EACH * FIRST, 2 * at));
        }
        hops[at] = node;
        hops[at + 1] = in;
        hops[at + 2] = out;
        length++;
    }

    void read(ReportRow row) {
        clear();
        for (int i = 0; i < row.hops(); i++) {
            add(row.hopNode(i), row.ingress(i), row.egress(i));
        }
    }

    /** The same nodes again; their interfaces are those of the newest packet. */
    boolean renew(ReportRow row) {
        if (!isSame(row)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            keep(EACH * i + 1, row.ingress(i));
            keep(EACH * i + 2, row.egress(i));
        }
        return true;
    }

    private void keep(int at, long known) {
        if (known != hops[at] && known != ReportRow.ABSENT) {
            hops[at] = known;
        }
    }

    boolean isSame(ReportRow row) {
        if (row.hops() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (node(i) != row.hopNode(i)) {
                return false;
            }
        }
        return true;
    }

    boolean isSame(Way other) {
        if (other.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (node(i) != other.node(i)) {
                return false;
            }
        }
        return true;
    }

    List<Long> nodes() {
        List<Long> list = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            list.add(node(i));
        }
        return list;
    }

    /** All that it takes; of the last, and where the next node does not say, it is not known where they lead. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (egress(i) != ReportRow.ABSENT) {
                boolean followed = i + 1 < length;
                long next = followed ? node(i + 1) : ReportRow.ABSENT;
                links.add(new Link(node(i), egress(i), next, followed ? ingress(i + 1) : ReportRow.ABSENT));
            }
        }
        return links;
    }
}
