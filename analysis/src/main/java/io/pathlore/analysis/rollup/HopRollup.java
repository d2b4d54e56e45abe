package io.pathlore.analysis.rollup;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.path.Link;
import io.pathlore.model.ReportRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what reports say of queues, drops and links, by second and by minute of receive time. A second is told a second after its
 * end: the time of the stream says that nothing from before is on its way, and receive times of several sockets differ by less.
 * What is older all the same counts in the oldest second that is open, so that nothing is left out. Each table it keeps is bounded;
 * what had to leave before it was told is counted.
 */
public final class HopRollup implements Operator {
    /** Seconds that may be open at once. */
    static final int OPEN = 4;

    /** Queues of one node that are told apart. */
    static final int PLACES_A_NODE = 4_096;

    /** So many packets of a queue in a second are looked at closely, for the link they take, and of those that follow one in some. */
    private static final int MANY = 16;

    private static final int SOME = 32;

    /** With its link, its node, and who tells of it. One whose latencies are spread over all powers of two takes six times as much. */
    public static final int BYTES_PER_QUEUE = 4_096;

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE_SECONDS = 60;
    private static final long NONE = Long.MIN_VALUE;
    private static final int EXPORTERS = 4_096;

    /** Of all nodes, whoever has them: what is said of a link may have to do with another of its ends. */
    public static final int MOST_NEIGHBOURS = 65_536;

    /** Told at a time, so that whoever receives in this thread is not kept. */
    private static final int AT_ONCE = 256;

    private static final long PAUSE_NANOS = 1_000_000L;

    /** What is over and has not been told yet. */
    private sealed interface Over {
        record Place(HopPlace place, long from, long until, long minute) implements Over {}

        record Drops(DropWindow window) implements Over {}

        record Link(LinkWindow window, long minute) implements Over {}

        record Node(NodeSighting node) implements Over {}

        record Minute(long minute) implements Over {}
    }

    private final transient RollupSink sink;
    private final transient Share share;
    private final transient Consumer<Teller> tellings;
    private final Completeness completeness;

    /** Those that have been told. */
    private final Tellers tellers;

    private final Neighbours neighbours;
    private final LongMap<HopPlace> places;

    private final LongMap<NodeSighting> nodes;
    private final HopFront front;
    private final LongMap<LinkWindow> links;
    private final LongMap<DropWindow> drops;
    private final ArrayDeque<Over> toTell = new ArrayDeque<>();

    /** Windows that nobody needs now: as many as there were at once. */
    private final ArrayDeque<HopWindow> free = new ArrayDeque<>();

    /** Who spoke last. */
    private @Nullable NodeSighting speaker;

    /** The oldest second that is open. */
    private long oldest = NONE;

    private long newestNanos = NONE;
    private long wakeAt = NEVER;
    private long late;
    private long left;

    /** {@code queues} that are followed at once, and as many links; each takes about {@link #BYTES_PER_QUEUE}. */
    public HopRollup(int queues, RollupSink sink) {
        this(queues, Share.ALL, new Completeness(Math.min(EXPORTERS, queues), queues), sink, teller -> {});
    }

    /**
     * For some of the nodes. What arrived is told by somebody who sees all reports.
     *
     * @param completeness knows what arrived
     * @param tellings is told who tells of which of the nodes
     */
    public HopRollup(int queues, Share share, Completeness completeness, RollupSink sink, Consumer<Teller> tellings) {
        this.sink = sink;
        this.share = share;
        this.tellings = tellings;
        this.completeness = completeness;
        tellers = new Tellers(queues);
        neighbours = new Neighbours(MOST_NEIGHBOURS);
        front = new HopFront(queues);
        places = new LongMap<>(queues);
        nodes = new LongMap<>(queues);
        links = new LongMap<>(queues);
        drops = new LongMap<>(queues);
    }

    /** Reports came by, here or elsewhere: time goes on for who has seen none, too. */
    public void arrived(Arrived what) {
        completeness.arrived(what);
        newestNanos = Math.max(newestNanos, what.lastNanos());
        if (oldest == NONE) {
            begin(Math.floorDiv(what.lastNanos(), SECOND));
        }
    }

    private void begin(long second) {
        oldest = second;
        wakeAt = (second + 2) * SECOND;
    }

    /** Reports that came when their second had been told, and count in a later one. */
    public long late() {
        return late;
    }

    /** Windows that had to leave before they were told. */
    public long leftOut() {
        return left;
    }

    @Override
    public void on(ReportRow row) {
        if (row.unbound()) {
            return;
        }
        long now = row.receivedNanos();
        long second = Math.floorDiv(now, SECOND);
        newestNanos = Math.max(newestNanos, now);
        if (oldest == NONE) {
            begin(second);
        } else if (second < oldest) {
            late++;
            second = oldest;
        } else if (second >= oldest + OPEN - 1) {
            tellAll(second - OPEN + 2); // a jump of time; what waits to be told must not be written over
        }
        Completeness.Source source = completeness.of(row);
        boolean dropped = row.dropped();
        boolean reports = (row.way() & ReportRow.REPORTER) != 0;
        boolean stack = (row.way() & (ReportRow.STACK | ReportRow.GAPS)) == ReportRow.STACK;
        int last = row.hops() - 1;
        for (int hop = 0; hop <= last; hop++) {
            boolean mine = share.has(row.hopNode(hop));
            boolean link = stack && hop < last && share.hasLink(row.hopNode(hop), row.hopNode(hop + 1));
            if (!mine && !link) {
                continue;
            }
            boolean reporter = reports && hop == last;
            int slot = front.find(row, hop, second);
            if (slot < 0 || places.isFull()) { // a full map has to know who is asked for
                slot = arrive(row, hop, second);
            }
            if (mine && slot >= 0) {
                add(slot, row, hop, dropped && reporter, source, second);
            } else if (mine) {
                addDirectly(row, hop, dropped && reporter, source, second);
            }
            if (link && slot >= 0) {
                link(slot, row, hop, second);
            } else if (link) {
                link(place(row, hop), row, hop, Math.floorDiv(second, MINUTE_SECONDS), row.hiddenAfter(hop));
            }
            if (mine && reporter) {
                speaker(row.hopNode(hop)).speaks(row);
            }
        }
        if (dropped) {
            drop(row, second, reports ? last : -1);
        }
    }

    private void add(int slot, ReportRow row, int hop, boolean dropped, Completeness.Source source, long second) {
        int offset = (int) Math.max(0, row.receivedNanos() - second * SECOND); // below 0: its second has been told
        if (front.add(slot, row, hop, dropped, offset, source.number)) {
            tells(source, row, hop);
        }
        long latency = row.latency(hop);
        if (!dropped && latency >= 0 && latency < ReportRow.IMPLAUSIBLE_NANOS && !front.record(slot, latency)) {
            window(place(row, hop), second).addLatency(latency);
        }
    }

    private void addDirectly(ReportRow row, int hop, boolean dropped, Completeness.Source source, long second) {
        HopPlace place = place(row, hop);
        if (window(place, second).add(row, hop, dropped, source)) {
            tells(source, row, hop);
        }
        place.ofNode.seen(row.receivedNanos());
    }

    /** Seldom: when somebody first does in a second. */
    private void tells(Completeness.Source source, ReportRow row, int hop) {
        long node = row.hopNode(hop);
        if (tellers.add(node, source.exporter)) {
            tellings.accept(new Teller(Arrivals.end(row.receivedNanos()), node, source.exporter));
        }
    }

    /** Makes room for a hop of this second in front; where it can have none, below 0. */
    private int arrive(ReportRow row, int hop, long second) {
        HopPlace place = place(row, hop);
        int found = front.find(row, hop, second); // now: somebody may have had to leave for it
        if (found >= 0) {
            return found;
        }
        int slot = -found - 1;
        boolean late = front.place(slot) != null && front.second(slot) > second;
        if (late || !place.is(row, hop)) {
            return -1; // or its node has too many
        }
        settle(slot);
        front.begin(slot, place, second);
        return slot;
    }

    private NodeSighting speaker(long node) {
        NodeSighting known = speaker;
        if (known == null || known.node != node) {
            known = nodes.get(ReportRow.mix(node), () -> new NodeSighting(node), gone -> {});
            speaker = known;
        }
        return known;
    }

    @Override
    public void expect(ReportRow[] reports, int count) {
        for (int i = 0; i < count; i++) {
            ReportRow row = reports[i];
            int hops = row.hops();
            for (int hop = 0; hop < hops; hop++) {
                if (share.has(row.hopNode(hop))) {
                    front.look(row, hop);
                }
            }
        }
    }

    /** What stands in front goes to the windows. */
    private void settle() {
        for (int slot = 0; slot < front.slots(); slot++) {
            settle(slot);
        }
        front.clear();
    }

    private void settle(int slot) {
        HopPlace place = front.place(slot);
        if (place == null) {
            return;
        }
        long second = front.second(slot);
        if (front.hasReports(slot)) {
            front.addTo(slot, window(place, second), completeness);
            place.ofNode.seen(second * SECOND + front.firstOffset(slot));
            place.ofNode.seen(second * SECOND + front.lastOffset(slot));
        }
        settleLink(slot);
        front.leave(slot);
    }

    private void settleLink(int slot) {
        LinkWindow window = front.link(slot);
        int packets = front.linkReports(slot);
        int count = front.linkCount(slot);
        front.endLink(slot);
        if (window != null && packets > 0) {
            long second = front.second(slot);
            long minute = Math.floorDiv(second, MINUTE_SECONDS);
            LinkWindow open = window.isGone ? window(window.link, minute) : window;
            open(open, minute);
            open.count(packets);
            open.counted(Objects.requireNonNull(front.place(slot)).queue, second, count);
        }
    }

    private static long key(long node, long egress, long queue) {
        return ReportRow.mix(ReportRow.mix(ReportRow.mix(node) ^ egress) ^ queue);
    }

    private HopPlace place(ReportRow row, int hop) {
        long node = row.hopNode(hop);
        long egress = row.egress(hop);
        long queue = row.queue(hop);
        long key = key(node, egress, queue);
        HopPlace place = places.get(key);
        if (place != null) {
            return place;
        }
        NodeSighting ofNode = nodes.get(ReportRow.mix(node), () -> new NodeSighting(node), gone -> {});
        if (ofNode.places < PLACES_A_NODE) {
            return places.get(key, () -> new HopPlace(node, egress, queue, ofNode), this::leaves);
        }
        // No node has so many: what it says beyond counts for the node as a whole, and nobody else has to make room.
        return places.get(
                key(node, ReportRow.ABSENT, ReportRow.ABSENT),
                () -> new HopPlace(node, ReportRow.ABSENT, ReportRow.ABSENT, ofNode),
                this::leaves);
    }

    private HopWindow window(HopPlace place, long second) {
        HopWindow open = place.open;
        return open != null && place.openSecond == second ? open : opened(place, second);
    }

    private HopWindow opened(HopPlace place, long second) {
        int slot = (int) (second & OPEN - 1);
        HopWindow window = place.seconds[slot];
        if (window == null || window.number() != second) {
            window = begun(place, second);
            place.seconds[slot] = window;
        }
        place.open = window;
        place.openSecond = second;
        return window;
    }

    private HopWindow begun(HopPlace place, long number) {
        HopWindow unused = free.pollLast();
        HopWindow window = unused == null ? new HopWindow(place) : unused;
        window.open(place, number);
        return window;
    }

    private void leaves(HopPlace place) {
        int slot = front.find(place);
        if (slot >= 0) {
            settle(slot);
        }
        for (int i = 0; i < OPEN; i++) {
            leaves(place.seconds[i]);
            place.seconds[i] = null;
        }
        place.open = null;
        place.isGone = true;
        place.ofNode.places--;
        leaves(place.minute);
        place.minute = null;
    }

    private void leaves(@Nullable HopWindow window) {
        if (window != null) {
            left++;
            free.addLast(window);
        }
    }

    /** A packet whose hops told of it one by one: what each said has been added up, and what lies between them has not. */
    public void joined(ReportRow packet) {
        long second = Math.max(oldest, Math.floorDiv(packet.receivedNanos(), SECOND));
        long minute = Math.floorDiv(second, MINUTE_SECONDS);
        for (int hop = 0; hop < packet.hops() - 1; hop++) {
            int hidden = packet.hiddenAfter(hop);
            if (hidden == 0) {
                neighbours.reached(packet.hopNode(hop), packet.egress(hop), minute);
            }
            if (share.hasLink(packet.hopNode(hop), packet.hopNode(hop + 1))) {
                link(place(packet, hop), packet, hop, minute, hidden);
            }
        }
    }

    /** The link from a hop that stands in front to the next. */
    private void link(int slot, ReportRow row, int hop, long second) {
        int hidden = row.hiddenAfter(hop);
        long to = row.hopNode(hop + 1);
        long in = row.ingress(hop + 1);
        int count = hidden == LinkWindow.UNKNOWN ? front.countLink(slot, to, in) : 0;
        if (!isLookedAt(count)) {
            return;
        }
        LinkWindow known = front.link(slot);
        if (count > 0 && known != null && !known.isGone) {
            known.look(row, hop);
            return;
        }
        HopPlace place = Objects.requireNonNull(front.place(slot));
        settleLink(slot);
        long minute = Math.floorDiv(second, MINUTE_SECONDS);
        LinkWindow taken = hidden == LinkWindow.UNKNOWN ? taken(place, row, hop, minute) : null;
        if (taken == null) {
            link(place, row, hop, minute, hidden);
            return;
        }
        // Packets may take several from here by turns, and others may have had this place meanwhile: each link goes on
        // where it was, so that
        // which of its packets are looked at is a matter of its packets alone.
        int next = taken.counted(place.queue, second) + 1;
        taken.count(1);
        taken.counted(place.queue, second, next);
        if (isLookedAt(next)) {
            taken.look(row, hop);
        }
        front.beginLink(slot, to, in, taken, next);
    }

    /** The first of a second, and then some. */
    private static boolean isLookedAt(int count) {
        return count <= MANY || (ReportRow.mix(count) >>> 40) % SOME == 0;
    }

    private void link(HopPlace place, ReportRow row, int hop, long minute, int hidden) {
        LinkWindow window = taken(place, row, hop, minute);
        if (window != null) {
            window.count(1);
            window.look(row, hop);
            if (hidden != LinkWindow.UNKNOWN) {
                window.hides(hidden);
            }
        }
    }

    /** The link to the next hop, in this minute; null where it is not known whose. */
    private @Nullable LinkWindow taken(HopPlace place, ReportRow row, int hop, long minute) {
        long from = place.node;
        long to = row.hopNode(hop + 1);
        long out = place.egress;
        long in = row.ingress(hop + 1);
        if (from == ReportRow.ABSENT || to == ReportRow.ABSENT) {
            return null;
        }
        LinkWindow window = place.link;
        if (window == null || window.isGone || !window.is(from, out, to, in)) {
            window = window(new Link(from, out, to, in), minute);
            place.link = window;
        }
        open(window, minute);
        return window;
    }

    private void open(LinkWindow window, long minute) {
        if (window.minute < minute) {
            tell(window);
            window.begin(minute);
        }
    }

    private LinkWindow window(Link link, long minute) {
        LinkWindow window = links.get(
                linkKey(link.fromNode(), link.fromInterface(), link.toNode(), link.toInterface()),
                () -> new LinkWindow(link, minute),
                this::leaves);
        LinkWindow back = links.get(linkKey(link.toNode(), link.toInterface(), link.fromNode(), link.fromInterface()));
        if (back != null) {
            window.back = back;
            back.back = window;
        }
        return window;
    }

    private void leaves(LinkWindow window) {
        left++;
        window.isGone = true;
    }

    private static long linkKey(long from, long out, long to, long in) {
        return ReportRow.mix(ReportRow.mix(ReportRow.mix(ReportRow.mix(from) ^ out) ^ to) ^ in);
    }

    private void drop(ReportRow row, long second, int hop) {
        long node = hop < 0 ? row.node() : row.hopNode(hop);
        if (!share.has(node)) {
            return;
        }
        long egress = hop < 0 ? ReportRow.ABSENT : row.egress(hop);
        long queue = hop < 0 ? ReportRow.ABSENT : row.queue(hop);
        long reason = row.dropReason();
        long key = ReportRow.mix(
                ReportRow.mix(ReportRow.mix(ReportRow.mix(node) ^ egress) ^ queue ^ reason << 32) ^ second);
        DropWindow window = drops.get(key);
        if (window == null) {
            long of = second;
            window = drops.get(key, () -> new DropWindow(of, node, egress, queue, reason), gone -> left++);
        }
        window.reports++;
    }

    // ---- telling

    @Override
    public long wakeAtNanos() {
        return wakeAt;
    }

    @Override
    public void onWake(long nowNanos) {
        if (toTell.isEmpty()) {
            collect(Math.floorDiv(nowNanos, SECOND) - 1, true);
        }
        for (int i = 0; i < AT_ONCE && !toTell.isEmpty(); i++) {
            tell(toTell.removeFirst());
        }
        wakeAt = toTell.isEmpty() ? Math.max(nowNanos + PAUSE_NANOS, (oldest + 2) * SECOND) : nowNanos + PAUSE_NANOS;
    }

    private void tellAll(long until) {
        collect(until, true);
        tellAll();
    }

    private void tellAll() {
        while (!toTell.isEmpty()) {
            tell(toTell.removeFirst());
        }
        wakeAt = Math.max(wakeAt, (oldest + 2) * SECOND);
    }

    /** Closes the seconds before this one, and what minutes end with them. */
    private void collect(long until, boolean complete) {
        if (oldest == NONE || until <= oldest) {
            return;
        }
        settle();
        long first = oldest;
        oldest = until;
        long minute = Math.floorDiv(until, MINUTE_SECONDS);
        boolean whole = minute > Math.floorDiv(first, MINUTE_SECONDS);
        places.forEach(place -> {
            if (isOver(place, until, minute)) {
                toTell.add(new Over.Place(place, first, until, minute));
            }
        });
        List<DropWindow> over = new ArrayList<>();
        drops.forEach(window -> {
            if (window.second < until) {
                over.add(window);
            }
        });
        for (DropWindow window : over) {
            drops.remove(ReportRow.mix(ReportRow.mix(ReportRow.mix(ReportRow.mix(window.node) ^ window.egress)
                            ^ window.queue
                            ^ window.reason << 32)
                    ^ window.second));
            toTell.add(new Over.Drops(window));
        }
        if (whole) {
            links.forEach(window -> {
                if (window.minute < minute && window.reports() > 0) {
                    toTell.add(new Over.Link(window, minute));
                }
            });
            nodes.forEach(node -> {
                if (node.fresh && node.node != ReportRow.ABSENT) {
                    toTell.add(new Over.Node(node));
                }
            });
            if (complete) {
                toTell.add(new Over.Minute(minute));
            }
        }
    }

    private void tell(Over over) {
        switch (over) {
            case Over.Place(HopPlace place, long from, long until, long minute) -> tell(place, from, until, minute);
            case Over.Drops(DropWindow window) -> sink.dropSecond(window.second * SECOND, window);
            case Over.Link(LinkWindow window, long minute) -> open(window, minute);
            case Over.Node(NodeSighting node) -> {
                node.fresh = false;
                sink.node(node);
            }
            case Over.Minute(long minute) -> sink.complete(minute * MINUTE_SECONDS * SECOND);
        }
    }

    private static boolean isOver(HopPlace place, long until, long minute) {
        for (HopWindow second : place.seconds) {
            if (second != null && second.number() < until) {
                return true;
            }
        }
        return place.minute != null && place.minute.number() < minute;
    }

    private void tell(HopPlace place, long from, long until, long minute) {
        // In their order: a minute is made of its seconds.
        for (long number = from; number < Math.min(until, from + OPEN); number++) {
            int slot = (int) (number & OPEN - 1);
            HopWindow second = place.seconds[slot];
            if (second == null || second.number() != number) {
                continue;
            }
            second.settle();
            sink.hopSecond(number * SECOND, second);
            long of = Math.floorDiv(number, MINUTE_SECONDS);
            tellMinute(place, of);
            if (place.minute == null) {
                place.minute = begun(place, of);
            }
            place.minute.add(second);
            place.seconds[slot] = null;
            place.open = null;
            free.addLast(second);
        }
        tellMinute(place, minute);
    }

    private void tellMinute(HopPlace place, long next) {
        HopWindow minute = place.minute;
        if (minute != null && minute.number() < next) {
            sink.hopMinute(minute.number() * MINUTE_SECONDS * SECOND, minute);
            place.minute = null;
            free.addLast(minute);
        }
    }

    private void tell(LinkWindow window) {
        // From where packets reach a neighbour that speaks, a gap is a report that was lost, and no hidden hop.
        boolean lost = window.hidden() > 0
                && neighbours.reach(window.link.fromNode(), window.link.fromInterface(), window.minute);
        if (window.reports() > 0 && !lost) {
            sink.linkMinute(window.minute * MINUTE_SECONDS * SECOND, window);
        }
    }

    /** All of it; the minute that is not over is told, and not said to be complete. */
    @Override
    public void end() {
        if (oldest != NONE) {
            long minute = Math.floorDiv(Math.floorDiv(newestNanos, SECOND), MINUTE_SECONDS);
            tellAll(minute * MINUTE_SECONDS);
            collect((minute + 1) * MINUTE_SECONDS, false);
            tellAll();
        }
    }
}
