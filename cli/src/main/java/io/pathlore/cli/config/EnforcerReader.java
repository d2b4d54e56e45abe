package io.pathlore.cli.config;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code defend.enforcers} and {@code notify}. */
final class EnforcerReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final long MAX_AS = 0xFFFF_FFFFL;
    private static final int BGP = 179;
    private static final int HOLD = 90;
    private static final int MAX_HOLD = 65_535;
    private static final int MAX_PORT = 65_535;

    private EnforcerReader() {}

    static List<EnforcerSetting> enforcers(Settings defend, Path base) {
        List<EnforcerSetting> list = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Settings one : defend.sections("enforcers")) {
            EnforcerSetting setting = enforcer(one, base);
            if (!names.add(setting.name())) {
                throw one.error("name", "'" + setting.name() + "' is the name of another one, too");
            }
            list.add(setting);
        }
        return list;
    }

    private static EnforcerSetting enforcer(Settings one, Path base) {
        need(one, "name", "kind");
        String kind = one.word("kind", "transparent-security", "flowspec", "webhook", "command");
        Set<String> known = new TreeSet<>(Set.of("name", "kind", "nodes", "timeout"));
        known.addAll(
                switch (kind) {
                    case "transparent-security" -> Set.of("url", "counts");
                    case "flowspec" -> Set.of("peer", "local-as", "peer-as", "router-id", "hold");
                    case "webhook" -> Set.of("url", "secret-file", "allow-private");
                    default -> Set.of("command");
                });
        only(one, known);
        List<Long> nodes = new ArrayList<>();
        if (one.has("nodes")) {
            for (String text : one.texts("nodes")) {
                try {
                    nodes.add(Long.parseUnsignedLong(text));
                } catch (NumberFormatException e) {
                    throw one.error("nodes", "'" + text + "' is not a node id");
                }
            }
        }
        return new EnforcerSetting(
                one.text("name"),
                nodes,
                timeout(one),
                switch (kind) {
                    case "transparent-security" ->
                        new EnforcerSetting.TransparentSecurity(
                                url(one),
                                one.has("counts")
                                        && one.word("counts", "total", "delta").equals("delta"));
                    case "flowspec" -> flowSpec(one);
                    case "webhook" -> {
                        need(one, "secret-file");
                        yield new EnforcerSetting.Webhook(
                                url(one), base.resolve(one.text("secret-file")), flag(one, "allow-private"));
                    }
                    default -> {
                        need(one, "command");
                        yield new EnforcerSetting.Command(one.texts("command"));
                    }
                });
    }

    private static EnforcerSetting.FlowSpec flowSpec(Settings one) {
        need(one, "peer", "local-as", "router-id");
        String peer = one.text("peer");
        int colon = peer.lastIndexOf(':');
        boolean hasPort = colon >= 0 && (peer.indexOf(':') == colon || peer.charAt(colon - 1) == ']');
        String host = (hasPort ? peer.substring(0, colon) : peer).replaceAll("[\\[\\]]", "");
        long localAs = one.number("local-as", 1, MAX_AS);
        try {
            int port = hasPort ? Integer.parseInt(peer.substring(colon + 1)) : BGP;
            if (port < 1 || port > MAX_PORT) {
                throw new IllegalArgumentException("port " + port);
            }
            InetAddress id = InetAddress.ofLiteral(one.text("router-id"));
            return new EnforcerSetting.FlowSpec(
                    new InetSocketAddress(InetAddress.ofLiteral(host), port),
                    localAs,
                    one.has("peer-as") ? one.number("peer-as", 1, MAX_AS) : localAs,
                    id.getHostAddress(),
                    one.has("hold") ? (int) one.number("hold", 3, MAX_HOLD) : HOLD);
        } catch (IllegalArgumentException e) {
            throw one.error(
                    "peer", "an address, with a port if it is not 179, and router-id like 10.0.0.9: " + e.getMessage());
        }
    }

    static List<EnforcerSetting.Notify> notify(Settings root, Path base) {
        List<EnforcerSetting.Notify> list = new ArrayList<>();
        for (Settings one : root.sections("notify")) {
            need(one, "kind");
            one.word("kind", "webhook");
            only(one, Set.of("kind", "url", "secret-file", "allow-private", "filter"));
            Path secret = one.has("secret-file") ? base.resolve(one.text("secret-file")) : null;
            list.add(new EnforcerSetting.Notify(url(one), secret, flag(one, "allow-private"), filter(one)));
        }
        return list;
    }

    private static Filter filter(Settings one) {
        if (!one.has("filter")) {
            return Filter.ALL;
        }
        try {
            return Filter.parse(one.text("filter"), Names.NONE).only(Set.of(Field.SEVERITY), "notices");
        } catch (FilterException e) {
            throw one.error("filter", e.getMessage() + "; like: severity >= warning");
        }
    }

    private static boolean flag(Settings one, String key) {
        return one.has(key) && one.word(key, "true", "false").equals("true");
    }

    private static String url(Settings one) {
        need(one, "url");
        String text = one.text("url");
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return text;
            }
        } catch (IllegalArgumentException e) {
            throw one.error("url", "'" + text + "' is not an address like http://10.0.0.9:9998");
        }
        throw one.error("url", "'" + text + "' is not an address like http://10.0.0.9:9998");
    }

    private static Duration timeout(Settings one) {
        if (!one.has("timeout")) {
            return TIMEOUT;
        }
        try {
            Duration duration = Duration.ofNanos(Quantities.nanos(one.text("timeout")));
            if (!duration.isZero() && duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            throw one.error("timeout", String.valueOf(e.getMessage()));
        }
        throw one.error("timeout", "'" + one.text("timeout") + "' is not above 0 and up to 10s");
    }

    private static void need(Settings one, String... keys) {
        for (String key : keys) {
            if (!one.has(key)) {
                throw one.error("an entry has no '" + key + "'");
            }
        }
    }

    private static void only(Settings one, Set<String> known) {
        for (String key : one.entries().keySet()) {
            if (!known.contains(key)) {
                @Nullable String nearest = Nearest.to(key, known);
                throw one.error(
                        key,
                        "there is no such key here"
                                + (nearest != null
                                        ? "; did you mean '" + nearest + "'?"
                                        : "; there are " + String.join(", ", known)));
            }
        }
    }
}
