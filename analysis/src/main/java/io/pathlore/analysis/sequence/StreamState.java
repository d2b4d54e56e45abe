package io.pathlore.analysis.sequence;

import java.nio.ByteBuffer;

/**
 * The state of one stream, {@value #LENGTH} octets somebody else owns. Little endian, longs aligned to 8.
 * <pre>
 *   0  layout version   1  width     2  counting asked for   3  counting found   4  shift   5  flags
 *   6  reports of the datagram at the head (2)
 *   8  head, base, floor, mark: numbers (4 each)
 *  24  last number on the wire (4), how often in a row (1), advances (1), without a new number (2)
 *  32  time of the last datagram, of the last that belonged to the stream, start of the rate's interval (8 each)
 *  56  rate, peak rate in numbers/ns (4 each), numbers in the interval (4), settling period (4)
 *  72  second track: numbers seen (8), head (4), run (1), turns (1), missing (2), time of the last turn (8)
 *  96  while it is open what is numbered: reports beyond the first of each datagram, in this epoch and in all; held back;
 *      owed by epochs that ended, counted in datagrams and in reports (4 each); votes (2 each), datagrams since (2)
 * 124  reports of the epoch's first datagram (2), turned suspicious (2)
 * 128  missing without a known place, head when that was found (4 each)
 * 136  lost, arrived (8 each)
 * 152  outcomes but FIRST (8 each)
 * 232  numbers the second track has had since it was put aside (1), reserved (7)
 * 240  window: one bit a number (128)
 * 368  prints of the newest {@value #OWN_PRINTS} numbers (2 each)
 * </pre>
 * Numbers are kept modulo 2^32 whatever the width, so that only their differences mean something. Prints say which bytes a
 * number came with; a host that can spare the memory lends a page for the whole window.
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
    private static final int OUTCOMES_AT = 152 - Long.BYTES;

    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private int at;
    private ByteBuffer printBytes = bytes;
    private int printsAt;
    private int prints;

    void wrap(ByteBuffer bytes, int at) {
        wrap(bytes, at, bytes, at + PRINTS_AT, OWN_PRINTS);
    }

    void wrap(ByteBuffer bytes, int at, ByteBuffer printBytes, int printsAt, int prints) {
        this.bytes = bytes;
        this.at = at;
        this.printBytes = printBytes;
        this.printsAt = printsAt;
        this.prints = prints;
    }

    void clear() {
        for (int offset = 0; offset < LENGTH; offset += Long.BYTES) {
            bytes.putLong(at + offset, 0);
        }
        bytes.put(at, (byte) LAYOUT);
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
        return bytes.getInt(at + 16);
    }

    void floor(int value) {
        bytes.putInt(at + 16, value);
    }

    /** The head when the current settling period began: the floor of the next one. */
    int mark() {
        return bytes.getInt(at + 20);
    }

    void mark(int value) {
        bytes.putInt(at + 20, value);
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
        return bytes.getFloat(at + 60);
    }

    void peak(float value) {
        bytes.putFloat(at + 60, value);
    }

    int rateNumbers() {
        return bytes.getInt(at + 64);
    }

    void rateNumbers(int value) {
        bytes.putInt(at + 64, value);
    }

    int period() {
        return bytes.getInt(at + 68);
    }

    void period(int value) {
        bytes.putInt(at + 68, value);
    }

    long secondSeen() {
        return bytes.getLong(at + 72);
    }

    void secondSeen(long value) {
        bytes.putLong(at + 72, value);
    }

    int secondHead() {
        return bytes.getInt(at + 80);
    }

    void secondHead(int value) {
        bytes.putInt(at + 80, value);
    }

    int secondRun() {
        return bytes.get(at + 84);
    }

    void secondRun(int value) {
        bytes.put(at + 84, (byte) value);
    }

    int turns() {
        return bytes.get(at + 85);
    }

    void turns(int value) {
        bytes.put(at + 85, (byte) value);
    }

    int secondNew() {
        return bytes.get(at + 232);
    }

    void secondNew(int value) {
        bytes.put(at + 232, (byte) value);
    }

    /** Numbers of the window above floor and base that have not come. */
    int missing() {
        return bytes.getShort(at + 86);
    }

    void missing(int value) {
        bytes.putShort(at + 86, (short) value);
    }

    long turnNanos() {
        return bytes.getLong(at + 88);
    }

    void turnNanos(long value) {
        bytes.putLong(at + 88, value);
    }

    int extra() {
        return bytes.getInt(at + 96);
    }

    void extra(int value) {
        bytes.putInt(at + 96, value);
    }

    int extraOfAll() {
        return bytes.getInt(at + 100);
    }

    void extraOfAll(int value) {
        bytes.putInt(at + 100, value);
    }

    int held() {
        return bytes.getInt(at + 104);
    }

    void held(int value) {
        bytes.putInt(at + 104, value);
    }

    int owedDatagrams() {
        return bytes.getInt(at + 108);
    }

    void owedDatagrams(int value) {
        bytes.putInt(at + 108, value);
    }

    int owedReports() {
        return bytes.getInt(at + 112);
    }

    void owedReports(int value) {
        bytes.putInt(at + 112, value);
    }

    /** Of {@link #DATAGRAMS}, {@link #REPORTS_BY_FIRST}, {@link #REPORTS_BY_LAST}. */
    int votes(int counts) {
        return bytes.getShort(at + 114 + 2 * counts);
    }

    void vote(int counts) {
        bytes.putShort(at + 114 + 2 * counts, (short) (votes(counts) + 1));
    }

    int undecided() {
        return bytes.getShort(at + 122);
    }

    void undecided(int value) {
        bytes.putShort(at + 122, (short) value);
    }

    int firstReports() {
        return bytes.getShort(at + 124);
    }

    void firstReports(int value) {
        bytes.putShort(at + 124, (short) value);
    }

    int suspicions() {
        return bytes.getShort(at + 126);
    }

    void suspicions(int value) {
        bytes.putShort(at + 126, (short) value);
    }

    int unplaced() {
        return bytes.getInt(at + 128);
    }

    void unplaced(int value) {
        bytes.putInt(at + 128, value);
    }

    int unplacedHead() {
        return bytes.getInt(at + 132);
    }

    void unplacedHead(int value) {
        bytes.putInt(at + 132, value);
    }

    long lost() {
        return bytes.getLong(at + 136);
    }

    void lost(long value) {
        bytes.putLong(at + 136, value);
    }

    long arrived() {
        return bytes.getLong(at + 144);
    }

    void arrived(long value) {
        bytes.putLong(at + 144, value);
    }

    long outcomes(Outcome outcome) {
        if (outcome == Outcome.FIRST) {
            return is(STARTED) ? 1 : 0;
        }
        return bytes.getLong(at + OUTCOMES_AT + Long.BYTES * outcome.ordinal());
    }

    void count(Outcome outcome) {
        if (outcome != Outcome.FIRST) {
            int place = at + OUTCOMES_AT + Long.BYTES * outcome.ordinal();
            bytes.putLong(place, bytes.getLong(place) + 1);
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
