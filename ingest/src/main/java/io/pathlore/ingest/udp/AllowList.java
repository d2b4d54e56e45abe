package io.pathlore.ingest.udp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses that may send. Hot path: a search among ranges that do not overlap; nothing changes once made. */
public final class AllowList {
    /** Private use, loopback and link-local [RFC 1918, RFC 1122, RFC 3927, RFC 4193, RFC 4291]. */
    public static final String PRIVATE = "private";

    public static final String ANY = "any";

    private static final List<String> PRIVATE_PREFIXES = List.of(
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "::1/128",
            "fc00::/7",
            "fe80::/10");

    private final List<String> entries;
    private final Ranges four;
    private final Ranges six;

    private AllowList(List<String> entries, Ranges four, Ranges six) {
        this.entries = entries;
        this.four = four;
        this.six = six;
    }

    /**
     * CIDRs, single addresses, {@link #PRIVATE}, {@link #ANY}.
     *
     * @throws IllegalArgumentException with a line that names the entry
     */
    public static AllowList of(List<String> entries) {
        List<Range> four = new ArrayList<>();
        List<Range> six = new ArrayList<>();
        for (String entry : entries) {
            if (entry.equals(PRIVATE)) {
                PRIVATE_PREFIXES.forEach(prefix -> add(prefix, four, six));
            } else if (entry.equals(ANY)) {
                add("0.0.0.0/0", four, six);
                add("::/0", four, six);
            } else {
                add(entry, four, six);
            }
        }
        return new AllowList(List.copyOf(entries), Ranges.of(four), Ranges.of(six));
    }

    private static void add(String prefix, List<Range> four, List<Range> six) {
        int slash = prefix.indexOf('/');
        InetAddress address = literal(slash < 0 ? prefix : prefix.substring(0, slash), prefix);
        boolean v4 = address instanceof Inet4Address;
        int width = v4 ? 32 : 128;
        int bits = slash < 0 ? width : bits(prefix.substring(slash + 1), width, prefix);
        long hi = Listen.high(address);
        long lo = Listen.low(address);
        long hostHi = v4 || bits >= 64 ? 0 : ones(64 - bits);
        long hostLo = v4 ? ones(32 - bits) : ones(Math.min(64, 128 - bits));
        if ((hi & hostHi) != 0 || (lo & hostLo) != 0) {
            throw new IllegalArgumentException(
                    "listen.allow: '" + prefix + "' has bits set behind its prefix of " + bits);
        }
        (v4 ? four : six).add(new Range(hi, lo, hi | hostHi, lo | hostLo));
    }

    private static long ones(int count) {
        return count == 0 ? 0 : -1L >>> 64 - count;
    }

    private static InetAddress literal(String text, String entry) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw notUnderstood(entry);
        }
    }

    private static int bits(String text, int width, String entry) {
        int bits = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
        if (bits < 0 || bits > width) {
            throw notUnderstood(entry);
        }
        return bits;
    }

    private static IllegalArgumentException notUnderstood(String entry) {
        return new IllegalArgumentException(
                "listen.allow: '" + entry + "' is not a CIDR such as 10.0.0.0/8, nor 'private' nor 'any'");
    }

    /** An IPv4 address is in the lower 32 bits of {@code lo}. */
    public boolean allows(boolean v6, long hi, long lo) {
        return (v6 ? six : four).contain(hi, lo);
    }

    /** The entries it was made of. */
    public List<String> entries() {
        return entries;
    }

    private record Range(long hi, long lo, long lastHi, long lastLo) {}

    private static int compare(long hi, long lo, long otherHi, long otherLo) {
        int high = Long.compareUnsigned(hi, otherHi);
        return high != 0 ? high : Long.compareUnsigned(lo, otherLo);
    }

    /** Sorted, joined where they touch on one another. */
    private record Ranges(long[] hi, long[] lo, long[] lastHi, long[] lastLo) {
        static Ranges of(List<Range> ranges) {
            List<Range> sorted = new ArrayList<>(ranges);
            sorted.sort((a, b) -> compare(a.hi, a.lo, b.hi, b.lo));
            List<Range> apart = new ArrayList<>();
            @Nullable Range current = null;
            for (Range range : sorted) {
                if (current == null || compare(range.hi, range.lo, current.lastHi, current.lastLo) > 0) {
                    apart.add(range);
                    current = range;
                } else if (compare(range.lastHi, range.lastLo, current.lastHi, current.lastLo) > 0) {
                    current = new Range(current.hi, current.lo, range.lastHi, range.lastLo);
                    apart.set(apart.size() - 1, current);
                }
            }
            return new Ranges(
                    apart.stream().mapToLong(Range::hi).toArray(),
                    apart.stream().mapToLong(Range::lo).toArray(),
                    apart.stream().mapToLong(Range::lastHi).toArray(),
                    apart.stream().mapToLong(Range::lastLo).toArray());
        }

        boolean contain(long high, long low) {
            int from = 0;
            int end = hi.length;
            while (from < end) {
                int middle = from + end >>> 1;
                if (compare(high, low, hi[middle], lo[middle]) < 0) {
                    end = middle;
                } else if (compare(high, low, lastHi[middle], lastLo[middle]) > 0) {
                    from = middle + 1;
                } else {
                    return true;
                }
            }
            return false;
        }
    }
}
