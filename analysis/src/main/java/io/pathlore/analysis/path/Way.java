package io.pathlore.analysis.path;

import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Nodes in the order a packet met them, and the interfaces it took where they are known. */
final class Way {
    private static final long[] NONE = {};
    private static final int FIRST = 4;

    private int length;
    private long[] nodes = NONE;
    private long[] ingress = NONE;
    private long[] egress = NONE;

    int length() {
        return length;
    }

    long node(int index) {
        return nodes[index];
    }

    long ingress(int index) {
        return ingress[index];
    }

    long egress(int index) {
        return egress[index];
    }

    void clear() {
        length = 0;
    }

    void add(long node, long in, long out) {
        if (length == nodes.length) {
            int room = Math.max(FIRST, 2 * length);
            nodes = Arrays.copyOf(nodes, room);
            ingress = Arrays.copyOf(ingress, room);
            egress = Arrays.copyOf(egress, room);
        }
        nodes[length] = node;
        ingress[length] = in;
        egress[length++] = out;
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
            long in = row.ingress(i);
            long out = row.egress(i);
            ingress[i] = in == ReportRow.ABSENT ? ingress[i] : in;
            egress[i] = out == ReportRow.ABSENT ? egress[i] : out;
        }
        return true;
    }

    boolean isSame(ReportRow row) {
        if (row.hops() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (nodes[i] != row.hopNode(i)) {
                return false;
            }
        }
        return true;
    }

    boolean isSame(Way other) {
        return Arrays.equals(nodes, 0, length, other.nodes, 0, other.length);
    }

    List<Long> nodes() {
        List<Long> list = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            list.add(nodes[i]);
        }
        return list;
    }

    /** All that it takes; of the last, and where the next node does not say, it is not known where they lead. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (egress[i] != ReportRow.ABSENT) {
                boolean followed = i + 1 < length;
                long next = followed ? nodes[i + 1] : ReportRow.ABSENT;
                links.add(new Link(nodes[i], egress[i], next, followed ? ingress[i + 1] : ReportRow.ABSENT));
            }
        }
        return links;
    }
}
