package io.pathlore.mitigate.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a webhook goes. Whoever may write an address into a configuration should not thereby reach what only this machine can reach, so
 * addresses inside are refused unless they were asked for.
 */
public record Destination(URI uri, boolean privateAllowed) {
    public Destination {
        String problem = problem(uri);
        if (problem != null) {
            throw new IllegalArgumentException(uri + ": " + problem);
        }
    }

    public static Destination parse(String text, boolean privateAllowed) {
        try {
            return new Destination(new URI(text), privateAllowed);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL: " + e.getReason(), e);
        }
    }

    private static @Nullable String problem(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return "only http and https are called";
        }
        if (uri.getHost() == null || uri.getHost().isEmpty()) {
            return "names no host";
        }
        if (uri.getUserInfo() != null) {
            return "a secret belongs into a file, not into a URL";
        }
        return uri.getFragment() == null ? null : "a fragment is never sent";
    }

    /**
     * Asked before every call, because names change what they stand for. Java keeps the answer of a name for longer than the call takes
     * that follows, so what was looked at is what is called.
     *
     * @throws IOException if it may not be called
     */
    public void check() throws IOException {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(uri.getHost());
        } catch (UnknownHostException e) {
            throw new IOException("no address for " + uri.getHost(), e);
        }
        for (InetAddress address : addresses) {
            if (address.isMulticastAddress() || address.isAnyLocalAddress()) {
                throw new IOException(uri.getHost() + " stands for " + address.getHostAddress() + ", which is no host");
            }
            if (!privateAllowed && isPrivate(address)) {
                throw new IOException(uri.getHost() + " stands for the private address " + address.getHostAddress()
                        + "; set allow-private to call it");
            }
        }
    }

    static boolean isPrivate(InetAddress address) {
        byte[] octets = address.getAddress();
        if (address instanceof Inet6Address) {
            boolean unique = (octets[0] & 0xFE) == 0xFC;
            // IPv4 in the clothes of NAT64 or 6to4 may lead back inside.
            boolean translated =
                    octets[0] == 0 && octets[1] == 0x64 && (octets[2] & 0xFF) == 0xFF && (octets[3] & 0xFF) == 0x9B
                            || octets[0] == 0x20 && octets[1] == 0x02;
            return unique
                    || translated
                    || address.isLoopbackAddress()
                    || address.isLinkLocalAddress()
                    || address.isSiteLocalAddress();
        }
        int first = octets[0] & 0xFF;
        int second = octets[1] & 0xFF;
        return first == 0
                || first == 10
                || first == 127
                || first == 100 && second >= 64 && second < 128
                || first == 169 && second == 254
                || first == 172 && second >= 16 && second < 32
                || first == 192 && second == 168
                || first == 192 && second == 0 && octets[2] == 0
                || first == 198 && (second == 18 || second == 19)
                || first >= 240;
    }
}
