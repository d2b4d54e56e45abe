package io.pathlore.serve.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Who showed wrong tokens lately. Nobody guesses 256 bits; but whoever tries, or goes on with a token that was revoked, shall cost little
 * and be told of once.
 */
public final class Attempts {
    /** So many in a minute are enough. */
    public static final int MOST = 10;

    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int ADDRESSES = 4_096;
    /** Of an IPv6 address: what is behind it one host chooses as it likes. */
    private static final int NETWORK_BYTES = 8;

    private record Window(long startNanos, int count) {}

    private final Map<String, Window> windows = new LinkedHashMap<>();

    /** Counts one more; true if it is the one that was too many. */
    public synchronized boolean failed(InetAddress from, long nowNanos) {
        String key = key(from);
        Window last = windows.remove(key); // to the end of the queue
        Window next = last == null || over(last, nowNanos)
                ? new Window(nowNanos, 1)
                : new Window(last.startNanos, last.count + 1);
        windows.put(key, next);
        if (windows.size() > ADDRESSES) {
            windows.remove(windows.keySet().iterator().next());
        }
        return next.count == MOST;
    }

    /** Whether this address has to wait. */
    public synchronized boolean tooMany(InetAddress from, long nowNanos) {
        Window window = windows.get(key(from));
        return window != null && !over(window, nowNanos) && window.count >= MOST;
    }

    private static boolean over(Window window, long nowNanos) {
        return Math.abs(nowNanos - window.startNanos) >= WINDOW_NANOS; // also of a clock that was set back
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Arrays.toString(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
