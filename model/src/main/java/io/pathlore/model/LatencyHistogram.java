package io.pathlore.model;

import java.util.Arrays;

/**
 * How often which latency was seen, to about six percent. Buckets are log-linear: each power of two is cut into 16, and values
 * below 16 have a bucket of their own. Two of them can be added, so that minutes are made of seconds and hours of minutes,
 * which quantiles cannot.
 *
 * <p>As octets: the version, 1; then for each bucket that is not empty, in rising order, how many empty ones it comes behind,
 * and its count; both as variable-length numbers, seven bits to an octet, lowest first, the top bit set where more follow.
 */
public final class LatencyHistogram {
    private static final int VERSION = 1;

    /** Octets of the longest number. */
    private static final int MAX_NUMBER = 9;

    private static final int PART_BITS = 4;
    private static final int PARTS = 1 << PART_BITS;
    private static final int BUCKETS = (Long.SIZE - 1 - PART_BITS + 1) * PARTS;

    private static final int FIRST = 32;
    private static final int KEPT = 256;
    private static final long[] NONE = {};

    /** Of the buckets from {@link #base} on: those of one queue lie close together. */
    private long[] counts = NONE;

    private int base;
    private long total;

    /** Values below 0 count as 0: a clock may step back inside a node. Hot path. */
    public void record(long nanos) {
        add(bucket(Math.max(nanos, 0)), 1);
    }

    /** As many values as that, of one {@link #bucket}. */
    public void add(int bucket, long count) {
        int at = bucket - base;
        if (at < 0 || at >= counts.length) {
            reach(bucket);
            at = bucket - base;
        }
        counts[at] += count;
        total += count;
    }

    private void reach(int bucket) {
        if (counts.length == 0) {
            base = bucket / PARTS * PARTS;
            counts = new long[Math.min(FIRST, BUCKETS - base)];
            return;
        }
        int start = Math.min(base, bucket / PARTS * PARTS);
        int end = Math.min(BUCKETS, Math.max(base + counts.length, (bucket / PARTS + 1) * PARTS));
        long[] wider = new long[end - start];
        System.arraycopy(counts, 0, wider, base - start, counts.length);
        counts = wider;
        base = start;
    }

    public void add(LatencyHistogram other) {
        for (int i = 0; i < other.counts.length; i++) {
            if (other.counts[i] > 0) {
                add(other.base + i, other.counts[i]);
            }
        }
    }

    /** Has seen nothing again; keeps its memory, unless that was for values far apart. */
    public void clear() {
        if (counts.length > KEPT) {
            counts = NONE;
        }
        Arrays.fill(counts, 0);
        total = 0;
    }

    public long total() {
        return total;
    }

    /** To about three percent, as values lie in the middle of their buckets; {@link ReportRow#ABSENT} if there is none. */
    public long mean() {
        return total == 0 ? ReportRow.ABSENT : Math.round(sum() / total);
    }

    /** Of all values, likewise. */
    public double sum() {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            int bucket = base + i;
            double lowest = bucket == 0 ? 0 : highest(bucket - 1) + 1;
            sum += counts[i] * (lowest + highest(bucket)) / 2;
        }
        return sum;
    }

    /** Values in buckets that end there or before. */
    public long atOrBelow(long nanos) {
        long seen = 0;
        for (int i = 0; i < counts.length && highest(base + i) <= nanos; i++) {
            seen += counts[i];
        }
        return seen;
    }

    /** The greatest value of the bucket where this share of all values lies at or below; {@link ReportRow#ABSENT} if there is none. */
    public long quantile(double share) {
        if (total == 0) {
            return ReportRow.ABSENT;
        }
        long wanted = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return highest(base + i);
            }
        }
        return highest(BUCKETS - 1);
    }

    /** Where a value of 0 or more is counted. */
    public static int bucket(long value) {
        if (value < PARTS) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int part = (int) (value >>> (power - PART_BITS)) & (PARTS - 1);
        return (power - PART_BITS + 1) * PARTS + part;
    }

    static long highest(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        return ((long) (PARTS + bucket % PARTS + 1) << shift) - 1;
    }

    public byte[] encode() {
        byte[] out = new byte[1 + 2 * MAX_NUMBER * counts.length];
        out[0] = VERSION;
        int at = 1;
        int next = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                at = write(out, at, base + i - next);
                at = write(out, at, counts[i]);
                next = base + i + 1;
            }
        }
        return Arrays.copyOf(out, at);
    }

    private static int write(byte[] out, int from, long number) {
        int at = from;
        long rest = number;
        while (rest > 0x7F) {
            out[at++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        out[at++] = (byte) rest;
        return at;
    }

    /**
     * What {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if these are not the octets of a histogram
     */
    public static LatencyHistogram decode(byte[] octets) {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.add(octets);
        return histogram;
    }

    /**
     * Adds what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if these are not the octets of a histogram; some of it may have been added
     */
    public void add(byte[] octets) {
        if (octets.length == 0 || octets[0] != VERSION) {
            throw new IllegalArgumentException("not a latency histogram of version " + VERSION);
        }
        int at = 1;
        long bucket = 0;
        while (at < octets.length) {
            long gap = number(octets, at);
            at += length(octets, at);
            long count = number(octets, at);
            at += length(octets, at);
            bucket += gap;
            if (gap < 0 || bucket < 0 || bucket >= BUCKETS || count <= 0) {
                throw new IllegalArgumentException("no such bucket in a latency histogram, before octet " + at);
            }
            add((int) bucket, count);
            bucket++;
        }
    }

    private static int length(byte[] octets, int at) {
        int end = at;
        while (end < octets.length && octets[end] < 0) {
            end++;
        }
        if (end == octets.length || end - at >= 9) {
            throw new IllegalArgumentException("a latency histogram is cut at octet " + at);
        }
        return end - at + 1;
    }

    private static long number(byte[] octets, int at) {
        long number = 0;
        for (int i = length(octets, at) - 1; i >= 0; i--) {
            number = number << 7 | octets[at + i] & 0x7F;
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
