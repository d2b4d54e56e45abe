package io.pathlore.it.collect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;

/**
 * One numbered stream of an exporter, and what the network does to it: which datagrams it loses, doubles and delays, and when
 * the exporter begins anew. All of it is drawn before the first is sent.
 */
final class SentStream {
    /** Where numbers say nothing, or not yet: at the start, at the end, and around a restart [docs/reference/sequence.md]. */
    private static final int QUIET = 100;

    private static final int COPY_WITHIN = 50;
    private static final int GROUP_REPORTS = 5;
    private static final int GROUP_PAYLOAD = 216;
    private static final int SINGLE_PAYLOAD = 132;
    private static final int HW_ID = 1;

    /** Where an exporter's counter stands after each restart: far behind, far ahead, behind. */
    private static final long[] RESTARTS = {5, 2_000_000, 300_000};

    /** What its datagrams are. */
    enum Form {
        V20,
        /** Five reports in 1,400 octets, and datagrams are numbered. */
        V20_GROUPS,
        /** One to five reports, which are numbered. */
        V20_REPORTS_NUMBERED,
        V10,
        V05,
        /** The same bytes, and the same number, again and again. */
        CONSTANT
    }

    /**
     * What happens to it.
     *
     * @param first number
     * @param datagrams that the exporter makes, before the network does anything to them
     * @param loss share of them that is withheld
     * @param copies share of those sent that is sent twice
     * @param delayed share of those sent that comes later than others sent after it
     * @param depth how many of the others at most
     * @param ports the exporter sends from
     */
    record Plan(
            Form form,
            long first,
            int datagrams,
            double loss,
            double copies,
            double delayed,
            int depth,
            int restarts,
            int ports) {
        static Plan of(Form form, int datagrams) {
            return new Plan(form, 1, datagrams, 0, 0, 0, 0, 0, 1);
        }

        Plan from(long number) {
            return new Plan(form, number, datagrams, loss, copies, delayed, depth, restarts, ports);
        }

        Plan losing(double share) {
            return new Plan(form, first, datagrams, share, copies, delayed, depth, restarts, ports);
        }

        Plan doubling(double share) {
            return new Plan(form, first, datagrams, loss, share, delayed, depth, restarts, ports);
        }

        Plan delaying(double share, int most) {
            return new Plan(form, first, datagrams, loss, copies, share, most, restarts, ports);
        }

        Plan restarting(int times) {
            return new Plan(form, first, datagrams, loss, copies, delayed, depth, times, ports);
        }

        Plan fromPorts(int count) {
            return new Plan(form, first, datagrams, loss, copies, delayed, depth, restarts, count);
        }
    }

    /** One datagram on its way. */
    record Shipment(long sequence, int mark, int reports, int port, boolean copy) {}

    private record Place(double at, Shipment shipment) {}

    private final Plan plan;
    private final int node;
    private final List<Shipment> shipments = new ArrayList<>();
    private long lost;
    private long copies;
    private long late;

    SentStream(Plan plan, int node, Random random) {
        this.plan = plan;
        this.node = node;
        ship(random);
    }

    private void ship(Random random) {
        TreeSet<Integer> restarts = new TreeSet<>();
        for (int i = 1; i <= plan.restarts; i++) {
            restarts.add((int) ((long) plan.datagrams * i / (plan.restarts + 1)));
        }
        List<Shipment> made = make(restarts, random);
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            if (room(i, restarts) > 0) {
                free.add(i);
            }
        }
        Collections.shuffle(free, random);
        int losses = (int) Math.round(plan.loss * plan.datagrams);
        List<Integer> gone = free.subList(0, Math.min(losses, free.size()));
        List<Integer> left = free.subList(gone.size(), free.size());
        gone.forEach(i -> lost += plan.form == Form.V20_REPORTS_NUMBERED ? made.get(i).reports : 1);

        double[] at = new double[made.size()];
        for (int i = 0; i < at.length; i++) {
            at[i] = i;
        }
        int delays = (int) Math.round(plan.delayed * left.size());
        for (int i : left.subList(0, delays)) {
            at[i] += 1 + random.nextInt(Math.min(plan.depth, room(i, restarts))) + 0.5;
        }
        List<Place> places = new ArrayList<>();
        TreeSet<Integer> withheld = new TreeSet<>(gone);
        for (int i = 0; i < at.length; i++) {
            if (!withheld.contains(i)) {
                places.add(new Place(at[i], made.get(i)));
            }
        }
        Collections.shuffle(left, random);
        for (int i : left.subList(0, (int) Math.round(plan.copies * left.size()))) {
            Shipment one = made.get(i);
            copies += one.reports;
            double later = at[i] + 0.25 + random.nextInt(COPY_WITHIN);
            places.add(new Place(later, new Shipment(one.sequence, one.mark, one.reports, one.port, true)));
        }
        places.sort(Comparator.comparingDouble(Place::at));
        places.forEach(place -> shipments.add(place.shipment));
        countLate();
    }

    /** How far one may be moved; 0 where nothing may happen. */
    private int room(int index, NavigableSet<Integer> restarts) {
        Integer before = restarts.floor(index);
        Integer after = restarts.higher(index);
        int from = before == null ? 0 : before;
        int end = after == null ? plan.datagrams : after;
        return index - from < QUIET ? 0 : Math.max(0, end - QUIET - COPY_WITHIN - index);
    }

    private List<Shipment> make(NavigableSet<Integer> restarts, Random random) {
        List<Shipment> made = new ArrayList<>();
        long next = plan.first;
        int restarted = 0;
        for (int i = 0; i < plan.datagrams; i++) {
            if (restarts.contains(i)) {
                next = RESTARTS[restarted++];
            }
            int reports = switch (plan.form) {
                case V20, V10, V05, CONSTANT -> 1;
                case V20_GROUPS -> GROUP_REPORTS;
                case V20_REPORTS_NUMBERED -> 1 + random.nextInt(GROUP_REPORTS);
            };
            boolean constant = plan.form == Form.CONSTANT;
            made.add(new Shipment(next, constant ? 0 : i, reports, random.nextInt(plan.ports), false));
            next += constant ? 0 : plan.form == Form.V20_REPORTS_NUMBERED ? reports : 1;
        }
        return made;
    }

    /** Those that come after one with a higher mark, and are not copies. */
    private void countLate() {
        int highest = -1;
        for (Shipment each : shipments) {
            late += !each.copy && each.mark < highest ? 1 : 0;
            highest = Math.max(highest, each.mark);
        }
    }

    Plan plan() {
        return plan;
    }

    int node() {
        return node;
    }

    /** In the order they are sent. */
    List<Shipment> shipments() {
        return shipments;
    }

    byte[] bytes(Shipment of) {
        return switch (plan.form) {
            case V20 -> ReportBytes.v20(HW_ID, of.sequence, node, of.mark, 1, of.mark & 0xFF, SINGLE_PAYLOAD);
            case V20_GROUPS ->
                ReportBytes.v20(HW_ID, of.sequence, node, of.mark, of.reports, of.mark & 0xFF, GROUP_PAYLOAD);
            case V20_REPORTS_NUMBERED ->
                ReportBytes.v20(HW_ID, of.sequence, node, of.mark, of.reports, of.mark & 0xFF, 0);
            case V10 -> ReportBytes.v10(HW_ID, of.sequence, node);
            case V05 -> ReportBytes.v05(HW_ID, of.sequence);
            case CONSTANT -> ReportBytes.v20(HW_ID, 0, node, 0);
        };
    }

    /** Withheld, in what the exporter numbers: datagrams or reports. */
    long lost() {
        return lost;
    }

    /** Reports in the datagrams that are sent a second time. */
    long copies() {
        return copies;
    }

    /** Datagrams that come after one that was made later. */
    long late() {
        return plan.form == Form.CONSTANT ? 0 : late;
    }
}
