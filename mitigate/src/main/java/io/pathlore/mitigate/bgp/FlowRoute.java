package io.pathlore.mitigate.bgp;

import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A rule as a flow specification: the NLRI, which says of which packets, and the extended community, which says what happens to them.
 * Components stand in the order of their types, one value each [RFC 8955 §4.2, RFC 8956 §3].
 */
final class FlowRoute {
    private static final int DESTINATION = 1;
    private static final int SOURCE = 2;
    private static final int PROTOCOL = 3;
    private static final int DESTINATION_PORT = 5;

    /** Last of its list, equal, of one or two octets [RFC 8955 §4.2.1.1]. */
    private static final int EQUALS_OCTET = 0x81;

    private static final int EQUALS_SHORT = 0x91;

    private static final int TRAFFIC_RATE_BYTES = 0x8006;
    private static final int LONGEST = 64;

    private final Family family;
    private final byte[] nlri;
    private final float bytesPerSecond;

    private FlowRoute(Family family, byte[] nlri, float bytesPerSecond) {
        this.family = family;
        this.nlri = nlri;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Why a rule cannot be said as a flow specification, or null. */
    static @Nullable String cannot(Rule rule) {
        RuleMatch match = rule.match();
        Prefix source = match.source();
        Prefix destination = match.destination();
        if (match.device() != RuleMatch.ANY) {
            return "flow specifications match no MAC address, this rule would be wider";
        }
        if (source == null && destination == null) {
            return "a flow specification needs a source or destination prefix";
        }
        if (source != null && destination != null && source.v6() != destination.v6()) {
            return "source and destination are not of one family";
        }
        if (match.protocol() != RuleMatch.ANY && match.protocol() >>> 8 != 0
                || match.destinationPort() != RuleMatch.ANY && match.destinationPort() >>> 16 != 0) {
            return "a protocol or port out of range";
        }
        return rule.bytesPerSecond() < 0 ? "a rate below 0" : null;
    }

    static FlowRoute of(Rule rule) {
        String problem = cannot(rule);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        RuleMatch match = rule.match();
        Prefix any = match.destination() != null ? match.destination() : match.source();
        ByteBuffer out = ByteBuffer.allocate(LONGEST).position(1);
        prefix(out, DESTINATION, match.destination());
        prefix(out, SOURCE, match.source());
        number(out, PROTOCOL, match.protocol());
        number(out, DESTINATION_PORT, match.destinationPort());
        out.put(0, (byte) (out.position() - 1));
        return new FlowRoute(
                any != null && any.v6() ? Family.IPV6 : Family.IPV4,
                Arrays.copyOf(out.array(), out.position()),
                rule.bytesPerSecond());
    }

    /** IPv6 says where the bits begin, too [RFC 8956 §3.1]. */
    private static void prefix(ByteBuffer out, int type, @Nullable Prefix prefix) {
        if (prefix == null) {
            return;
        }
        out.put((byte) type).put((byte) prefix.length());
        if (prefix.v6()) {
            out.put((byte) 0);
        }
        for (int bit = 0; bit < prefix.length(); bit += 8) {
            int shift = prefix.v6() ? 56 - bit % 64 : 24 - bit;
            out.put((byte) ((prefix.v6() && bit < 64 ? prefix.high() : prefix.low()) >>> shift));
        }
    }

    private static void number(ByteBuffer out, int type, int value) {
        if (value == RuleMatch.ANY) {
            return;
        }
        out.put((byte) type);
        if (value >>> 8 == 0) {
            out.put((byte) EQUALS_OCTET).put((byte) value);
        } else {
            out.put((byte) EQUALS_SHORT).putShort((short) value);
        }
    }

    Family family() {
        return family;
    }

    /** With its length before it. */
    byte[] nlri() {
        return nlri.clone();
    }

    /** Traffic rate in octets, as a float; 0 discards [RFC 8955 §7.1]. The AS in it is for people. */
    long community(long as) {
        return (long) TRAFFIC_RATE_BYTES << 48
                | (as & 0xFFFF) << 32
                | Integer.toUnsignedLong(Float.floatToIntBits(bytesPerSecond));
    }
}
