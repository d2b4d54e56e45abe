package io.pathlore.mitigate.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a call goes. Whoever may write an address into a configuration should not thereby reach what only this machine can reach, so
 * addresses inside are refused unless they were asked for; and those where machines of clouds are told their secrets, however it was asked.
 */
public record Destination(URI uri, boolean privateAllowed) {
    private static final Set<InetAddress> METADATA =
            Set.of(InetAddress.ofLiteral("fd00:ec2::254"), InetAddress.ofLiteral("fd20:ce::254"));

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
            String refusal = refusal(address, privateAllowed);
            if (refusal != null) {
                throw new IOException(uri.getHost() + " stands for " + refusal);
            }
        }
    }

    /** Why it may not be called, as far as it says itself where it goes; null for a name. */
    public @Nullable String refusal() {
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(uri.getHost().replaceAll("[\\[\\]]", ""));
        } catch (IllegalArgumentException e) {
            return null;
        }
        String refusal = refusal(address, privateAllowed);
        return refusal == null ? null : uri.getHost() + " stands for " + refusal;
    }

    /** Why this address may not be called, or null. */
    private static @Nullable String refusal(InetAddress address, boolean privateAllowed) {
        if (address.isMulticastAddress() || address.isAnyLocalAddress()) {
            return address.getHostAddress() + ", which is no host";
        }
        if (isMetadata(address)) {
            return address.getHostAddress()
                    + ", which is never called: machines of clouds are told their secrets there";
        }
        return privateAllowed || !isPrivate(address)
                ? null
                : "the private address " + address.getHostAddress() + "; set allow-private to call it";
    }

    /** All that is link-local, under any of its names, and what clouds use beside it. */
    private static boolean isMetadata(InetAddress address) {
        byte[] octets = address.getAddress();
        if (address instanceof Inet6Address) {
            boolean nat64 = octets[0] == 0 && octets[1] == 0x64 && octets[2] == -1 && octets[3] == (byte) 0x9B;
            boolean sixToFour = octets[0] == 0x20 && octets[1] == 0x02;
            int inside = nat64 ? 12 : sixToFour ? 2 : -1;
            return address.isLinkLocalAddress()
                    || inside >= 0 && isMetadata(octets, inside)
                    || METADATA.contains(address);
        }
        return isMetadata(octets, 0);
    }

    private static boolean isMetadata(byte[] octets, int at) {
        int first = octets[at] & 0xFF;
        int second = octets[at + 1] & 0xFF;
        return first == 169 && second == 254
                || first == 100 && second == 100 && octets[at + 2] == 100 && (octets[at + 3] & 0xFF) == 200;
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
