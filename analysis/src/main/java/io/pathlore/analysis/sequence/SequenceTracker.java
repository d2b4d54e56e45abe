package io.pathlore.analysis.sequence;

import static io.pathlore.analysis.sequence.StreamState.CONSTANT;
import static io.pathlore.analysis.sequence.StreamState.DATAGRAMS;
import static io.pathlore.analysis.sequence.StreamState.OPEN;
import static io.pathlore.analysis.sequence.StreamState.PROVEN;
import static io.pathlore.analysis.sequence.StreamState.REPORTS_BY_FIRST;
import static io.pathlore.analysis.sequence.StreamState.REPORTS_BY_LAST;
import static io.pathlore.analysis.sequence.StreamState.SECOND;
import static io.pathlore.analysis.sequence.StreamState.SECOND_IS_FORMER;
import static io.pathlore.analysis.sequence.StreamState.SECOND_SPOKE;
import static io.pathlore.analysis.sequence.StreamState.STARTED;
import static io.pathlore.analysis.sequence.StreamState.STEP_KNOWN;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads one stream of sequence numbers: what is lost, what came twice, when the exporter began anew.
 *
 * <p>Hot path. A view over bytes the host owns, moved from stream to stream with {@link #wrap}; belongs to one thread. The
 * state is a function of the datagrams and their receive times alone, so a replay ends in the same bytes.
 *
 * <p>A number that is passed over is {@link #missing}. It becomes {@link #lost} when it leaves the window of
 * {@value #WINDOW} numbers or is one to two {@link Rules#settleNanos} old, whichever is first, and then stays so: what comes
 * later still is {@link Outcome#LATE}. So {@code lost} never falls, and {@code lost + missing} is what has not come by now.
 *
 * <p>Nothing is lost, and nothing a duplicate, before the counter has proven to be one by moving on twice.
 */
public final class SequenceTracker {
    public static final int STATE_LENGTH = StreamState.LENGTH;
    public static final int WINDOW = StreamState.WINDOW;

    /** What a host may lend to a stream so that the bytes of the whole window are remembered, not just those of the newest. */
    public static final int PAGE_LENGTH = WINDOW * Short.BYTES;

    public static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * What may differ from site to site.
     *
     * @param settleNanos how long at least a number may be missing before it is lost
     */
    public record Rules(long settleNanos) {
        public static final Rules DEFAULT = new Rules(5_000_000_000L);

        public Rules {
            if (settleNanos <= 0) {
                throw new IllegalArgumentException("settleNanos must be positive, is " + settleNanos);
            }
        }
    }

    /** Transparent Security puts a 16-bit number above six zero bits. */
    private static final int STEP_SHIFT = 6;

    private static final int STEP_WIDTH = 22;
    private static final int STEP_MASK = (1 << STEP_SHIFT) - 1;

    private static final int PROOF = 2;
    private static final int STEP_PROOF = 3;
    private static final int ENOUGH = 100;

    /** 64 equal numbers in a row: the first, and 63 that repeat it. */
    private static final int EQUAL = 63;

    private static final int STALLED = WINDOW;

    private static final int MAX_REPORTS = WINDOW - 1;
    private static final int DECIDE_WITHIN = 1_000;
    private static final int CLEAR_LEAD = 16;
    private static final int LABEL_LEAD = 4;

    private static final int SECOND_WINDOW = Long.SIZE;
    private static final int RUN = 2;
    private static final int RUN_UNREMEMBERED = 8;
    private static final int RUN_SUSPECTED = 64;
    private static final int TURNS = 3;
    private static final long TURN_NANOS = 10_000_000_000L;

    private static final long RATE_INTERVAL = 100_000_000L;
    private static final float RATE_MEMORY = 1_000_000_000f;
    private static final float PEAK_DECAY = 0.95f;
    private static final int BURST = 16;
    private static final int SLACK = 4;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long PRINT_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private static final Outcome[] OUTCOMES = Outcome.values();

    private final transient Rules rules;
    private final StreamState state = new StreamState();
    private int gap;

    // Of the time asked for last: a division for each datagram would cost more than all else that is done to it.
    private long periodStart;
    private int period;

    public SequenceTracker(Rules rules) {
        this.rules = rules;
    }

    /** {@code bytes} are {@link #ORDER little endian}, {@code at} is a multiple of 8. */
    public SequenceTracker wrap(ByteBuffer bytes, int at) {
        state.wrap(bytes, at);
        return this;
    }

    /** With a page of {@link #PAGE_LENGTH}. A stream keeps its page, or its lack of one, for life. */
    public SequenceTracker wrap(ByteBuffer bytes, int at, ByteBuffer page, int pageAt) {
        state.wrap(bytes, at, page, pageAt, WINDOW);
        return this;
    }

    /** Makes these bytes a stream that has seen nothing. */
    public void begin(int width, Counting counting) {
        if (width < 8 || width > Integer.SIZE) {
            throw new IllegalArgumentException("width must be 8 to 32, is " + width);
        }
        state.clear();
        state.width(width);
        state.asked(counting.ordinal());
        state.counts(counting == Counting.DATAGRAM || counting == Counting.NONE ? DATAGRAMS : OPEN);
        gap = 0;
    }

    /**
     * Takes one datagram into account.
     *
     * @param sequence the number on the wire; bits above the width are ignored
     * @param nowNanos when the datagram was received
     * @param reports in the datagram; less than 1 counts as 1
     * @param bytesHash of all its bytes: equal for equal bytes
     */
    public Outcome on(long sequence, long nowNanos, int reports, long bytesHash) {
        return inOrder(sequence, nowNanos, reports, bytesHash)
                ? Outcome.IN_ORDER
                : stepByStep(sequence, nowNanos, reports, bytesHash);
    }

    /** Takes a datagram into account which is what nearly all are; false, and nothing is changed, where it is not. */
    boolean inOrder(long sequence, long nowNanos, int reports, long bytesHash) {
        gap = 0;
        int n = Math.clamp(reports, 1, MAX_REPORTS);
        if (!state.follow((int) sequence, nowNanos, n, print(bytesHash), period(nowNanos), ENOUGH)) {
            return false;
        }
        learnRate(nowNanos, 1);
        return true;
    }

    /** Any datagram. */
    Outcome stepByStep(long sequence, long nowNanos, int reports, long bytesHash) {
        gap = 0;
        int raw = (int) sequence & -1 >>> Integer.SIZE - state.width();
        int n = Math.clamp(reports, 1, MAX_REPORTS);
        int print = print(bytesHash);
        Outcome outcome;
        if (state.is(STARTED)) {
            outcome = next(raw, nowNanos, n, print);
            state.lastNanos(Math.max(state.lastNanos(), nowNanos));
        } else {
            state.set(STARTED);
            startUnproven(raw, nowNanos, n, print);
            state.lastNanos(nowNanos);
            outcome = Outcome.FIRST;
        }
        state.lastRaw(raw);
        state.count(outcome);
        return outcome;
    }

    private static int print(long bytesHash) {
        return Math.max(1, (int) (bytesHash * PRINT_FACTOR >>> 48));
    }

    private Outcome next(int raw, long now, int n, int print) {
        boolean equal = raw == state.lastRaw();
        state.equal(equal ? Math.min(state.equal() + 1, ENOUGH) : 0);
        if (state.asked() == Counting.NONE.ordinal()) {
            return Outcome.CONSTANT;
        }
        if (state.is(CONSTANT)) {
            return constant(raw, now, n, print);
        }
        if (state.equal() >= EQUAL || state.stalled() >= STALLED) {
            stopCounting();
            return Outcome.CONSTANT;
        }
        if (state.shift() != 0 && (raw & STEP_MASK) != 0) {
            if (state.is(STEP_KNOWN)) {
                state.shift(0);
                state.unset(STEP_KNOWN);
                return reseed(raw, now, n, print);
            }
            unshift();
        }
        Outcome outcome = numbered(raw >>> state.shift(), now, n, print);
        if (state.counts() == OPEN && state.extra() > 0) {
            decide(false);
        }
        return outcome;
    }

    private Outcome numbered(int number, long now, int n, int print) {
        int covered = state.counts() >= REPORTS_BY_FIRST ? n : 1;
        int low = state.counts() == REPORTS_BY_LAST ? number - n + 1 : number;
        int ahead = serial(low - state.head());
        if (state.is(PROVEN)) {
            if (silence(now) * typicalRate() >= halfWrap()) {
                return reseed(low, now, n, print);
            }
            settleByAge(now);
        }
        if (ahead > 0) {
            return ahead <= WINDOW || ahead <= reach(now)
                    ? forward(ahead, covered, now, n, print)
                    : second(Outcome.STRAY, RUN, low, covered, now, n, print);
        }
        if (-ahead >= WINDOW) {
            return second(Outcome.LATE, RUN, low, covered, now, n, print);
        }
        int at = state.head() + ahead;
        return state.seen(at) ? again(at, covered, now, n, print) : filled(at, covered, now, n, print);
    }

    private Outcome forward(int ahead, int covered, long now, int n, int print) {
        state.advances(Math.min(state.advances() + 1, ENOUGH));
        if (!state.is(PROVEN) && state.advances() >= (state.shift() == 0 ? PROOF : STEP_PROOF)) {
            state.set(PROVEN);
            state.arrived(state.arrived() + state.head() - state.base() + 1 - state.missing());
            state.period(period(now));
            state.mark(state.head());
            if (state.shift() != 0) {
                state.set(STEP_KNOWN);
                state.counts(DATAGRAMS);
            }
        }
        if (state.counts() == OPEN && state.shift() == 0) {
            vote(ahead, n);
        }
        gap = ahead - 1;
        learnRate(now, gap + covered);
        advance(gap, covered);
        own(now, n, covered);
        state.headReports(n);
        state.print(state.head() - covered + 1, print);
        return gap == 0 ? Outcome.IN_ORDER : Outcome.GAP;
    }

    /** A number of the window that had not come yet. */
    private Outcome filled(int number, int covered, long now, int n, int print) {
        if (number - state.floor() > 0) {
            int base = state.base();
            if (number - base < 0) {
                // Sent before the first that came, so what lies between the two was sent as well.
                state.missing(state.missing() + Math.max(0, base - number - covered));
                state.base(number);
                state.firstReports(n);
                cover(number, Math.min(covered, base - number));
            } else {
                int left = Math.min(covered, state.head() - number + 1);
                for (int k = 0; k < left; k++) {
                    if (!state.seen(number + k)) {
                        state.see(number + k);
                        state.missing(state.missing() - 1);
                    }
                }
            }
        } else if (state.unplaced() >= covered) {
            state.unplaced(state.unplaced() - covered);
            cover(number, Math.min(covered, state.head() - number + 1));
        } else {
            Outcome outcome = second(Outcome.LATE, RUN, number, covered, now, n, print);
            if (outcome == Outcome.LATE) {
                state.see(number);
                state.print(number, print);
            }
            return outcome;
        }
        own(now, n, covered);
        state.print(number, print);
        return Outcome.REORDERED;
    }

    /** A number of the window that had come already. */
    private Outcome again(int number, int covered, long now, int n, int print) {
        state.stalled(Math.min(state.stalled() + 1, STALLED));
        if (!state.is(PROVEN)) {
            return Outcome.CONSTANT;
        }
        int before = state.print(number);
        if (before == print) {
            return Outcome.DUPLICATE;
        }
        return second(Outcome.REPEATED, before == 0 ? RUN_UNREMEMBERED : RUN, number, covered, now, n, print);
    }

    /**
     * What does not fit the stream may fit itself: two in order are a restart, unless the stream goes on as well. Then two
     * senders use one key, and the first one known keeps it: where they were seen to take turns before a restart, and the
     * former stream then speaks again, there was none.
     */
    private Outcome second(Outcome otherwise, int run, int low, int covered, long now, int n, int print) {
        Outcome outcome = state.is(PROVEN) ? otherwise : Outcome.CONSTANT;
        int high = low + covered - 1;
        int step = state.is(SECOND) ? serial(low - state.secondHead()) : Integer.MIN_VALUE;
        boolean inOrder = step == 1;
        boolean backAgain = step > 0 && state.is(SECOND_IS_FORMER) && turnsLately(now) > 0;
        if (step > 0 && step <= SECOND_WINDOW) {
            int by = step + covered - 1;
            long kept = by >= SECOND_WINDOW ? 0 : state.secondSeen() << by;
            state.secondSeen(kept | ones(covered));
            turnTo(now);
        } else if (step <= 0 && step > -SECOND_WINDOW) {
            long bit = 1L << -step;
            if ((state.secondSeen() & bit) != 0) {
                return outcome;
            }
            state.secondSeen(state.secondSeen() | bit);
            high = state.secondHead();
            turnTo(now);
        } else {
            state.secondSeen(ones(covered));
            state.secondRun(0);
            state.secondNew(0);
            state.set(SECOND);
            state.unset(SECOND_IS_FORMER);
            backAgain = false;
        }
        state.secondHead(high);
        state.set(SECOND_SPOKE);
        state.secondRun(Math.min(state.secondRun() + 1, ENOUGH));
        state.secondNew(Math.min(state.secondNew() + covered, ENOUGH));
        if (backAgain || inOrder && state.secondRun() >= (suspected(now) ? RUN_SUSPECTED : run)) {
            return restart(low, step, now, n, print);
        }
        return outcome;
    }

    private void turnTo(long now) {
        if (state.is(SECOND_SPOKE)) {
            return;
        }
        int turns = Math.min(turnsLately(now) + 1, ENOUGH);
        state.turns(turns);
        state.turnNanos(now);
        if (turns == TURNS && state.is(PROVEN)) {
            state.suspicions(Math.min(state.suspicions() + 1, Short.MAX_VALUE));
        }
    }

    private int turnsLately(long now) {
        return sinceNanos(state.turnNanos(), now) <= TURN_NANOS ? state.turns() : 0;
    }

    /** The second track becomes the stream, and the stream the second track. */
    private Outcome restart(int low, int step, long now, int n, int print) {
        boolean proven = state.is(PROVEN);
        boolean former = state.is(SECOND_IS_FORMER);
        int head = state.secondHead();
        long seen = state.secondSeen();
        int came = Math.min(Long.bitCount(seen), state.secondNew());
        // What was missing of it is lost when its epoch ends, so none of it may be missed again.
        state.secondSeen(-1);
        state.secondHead(state.head());
        state.secondNew(0);
        int span = SECOND_WINDOW - Long.numberOfLeadingZeros(seen);
        startEpoch(head, head - span + 1, now, n);
        for (int k = 0; k < span; k++) {
            if ((seen >>> k & 1) != 0) {
                state.see(head - k);
                state.print(head - k, 0);
            }
        }
        state.missing(span - Long.bitCount(seen));
        state.print(head - serial(head - low), print);
        // All but this one were turned away when they came.
        state.arrived(state.arrived() + (proven ? came : 0));
        if (former) {
            state.unset(SECOND_IS_FORMER);
            gap = step - 1;
            return step == 1 ? Outcome.IN_ORDER : Outcome.GAP;
        }
        state.set(SECOND_IS_FORMER);
        return proven ? Outcome.RESTART : Outcome.IN_ORDER;
    }

    private Outcome reseed(int number, long now, int n, int print) {
        boolean reports = state.counts() >= REPORTS_BY_FIRST;
        int covered = reports ? n : 1;
        startEpoch(number + covered - 1, number, now, n);
        cover(number, covered);
        state.arrived(state.arrived() + covered);
        state.print(number, print);
        return Outcome.RESEEDED;
    }

    /** After a silence the counter has not to prove itself again. */
    private void startEpoch(int head, int base, long now, int n) {
        closeEpoch();
        state.forgetAll();
        place(head, base, now);
        state.extra(state.counts() == OPEN ? n - 1 : 0);
        state.extraOfAll(saturated((long) state.extraOfAll() + state.extra()));
        state.firstReports(n);
        state.headReports(n);
    }

    private void startUnproven(int raw, long now, int n, int print) {
        boolean maybeStepped = state.width() == STEP_WIDTH && (raw & STEP_MASK) == 0;
        state.shift(maybeStepped ? STEP_SHIFT : 0);
        state.unset(PROVEN | CONSTANT | STEP_KNOWN | SECOND | SECOND_IS_FORMER);
        state.advances(0);
        int number = raw >>> state.shift();
        startEpoch(number, number, now, n);
        state.see(number);
        state.print(number, print);
    }

    private void place(int head, int base, long now) {
        state.head(head);
        state.base(base);
        state.floor(base - WINDOW);
        state.mark(head);
        state.period(period(now));
        state.rateStart(now);
        state.rateNumbers(0);
        state.ownNanos(now);
        state.stalled(0);
        state.secondRun(0);
        state.unset(SECOND_SPOKE);
    }

    private void own(long now, int n, int covered) {
        state.ownNanos(Math.max(state.ownNanos(), now));
        state.secondRun(0);
        state.unset(SECOND_SPOKE);
        state.stalled(0);
        state.arrived(state.arrived() + (state.is(PROVEN) ? covered : 0));
        if (state.counts() == OPEN) {
            state.extra(saturated((long) state.extra() + n - 1));
            state.extraOfAll(saturated((long) state.extraOfAll() + n - 1));
        }
    }

    private Outcome constant(int raw, long now, int n, int print) {
        int ahead = serial((raw >>> state.shift()) - state.head());
        boolean known = raw == state.lastRaw() || ahead <= 0 && -ahead < WINDOW && state.seen(state.head() + ahead);
        if (!known) {
            startUnproven(raw, now, n, print);
        }
        return Outcome.CONSTANT;
    }

    private void stopCounting() {
        closeEpoch();
        state.set(CONSTANT);
        state.unset(PROVEN);
    }

    /** Not steps of 64 after all: the few numbers there are move apart. */
    private void unshift() {
        int head = state.head();
        int base = state.base();
        long seen = 0;
        for (int k = 0; k < WINDOW >> STEP_SHIFT; k++) {
            seen |= head - k - base >= 0 && state.seen(head - k) ? 1L << k : 0;
        }
        boolean near = head - base < WINDOW >> STEP_SHIFT;
        state.shift(0);
        state.forgetAll();
        state.head(head << STEP_SHIFT);
        state.base((near ? base : head) << STEP_SHIFT);
        state.floor(state.base() - WINDOW);
        state.mark(state.head());
        state.unset(SECOND | SECOND_IS_FORMER);
        for (int k = 0; k < (near ? WINDOW >> STEP_SHIFT : 1); k++) {
            if ((seen >>> k & 1) != 0) {
                state.see(head - k << STEP_SHIFT);
                state.print(head - k << STEP_SHIFT, 0);
            }
        }
        state.missing(near ? state.head() - state.base() + 1 - Long.bitCount(seen) : 0);
    }

    // What is numbered: datagrams or reports
    // ------------------------------------------------------------------------------

    private void vote(int ahead, int n) {
        int before = state.headReports();
        if (n == 1 && before == 1) {
            return;
        }
        if (ahead == 1) {
            state.vote(DATAGRAMS);
        }
        if (ahead == before) {
            state.vote(REPORTS_BY_FIRST);
        }
        if (ahead == n) {
            state.vote(REPORTS_BY_LAST);
        }
    }

    private void decide(boolean now) {
        state.undecided(state.undecided() + 1);
        boolean due = now || state.undecided() >= DECIDE_WITHIN;
        int first = state.votes(REPORTS_BY_FIRST);
        int last = state.votes(REPORTS_BY_LAST);
        int reports = Math.max(first, last);
        int datagrams = state.asked() == Counting.REPORT.ordinal() ? Short.MIN_VALUE : state.votes(DATAGRAMS);
        if (datagrams - reports >= CLEAR_LEAD || due && datagrams >= reports) {
            state.counts(DATAGRAMS);
            state.lost(state.lost() + state.held() + state.owedDatagrams());
        } else if (reports - datagrams >= CLEAR_LEAD && Math.abs(first - last) >= LABEL_LEAD || due) {
            numberReports(first >= last ? REPORTS_BY_FIRST : REPORTS_BY_LAST);
        } else {
            return;
        }
        state.held(0);
        state.owedDatagrams(0);
        state.owedReports(0);
        state.extra(0);
    }

    /** Up to here every datagram stood for one number. Which numbers its other reports had is known in sum only. */
    private void numberReports(int counts) {
        int head = state.head();
        state.unplaced(missingReports(counts));
        state.unplacedHead(head);
        state.lost(state.lost() + state.owedReports());
        state.arrived(state.arrived() + state.extraOfAll());
        state.counts(counts);
        state.missing(0);
        state.floor(head);
        state.mark(head);
        if (counts == REPORTS_BY_FIRST && state.headReports() > 1) {
            advance(0, state.headReports() - 1);
        }
    }

    private int missingReports(int counts) {
        // Numbers outside those the datagrams span: after the head's own, or before the first's.
        int outside = (counts == REPORTS_BY_FIRST ? state.headReports() : state.firstReports()) - 1;
        long missing = (long) state.held() + state.missing() - state.extra() + outside;
        return saturated(Math.max(0, missing));
    }

    private boolean holdsBack() {
        return state.counts() == OPEN && state.extra() > 0;
    }

    // The window
    // ----------------------------------------------------------------------------------------------------------

    private void advance(int gap, int covered) {
        int head = state.head();
        int by = gap + covered;
        if (by == 1 && state.missing() == 0) {
            state.see(head + 1);
        } else if (by < WINDOW) {
            advanceOneByOne(head, gap, by);
        } else {
            // The whole window leaves, and the oldest of the gap with it.
            int beyond = Math.min(gap, by - WINDOW);
            int outside = state.missing();
            state.forgetAll();
            for (int k = 0; k < Math.min(covered, WINDOW); k++) {
                state.see(head + by - k);
            }
            state.missing(gap - beyond);
            giveUp((long) outside + beyond);
            state.base(head + by - WINDOW);
            state.floor(head + by - WINDOW);
            state.mark(head + by - WINDOW);
        }
        state.head(head + by);
        state.solid(Math.min(gap == 0 ? state.solid() + covered : covered, WINDOW));
        // What is a window away is settled anyway.
        if (head - state.base() > StreamState.REBASE) {
            state.base(head - WINDOW);
            state.floor(head - Math.clamp(head - state.floor(), 0, WINDOW));
            state.mark(head - Math.clamp(head - state.mark(), 0, WINDOW));
        }
        if (state.unplaced() > 0 && (by >= WINDOW || state.head() - state.unplacedHead() >= WINDOW)) {
            settleUnplaced();
        }
    }

    private void advanceOneByOne(int head, int gap, int by) {
        int floor = state.floor();
        int base = state.base();
        int missing = state.missing();
        int leaving = 0;
        for (int k = 1; k <= by; k++) {
            int number = head + k;
            int oldest = number - WINDOW;
            if (leaving < missing && oldest - floor > 0 && oldest - base >= 0 && !state.seen(oldest)) {
                leaving++;
            }
            if (k > gap) {
                state.see(number);
            } else {
                state.forget(number);
            }
        }
        state.missing(missing + gap - leaving);
        if (leaving > 0) {
            giveUp(leaving);
        }
    }

    private void cover(int number, int covered) {
        for (int k = 0; k < covered; k++) {
            state.see(number + k);
        }
    }

    private void giveUp(long numbers) {
        if (holdsBack()) {
            state.held(saturated(state.held() + numbers));
        } else {
            state.lost(state.lost() + numbers);
        }
    }

    private void settleUnplaced() {
        state.lost(state.lost() + state.unplaced());
        state.unplaced(0);
    }

    /** Periods lie on a grid of time, so it does not matter how often anybody asks. */
    private void settleByAge(long now) {
        int period = period(now);
        int passed = period - state.period();
        if (passed <= 0) {
            return;
        }
        int head = state.head();
        int upTo = passed == 1 ? state.mark() : head;
        state.period(period);
        state.mark(head);
        if (upTo - state.floor() <= 0) {
            return;
        }
        if (state.missing() > 0) {
            int from = Math.max(state.floor() - head, Math.max(state.base() - 1 - head, -WINDOW)) + head + 1;
            int gone = 0;
            for (int number = from; upTo - number >= 0; number++) {
                gone += state.seen(number) ? 0 : 1;
            }
            gone = Math.min(gone, state.missing());
            state.missing(state.missing() - gone);
            giveUp(gone);
        }
        state.floor(upTo);
        if (state.unplaced() > 0 && upTo - state.unplacedHead() >= 0) {
            settleUnplaced();
        }
    }

    private int period(long now) {
        if (now >= periodStart && now - periodStart < rules.settleNanos) {
            return period;
        }
        int found = (int) Math.floorDiv(now, rules.settleNanos);
        if (now >= 0) {
            period = found;
            periodStart = now - now % rules.settleNanos;
        }
        return found;
    }

    private void closeEpoch() {
        if (state.is(PROVEN)) {
            if (holdsBack()) {
                int best = state.votes(REPORTS_BY_LAST) > state.votes(REPORTS_BY_FIRST)
                        ? REPORTS_BY_LAST
                        : REPORTS_BY_FIRST;
                long datagrams = (long) state.owedDatagrams() + state.held() + state.missing();
                state.owedReports(saturated((long) state.owedReports() + missingReports(best)));
                state.owedDatagrams(saturated(datagrams));
            } else {
                state.lost(state.lost() + state.missing() + state.unplaced());
            }
        } else {
            state.extraOfAll(state.extraOfAll() - state.extra());
        }
        state.held(0);
        state.missing(0);
        state.unplaced(0);
        state.extra(0);
    }

    // Rate
    // ----------------------------------------------------------------------------------------------------------------

    private void learnRate(long now, int numbers) {
        long elapsed = sinceNanos(state.rateStart(), now);
        state.rateNumbers(saturated((long) state.rateNumbers() + numbers));
        if (elapsed >= RATE_INTERVAL) {
            float rate = (float) state.rateNumbers() / elapsed;
            float weight = state.rate() == 0 ? 1 : elapsed / (elapsed + RATE_MEMORY);
            state.rate(state.rate() + (rate - state.rate()) * weight);
            state.peak(Math.max(rate, state.peak() * PEAK_DECAY));
            state.rateStart(now);
            state.rateNumbers(0);
        }
    }

    private double burstRate() {
        long elapsed = sinceNanos(state.rateStart(), state.ownNanos());
        return elapsed > 0 && state.rateNumbers() >= BURST ? (double) state.rateNumbers() / elapsed : 0;
    }

    private double typicalRate() {
        return state.rate() > 0 ? state.rate() : burstRate();
    }

    private double silence(long now) {
        return sinceNanos(state.ownNanos(), now);
    }

    /** How far the stream could have come since it was last heard. */
    private double reach(long now) {
        double rate = Math.max(burstRate(), Math.max(state.rate(), state.peak()));
        double reach = state.is(PROVEN) ? WINDOW + SLACK * rate * silence(now) : WINDOW;
        return Math.min(reach, Integer.MAX_VALUE - 2 * WINDOW);
    }

    private static long sinceNanos(long then, long now) {
        if (now <= then) {
            return 0;
        }
        long since = now - then;
        return since < 0 ? Long.MAX_VALUE : since;
    }

    private double halfWrap() {
        return 1L << state.width() - state.shift() - 1;
    }

    /** Serial number arithmetic [RFC 1982] in the width of the counter: negative is behind. */
    private int serial(int difference) {
        int unused = Integer.SIZE - (state.width() - state.shift());
        return difference << unused >> unused;
    }

    private static long ones(int count) {
        return count >= Long.SIZE ? -1 : (1L << count) - 1;
    }

    private static int saturated(long value) {
        return (int) Math.min(value, Integer.MAX_VALUE);
    }

    // What a host asks
    // ----------------------------------------------------------------------------------------------------

    /** Settles what has become old by now; a later datagram would do the same. */
    public void settle(long nowNanos) {
        if (state.is(PROVEN)) {
            settleByAge(nowNanos);
        }
    }

    /** Settles everything: nothing more is waited for. The stream may go on, what comes for it is then late. */
    public void close() {
        if (!state.is(STARTED) || !state.is(PROVEN)) {
            return;
        }
        if (state.counts() == OPEN && (state.extra() > 0 || state.owedDatagrams() > 0)) {
            decide(true);
        }
        state.lost(state.lost() + state.missing() + state.unplaced());
        state.missing(0);
        state.unplaced(0);
        state.floor(state.head());
        state.mark(state.head());
    }

    /** Missing numbers that the last {@link #on} revealed; they are not lost yet. */
    public int gap() {
        return gap;
    }

    public long received() {
        long sum = 0;
        for (Outcome outcome : OUTCOMES) {
            sum += state.outcomes(outcome);
        }
        return sum;
    }

    public long count(Outcome outcome) {
        return state.outcomes(outcome);
    }

    public SequenceTotals totals() {
        return new SequenceTotals(
                received(),
                arrived(),
                lost(),
                missing(),
                count(Outcome.DUPLICATE),
                count(Outcome.REORDERED),
                count(Outcome.LATE),
                count(Outcome.RESTART),
                count(Outcome.RESEEDED),
                suspicions());
    }

    /** Numbers that will not come: datagrams, or reports where the exporter numbers those. Never falls. */
    public long lost() {
        return state.lost();
    }

    /** Numbers that have not come but still may; 0 while it is open what the numbers mean. */
    public long missing() {
        return state.is(PROVEN) && !holdsBack() ? (long) state.missing() + state.unplaced() : 0;
    }

    /** Numbers that came, each once, in the unit of {@link #lost}; none before the counter has proven to be one. */
    public long arrived() {
        return state.arrived();
    }

    /** Whether numbers can tell loss: the counter has moved, and does. */
    public boolean counts() {
        return state.is(PROVEN);
    }

    /** What was found to be numbered; {@link Counting#AUTO} while that is open. */
    public Counting counting() {
        if (state.asked() == Counting.NONE.ordinal()) {
            return Counting.NONE;
        }
        return switch (state.counts()) {
            case DATAGRAMS -> Counting.DATAGRAM;
            case REPORTS_BY_FIRST, REPORTS_BY_LAST -> Counting.REPORT;
            default -> Counting.of(state.asked());
        };
    }

    /** By how much the number on the wire grows from one to the next: 1, or 64. */
    public int step() {
        return state.is(STEP_KNOWN) ? 1 << STEP_SHIFT : 1;
    }

    /** Two senders have taken turns in this stream within the last ten seconds, each in order with itself. */
    public boolean suspected(long nowNanos) {
        return state.turns() >= TURNS && sinceNanos(state.turnNanos(), nowNanos) <= TURN_NANOS;
    }

    /** How often two senders began to take turns. */
    public int suspicions() {
        return state.suspicions();
    }

    public long lastNanos() {
        return state.lastNanos();
    }

    /** The highest number, as on the wire. */
    public long sequence() {
        int mask = -1 >>> Integer.SIZE - state.width();
        return Integer.toUnsignedLong(state.head() << state.shift() & mask);
    }

    /** Numbers per second, those lost among them; 0 while unknown. */
    public double rate() {
        return state.rate() * NANOS_PER_SECOND;
    }

    /** Whether these bytes are a stream in a layout this class reads. */
    public boolean readable() {
        return state.layout() == StreamState.LAYOUT;
    }
}
