package io.pathlore.cli.config;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.notice.Grouping;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code defend.enforcers} and {@code notify}. */
final class EnforcerReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
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
                                url(one, true),
                                one.has("counts")
                                        && one.word("counts", "total", "delta").equals("delta"));
                    case "flowspec" -> flowSpec(one);
                    case "webhook" -> {
                        need(one, "secret-file");
                        boolean inside = flag(one, "allow-private");
                        yield new EnforcerSetting.Webhook(
                                url(one, inside), base.resolve(one.text("secret-file")), inside);
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
            only(
                    one,
                    Set.of(
                            "kind",
                            "url",
                            "secret-file",
                            "allow-private",
                            "filter",
                            "group-by",
                            "group-wait",
                            "group-interval"));
            Path secret = one.has("secret-file") ? base.resolve(one.text("secret-file")) : null;
            boolean inside = flag(one, "allow-private");
            list.add(new EnforcerSetting.Notify(url(one, inside), secret, inside, grouping(one), filter(one)));
        }
        return list;
    }

    private static Grouping grouping(Settings one) {
        Grouping usual = Grouping.USUAL;
        Set<Grouping.Label> by = one.has("group-by") ? EnumSet.noneOf(Grouping.Label.class) : usual.by();
        if (one.has("group-by")) {
            for (String text : one.texts("group-by")) {
                by.add(label(one, text));
            }
        }
        return new Grouping(
                by, pause(one, "group-wait", usual.waiting()), pause(one, "group-interval", usual.interval()));
    }

    private static Grouping.Label label(Settings one, String text) {
        for (Grouping.Label label : Grouping.Label.values()) {
            if (label.label().equals(text)) {
                return label;
            }
        }
        throw one.error("group-by", "'" + text + "' is none of alertname, severity, stage");
    }

    private static Duration pause(Settings one, String key, Duration usual) {
        if (!one.has(key)) {
            return usual;
        }
        try {
            Duration pause = Duration.ofNanos(Quantities.nanos(one.text(key)));
            if (pause.compareTo(LONGEST_PAUSE) <= 0) {
                return pause;
            }
        } catch (IllegalArgumentException e) {
            throw one.error(key, String.valueOf(e.getMessage()));
        }
        throw one.error(key, "'" + one.text(key) + "' is longer than 1h");
    }

    static Filter filter(Settings one) {
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

    /** An address that may never be called is told of now; what a name stands for is looked at before each call. */
    private static String url(Settings one, boolean privateAllowed) {
        need(one, "url");
        String text = one.text("url");
        try {
            Destination destination = Destination.parse(text, privateAllowed);
            String refusal = destination.refusal();
            if (refusal == null) {
                return text;
            }
            throw one.error("url", refusal);
        } catch (IllegalArgumentException e) {
            throw one.error("url", "'" + text + "' is not an address like http://10.0.0.9:9998");
        }
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

    static void need(Settings one, String... keys) {
        for (String key : keys) {
            if (!one.has(key)) {
                throw one.error("an entry has no '" + key + "'");
            }
        }
    }

    static void only(Settings one, Set<String> known) {
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
