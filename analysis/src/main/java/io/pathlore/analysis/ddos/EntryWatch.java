package io.pathlore.analysis.ddos;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.util.function.Consumer;

/**
 * Learns by which interfaces packets come in that have met another node before: of packets, and flows, that two nodes tell of, the one that saw the
 * lower TTL has the other before it, and a stack says it. Told is what is new, and again every few minutes while it is so: as all reports of a flow are
 * in one place, the same is told however flows are divided, some of it more than once. Hot path.
 */
public final class EntryWatch implements Operator {
    /** An interface that no other node's packets came in by for two of these may have become a host's. */
    private static final long PERIOD_NANOS = 300_000_000_000L;

    private static final int KEPT_PERIODS = 2;
    private static final int PLACES = 65_536;

    /** One stack in so many says it. */
    private static final int EVERY = 16;

    /** Octets that one packet, or flow, takes. */
    public static final int BYTES_PER_PRINT = Prints.BYTES_PER_PRINT;

    private final transient Consumer<Inner> to;
    private final Prints prints;
    private final Places told = new Places(PLACES);

    /** Of so many packets and flows who told of them last is known. */
    public EntryWatch(int prints, Consumer<Inner> to) {
        this.prints = new Prints(prints);
        this.to = to;
    }

    @Override
    public void on(ReportRow row) {
        if ((row.way() & ReportRow.STACK) != 0) {
            if ((ReportRow.mix(row.receivedNanos()) & EVERY - 1) == 0 && !AttackWatch.ignores(row)) {
                learn(row);
            }
        } else if (row.hops() > 0 && !AttackWatch.ignores(row)) {
            int hop = row.hops() - 1;
            if (row.ingress(hop) == ReportRow.ABSENT) {
                tell(Entries.SOME_UNSAID, row.receivedNanos());
            }
            // Of few reports, two of one packet are rare, and two of one flow are not.
            if (!compare(row, hop, row.packetPrint())) {
                compare(row, hop, row.flowHash());
            }
        }
    }

    private void learn(ReportRow row) {
        for (int hop = 1; hop < row.hops(); hop++) {
            if (row.ingress(hop) != ReportRow.ABSENT) {
                tell(Places.place(row.hopNode(hop), row.ingress(hop)), row.receivedNanos());
            }
        }
    }

    /** Whether another node has told of this packet, or flow, before. */
    private boolean compare(ReportRow row, int hop, long print) {
        int ttl = row.ttl();
        if (print == 0 || ttl < 0) {
            return false;
        }
        long nanos = row.receivedNanos();
        long node = row.hopNode(hop);
        int ingress = (int) row.ingress(hop);
        int cell = prints.find(print);
        if (cell == Prints.NOBODY) {
            prints.put(prints.room(print), print, node, ingress, ttl, nanos);
            return false;
        }
        boolean another = prints.node(cell) != node;
        if (another && prints.ttl(cell) != ttl) {
            if (ttl < prints.ttl(cell)) {
                if (ingress != ReportRow.ABSENT) {
                    tell(Places.place(node, Integer.toUnsignedLong(ingress)), nanos);
                }
                return true; // the one before it stays
            }
            if (prints.ingress(cell) != ReportRow.ABSENT) {
                tell(Places.place(prints.node(cell), Integer.toUnsignedLong(prints.ingress(cell))), nanos);
            }
        }
        prints.put(cell, print, node, ingress, ttl, nanos);
        return another;
    }

    private void tell(long place, long nanos) {
        long known = told.until(place);
        if (known - nanos > KEPT_PERIODS * PERIOD_NANOS) {
            return; // in this period
        }
        // Periods follow from the place, so that not all are told again at once, and whoever tells says the same.
        long begin = Long.remainderUnsigned(place, PERIOD_NANOS);
        long period = Math.floorDiv(nanos + begin, PERIOD_NANOS);
        long until = (period + 1 + KEPT_PERIODS) * PERIOD_NANOS - begin;
        if (until > known) {
            told.add(place, until);
            to.accept(new Inner(AttackWatch.tickEnd(nanos), place, until));
        }
    }

    @Override
    public long wakeAtNanos() {
        return NEVER;
    }

    @Override
    public void onWake(long nowNanos) {}

    @Override
    public void end() {}
}
