package io.pathlore.cli.config;

import io.pathlore.dataplane.topology.Topology;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Addresses and prefixes in scenarios; a host's name stands for its IPv4 address. */
final class Addresses {
    /** An IPv4 address is in the lower 32 bits of {@code low}. */
    record Prefix(boolean v6, long high, long low, int length) {}

    private Addresses() {}

    static int ipv4(Part part, String key) {
        InetAddress address = literal(part, key, part.text(key));
        if (address instanceof Inet6Address) {
            throw part.error(key, "'" + part.text(key) + "' is not an IPv4 address");
        }
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    static Prefix prefix(Part part, String key, Topology topology) {
        String text = part.text(key);
        for (Topology.Host host : topology.hosts()) {
            if (host.name().equals(text)) {
                return new Prefix(false, 0, Integer.toUnsignedLong(host.ipv4()), 32);
            }
        }
        int slash = text.indexOf('/');
        InetAddress address = literal(part, key, slash < 0 ? text : text.substring(0, slash));
        boolean v6 = address instanceof Inet6Address;
        ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
        int most = v6 ? 128 : 32;
        int length = most;
        if (slash >= 0) {
            try {
                length = Integer.parseInt(text.substring(slash + 1));
            } catch (NumberFormatException e) {
                length = -1;
            }
            if (length < 0 || length > most) {
                throw part.error(key, "'" + text + "': the length of the prefix is not in 0 to " + most);
            }
        }
        return v6
                ? new Prefix(true, raw.getLong(0), raw.getLong(8), length)
                : new Prefix(false, 0, Integer.toUnsignedLong(raw.getInt(0)), length);
    }

    private static InetAddress literal(Part part, String key, String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw part.error(key, "'" + text + "' is neither an address nor a host of this network");
        }
    }
}
