package io.pathlore.analysis.sequence;

import java.nio.ByteBuffer;

/**
 * The state of one stream, {@value #LENGTH} octets somebody else owns. Little endian, longs aligned to 8.
 * <pre>
 *   0  layout version   1  width     2  counting asked for   3  counting found   4  shift   5  flags
 *   6  reports of the datagram at the head (2)
 *   8  head, base: numbers (4 each)
 *  16  second track: run (1), turns (1); missing (2); reports beyond the first of each datagram in this epoch (4), while it is
 *      open what is numbered
 *  24  last number on the wire (4), how often in a row (1), advances (1), without a new number (2)
 *  32  time of the last datagram, of the last that belonged to the stream, start of the rate's interval (8 each)
 *  56  rate in numbers/ns, numbers in the interval, settling period, numbers in a row up to the head (4 each)
 *  72  outcomes but FIRST (8 each)
 * 152  arrived, but for those in order; lost (8 each)
 * 168  floor, mark: numbers (4 each)
 * 176  second track: numbers seen (8), time of the last turn (8), head (4), numbers it has had since it was put aside (1),
 *      reserved (3)
 * 200  while it is open what is numbered: reports beyond the first in all epochs; held back; owed by epochs that ended,
 *      counted in datagrams and in reports (4 each); votes (2 each), datagrams since (2)
 * 224  reports of the epoch's first datagram (2), turned suspicious (2)
 * 228  missing without a known place, head when that was found (4 each)
 * 236  peak rate (4)
 * 240  window: one bit a number (128)
 * 368  prints of the newest {@value #OWN_PRINTS} numbers (2 each)
 * </pre>
 * Numbers are kept modulo 2^32 whatever the width, so that only their differences mean something. Prints say which bytes a
 * number came with; a host that can spare the memory lends a page for the whole window. What a number in order needs stands in
 * front, so that it meets few cache lines.
 */
final class StreamState {
    static final int LAYOUT = 1;
    static final int LENGTH = 432;
    static final int WINDOW = 1024;
    static final int OWN_PRINTS = 32;

    static final int STARTED = 1;
    static final int PROVEN = 2;
    static final int CONSTANT = 4;
    static final int STEP_KNOWN = 8;
    static final int SECOND = 16;
    static final int SECOND_SPOKE = 32;
    static final int SECOND_IS_FORMER = 64;

    static final int OPEN = 0;
    static final int DATAGRAMS = 1;
    static final int REPORTS_BY_FIRST = 2;
    static final int REPORTS_BY_LAST = 3;

    private static final int WINDOW_AT = 240;
    private static final int PRINTS_AT = 368;
    private static final int OUTCOMES_AT = 72 - Long.BYTES;

    /** Counting found, shift and flags of a stream whose numbers are those of datagrams, or may be. */
    private static final long PLAIN_MASK =
            0xFE00_0000L | 0xFFL << 32 | (STARTED | PROVEN | CONSTANT | SECOND_SPOKE) * 1L << 40;

    private static final long PLAIN = (STARTED | PROVEN) * 1L << 40;
    private static final long COUNTS_DATAGRAMS = DATAGRAMS * 1L << 24;
    /** Differences of numbers have 32 bits, so nothing may stay behind the head for ever. */
    static final int REBASE = 1 << 30;

    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private int at;
    private ByteBuffer printBytes = bytes;
    private int printsAt;
    private int prints;

    void wrap(ByteBuffer bytes, int at) {
        wrap(bytes, at, bytes, at + PRINTS_AT, OWN_PRINTS);
    }

    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    void wrap(ByteBuffer bytes, int at, ByteBuffer printBytes, int printsAt, int prints) {
        if (this.bytes != bytes) {
            this.bytes = bytes;
        }
        if (this.printBytes != printBytes) {
            this.printBytes = printBytes;
        }
        this.at = at;
        this.printsAt = printsAt;
        this.prints = prints;
    }

    void clear() {
        for (int offset = 0; offset < LENGTH; offset += Long.BYTES) {
            bytes.putLong(at + offset, 0);
        }
        bytes.put(at, (byte) LAYOUT);
    }

    /**
     * Takes the number after the highest, where that is all there is to it: what {@link SequenceTracker} would do step by step but
     * for the rate, in few reads and writes. False, and nothing is changed, where anything else has to be decided.
     *
     * @param most where advances stop being counted
     */
    boolean follow(int sequence, long now, int n, int print, int period, int most) {
        ByteBuffer bytes = this.bytes;
        int at = this.at;
        long kind = bytes.getLong(at);
        long open = bytes.getLong(at + 16); // second run, turns, missing, extra
        boolean plain = (kind & PLAIN_MASK) == PLAIN && (open & 0xFF) == 0;
        boolean datagrams = (kind & COUNTS_DATAGRAMS) != 0 || n == 1 && kind >>> 48 == 1 && open >>> 32 == 0;
        long bounds = bytes.getLong(at + 8); // head, base
        int head = (int) bounds;
        int number = head + 1;
        int width = (int) kind >> 8 & 0xFF;
        int raw = sequence & -1 >>> Integer.SIZE - width;
        long last = bytes.getLong(at + 24); // number on the wire, equal, advances, stalled
        boolean next = raw - number << Integer.SIZE - width == 0 && raw != (int) last && last >>> 48 == 0;
        long settled = bytes.getLong(at + 64); // period, solid
        boolean near = head - (int) (bounds >>> 32) <= REBASE && period - (int) settled <= 0;
        long own = bytes.getLong(at + 40);
        long silence = now - own;
        float rate = bytes.getFloat(at + 56);
        boolean steady = now >= own && silence >= 0 && rate > 0 && silence * (double) rate < 1L << width - 1;
        if (!plain || !datagrams || !next || !near || !steady) {
            return false;
        }
        int solid = (int) (settled >>> 32);
        if (solid < WINDOW) {
            // The number shares its bit with the one that leaves the window.
            int wordAt = at + WINDOW_AT + (number >>> 6 & 15) * Long.BYTES;
            long word = bytes.getLong(wordAt);
            if ((word >>> number & 1) == 0) {
                if ((open & 0xFFFF_0000L) != 0) {
                    return false;
                }
                bytes.putLong(wordAt, word | 1L << number);
            }
            bytes.putInt(at + 68, solid + 1);
        }
        long advances = Math.min((last >>> 40) + 1, most);
        bytes.putLong(at, kind & 0xFFFF_FFFF_FFFFL | (long) n << 48);
        bytes.putLong(at + 8, bounds & 0xFFFF_FFFF_0000_0000L | Integer.toUnsignedLong(number));
        bytes.putLong(at + 24, advances << 40 | Integer.toUnsignedLong(raw));
        bytes.putLong(at + 32, Math.max(bytes.getLong(at + 32), now));
        bytes.putLong(at + 40, now);
        bytes.putLong(at + 72, bytes.getLong(at + 72) + 1); // in order, and so arrived
        printBytes.putShort(printsAt + (number & prints - 1) * Short.BYTES, (short) print);
        return true;
    }

    int layout() {
        return bytes.get(at);
    }

    int width() {
        return bytes.get(at + 1);
    }

    void width(int value) {
        bytes.put(at + 1, (byte) value);
    }

    int asked() {
        return bytes.get(at + 2);
    }

    void asked(int value) {
        bytes.put(at + 2, (byte) value);
    }

    int counts() {
        return bytes.get(at + 3);
    }

    void counts(int value) {
        bytes.put(at + 3, (byte) value);
    }

    int shift() {
        return bytes.get(at + 4);
    }

    void shift(int value) {
        bytes.put(at + 4, (byte) value);
    }

    boolean is(int flag) {
        return (bytes.get(at + 5) & flag) != 0;
    }

    void set(int flag) {
        bytes.put(at + 5, (byte) (bytes.get(at + 5) | flag));
    }

    void unset(int flag) {
        bytes.put(at + 5, (byte) (bytes.get(at + 5) & ~flag));
    }

    int headReports() {
        return bytes.getShort(at + 6);
    }

    void headReports(int value) {
        bytes.putShort(at + 6, (short) value);
    }

    int head() {
        return bytes.getInt(at + 8);
    }

    void head(int value) {
        bytes.putInt(at + 8, value);
    }

    /** The lowest number of the epoch: nothing below it is missed. */
    int base() {
        return bytes.getInt(at + 12);
    }

    void base(int value) {
        bytes.putInt(at + 12, value);
    }

    /** Up to here loss is settled. */
    int floor() {
        return bytes.getInt(at + 168);
    }

    void floor(int value) {
        bytes.putInt(at + 168, value);
    }

    /** The head when the current settling period began: the floor of the next one. */
    int mark() {
        return bytes.getInt(at + 172);
    }

    void mark(int value) {
        bytes.putInt(at + 172, value);
    }

    int lastRaw() {
        return bytes.getInt(at + 24);
    }

    void lastRaw(int value) {
        bytes.putInt(at + 24, value);
    }

    int equal() {
        return bytes.get(at + 28);
    }

    void equal(int value) {
        bytes.put(at + 28, (byte) value);
    }

    int advances() {
        return bytes.get(at + 29);
    }

    void advances(int value) {
        bytes.put(at + 29, (byte) value);
    }

    int stalled() {
        return bytes.getShort(at + 30);
    }

    void stalled(int value) {
        bytes.putShort(at + 30, (short) value);
    }

    long lastNanos() {
        return bytes.getLong(at + 32);
    }

    void lastNanos(long value) {
        bytes.putLong(at + 32, value);
    }

    long ownNanos() {
        return bytes.getLong(at + 40);
    }

    void ownNanos(long value) {
        bytes.putLong(at + 40, value);
    }

    long rateStart() {
        return bytes.getLong(at + 48);
    }

    void rateStart(long value) {
        bytes.putLong(at + 48, value);
    }

    float rate() {
        return bytes.getFloat(at + 56);
    }

    void rate(float value) {
        bytes.putFloat(at + 56, value);
    }

    float peak() {
        return bytes.getFloat(at + 236);
    }

    void peak(float value) {
        bytes.putFloat(at + 236, value);
    }

    int rateNumbers() {
        return bytes.getInt(at + 60);
    }

    void rateNumbers(int value) {
        bytes.putInt(at + 60, value);
    }

    int period() {
        return bytes.getInt(at + 64);
    }

    void period(int value) {
        bytes.putInt(at + 64, value);
    }

    /** At least so many numbers up to the head, it among them, were seen; no more than fill the window. */
    int solid() {
        return bytes.getInt(at + 68);
    }

    void solid(int value) {
        bytes.putInt(at + 68, value);
    }

    long secondSeen() {
        return bytes.getLong(at + 176);
    }

    void secondSeen(long value) {
        bytes.putLong(at + 176, value);
    }

    int secondHead() {
        return bytes.getInt(at + 192);
    }

    void secondHead(int value) {
        bytes.putInt(at + 192, value);
    }

    int secondRun() {
        return bytes.get(at + 16);
    }

    void secondRun(int value) {
        bytes.put(at + 16, (byte) value);
    }

    int turns() {
        return bytes.get(at + 17);
    }

    void turns(int value) {
        bytes.put(at + 17, (byte) value);
    }

    int secondNew() {
        return bytes.get(at + 196);
    }

    void secondNew(int value) {
        bytes.put(at + 196, (byte) value);
    }

    /** Numbers of the window above floor and base that have not come. */
    int missing() {
        return bytes.getShort(at + 18);
    }

    void missing(int value) {
        bytes.putShort(at + 18, (short) value);
    }

    long turnNanos() {
        return bytes.getLong(at + 184);
    }

    void turnNanos(long value) {
        bytes.putLong(at + 184, value);
    }

    int extra() {
        return bytes.getInt(at + 20);
    }

    void extra(int value) {
        bytes.putInt(at + 20, value);
    }

    int extraOfAll() {
        return bytes.getInt(at + 200);
    }

    void extraOfAll(int value) {
        bytes.putInt(at + 200, value);
    }

    int held() {
        return bytes.getInt(at + 204);
    }

    void held(int value) {
        bytes.putInt(at + 204, value);
    }

    int owedDatagrams() {
        return bytes.getInt(at + 208);
    }

    void owedDatagrams(int value) {
        bytes.putInt(at + 208, value);
    }

    int owedReports() {
        return bytes.getInt(at + 212);
    }

    void owedReports(int value) {
        bytes.putInt(at + 212, value);
    }

    /** Of {@link #DATAGRAMS}, {@link #REPORTS_BY_FIRST}, {@link #REPORTS_BY_LAST}. */
    int votes(int counts) {
        return bytes.getShort(at + 214 + 2 * counts);
    }

    void vote(int counts) {
        bytes.putShort(at + 214 + 2 * counts, (short) (votes(counts) + 1));
    }

    int undecided() {
        return bytes.getShort(at + 222);
    }

    void undecided(int value) {
        bytes.putShort(at + 222, (short) value);
    }

    int firstReports() {
        return bytes.getShort(at + 224);
    }

    void firstReports(int value) {
        bytes.putShort(at + 224, (short) value);
    }

    int suspicions() {
        return bytes.getShort(at + 226);
    }

    void suspicions(int value) {
        bytes.putShort(at + 226, (short) value);
    }

    int unplaced() {
        return bytes.getInt(at + 228);
    }

    void unplaced(int value) {
        bytes.putInt(at + 228, value);
    }

    int unplacedHead() {
        return bytes.getInt(at + 232);
    }

    void unplacedHead(int value) {
        bytes.putInt(at + 232, value);
    }

    long lost() {
        return bytes.getLong(at + 160);
    }

    void lost(long value) {
        bytes.putLong(at + 160, value);
    }

    long arrived() {
        return bytes.getLong(at + 152) + outcomes(Outcome.IN_ORDER);
    }

    void arrived(long value) {
        bytes.putLong(at + 152, value - outcomes(Outcome.IN_ORDER));
    }

    long outcomes(Outcome outcome) {
        if (outcome == Outcome.FIRST) {
            return is(STARTED) ? 1 : 0;
        }
        return bytes.getLong(at + OUTCOMES_AT + Long.BYTES * outcome.ordinal());
    }

    /** Whether it also arrived is said apart. */
    void count(Outcome outcome) {
        if (outcome != Outcome.FIRST) {
            long arrived = arrived();
            int place = at + OUTCOMES_AT + Long.BYTES * outcome.ordinal();
            bytes.putLong(place, bytes.getLong(place) + 1);
            arrived(arrived);
        }
    }

    boolean seen(int number) {
        return (word(number) >>> number & 1) != 0;
    }

    void see(int number) {
        word(number, word(number) | 1L << number);
    }

    void forget(int number) {
        word(number, word(number) & ~(1L << number));
    }

    void forgetAll() {
        solid(0);
        for (int offset = 0; offset < WINDOW / Byte.SIZE; offset += Long.BYTES) {
            bytes.putLong(at + WINDOW_AT + offset, 0);
        }
    }

    private long word(int number) {
        return bytes.getLong(at + WINDOW_AT + (number >>> 6 & 15) * Long.BYTES);
    }

    private void word(int number, long value) {
        bytes.putLong(at + WINDOW_AT + (number >>> 6 & 15) * Long.BYTES, value);
    }

    /** Of a number in the window; 0 when it is not remembered. */
    int print(int number) {
        return head() - number >= prints ? 0 : printBytes.getShort(place(number)) & 0xFFFF;
    }

    void print(int number, int print) {
        if (head() - number < prints) {
            printBytes.putShort(place(number), (short) print);
        }
    }

    private int place(int number) {
        return printsAt + (number & prints - 1) * Short.BYTES;
    }
}
