package io.pathlore.mitigate.enforcer;

import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.HttpCaller;
import io.pathlore.model.IpText;
import io.pathlore.model.MacText;
import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The SDN controller of the Transparent Security reference: {@code POST} and {@code DELETE /aggAttack}. It says 201 whatever happened, so
 * its answer only tells that it heard; what it did is told by drop reports, by the key of the attack. It forgets everything when it
 * starts again and cannot say what it has, so the ledger asks again where no report comes.
 */
public final class TransparentSecurity implements Enforcer {
    private static final int LARGEST_PORT = 65_535;
    /** What their analytics puts there: how many reports it saw, and how many equal drop counts. Nobody looks at either. */
    private static final int ATTACK_COUNT = 100;

    private static final int CLEAR_COUNT = 3;

    private final String name;
    private final Destination attacks;
    private final boolean deltas;
    private final HttpCaller http;

    /**
     * A controller.
     *
     * @param controller {@code http://HOST:9998}
     * @param deltas it was told to report drops since the last report
     */
    public TransparentSecurity(String name, URI controller, boolean deltas, Duration timeout) {
        this.name = name;
        this.deltas = deltas;
        // A controller is inside, as a rule: nobody has to ask for that.
        attacks = new Destination(controller.resolve("/aggAttack"), true);
        http = new HttpCaller(timeout);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable String cannot(Rule rule) {
        return refusal(rule);
    }

    /** Why such a controller cannot be told of this rule, or null. */
    public static @Nullable String refusal(Rule rule) {
        RuleMatch match = rule.match();
        if (!rule.drops()) {
            return "this controller drops, it does not limit";
        }
        Prefix destination = match.destination();
        if (match.device() < 0 || match.device() >>> 48 != 0 || destination == null || !destination.isAddress()) {
            return "this controller needs a device and one destination address";
        }
        if (match.destinationPort() < 0 || match.destinationPort() > LARGEST_PORT) {
            return "this controller needs a destination port";
        }
        return match.source() != null || match.protocol() != RuleMatch.ANY
                ? "this controller matches no source address and no protocol, its rule would be wider"
                : null;
    }

    @Override
    public void install(Rule rule) throws EnforcerException, InterruptedException {
        call("POST", fields(rule));
    }

    /** By key, as it is used to; and by fields, which it still understands when it has forgotten the key. */
    @Override
    public void withdraw(Rule rule) throws EnforcerException, InterruptedException {
        withdrawKey(key(rule));
        call("DELETE", fields(rule));
    }

    @Override
    public void withdrawKey(long dropKey) throws EnforcerException, InterruptedException {
        call(
                "DELETE",
                "{\"event\":{\"dropKey\":\"" + HexFormat.of().toHexDigits(dropKey) + "\",\"dropCount\":0,\"count\":"
                        + CLEAR_COUNT + "}}");
    }

    @Override
    public Long dropKey(Rule rule) {
        return key(rule);
    }

    @Override
    public boolean countsDeltas() {
        return deltas;
    }

    private void call(String method, String body) throws EnforcerException, InterruptedException {
        try {
            attacks.check();
            URI to = attacks.uri();
            int status = http.send(method, to, body, Map.of());
            if (status / 100 != 2) {
                throw new EnforcerException(to.getHost() + ":" + to.getPort() + " answered " + status);
            }
        } catch (IOException e) {
            throw EnforcerException.because(e);
        }
    }

    /** {@code ip_ver} is an integer: a string hashes as IPv6 there, and without it the entry can never be deleted by key. */
    static String fields(Rule rule) {
        RuleMatch match = rule.match();
        Prefix destination = Objects.requireNonNull(match.destination());
        return "{\"event\":{\"src_mac\":\"" + MacText.of(match.device()) + "\",\"ip_ver\":"
                + (destination.v6() ? 6 : 4) + ",\"dst_ip\":\"" + destination + "\",\"dst_port\":"
                + match.destinationPort() + ",\"count\":" + ATTACK_COUNT + "}}";
    }

    /** The first 64 bits of SHA-256 of {@code mac|port|ipv4|ipv6}: the low half of the key in drop reports. */
    static long key(Rule rule) {
        RuleMatch match = rule.match();
        Prefix to = Objects.requireNonNull(match.destination());
        String text = MacText.of(match.device()) + "|" + match.destinationPort() + "|"
                + IpText.of(false, 0, to.v6() ? 0 : to.low()) + "|"
                + IpText.of(true, to.v6() ? to.high() : 0, to.v6() ? to.low() : 0);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
