package io.pathlore.cli.config;

import io.pathlore.cli.client.ServerAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code edges}. */
final class EdgeReader {
    /** Each has a share of what an answer may take. */
    private static final int MOST = 64;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Several rounds have to fit into the time of a request. */
    private static final Duration LONGEST = Duration.ofSeconds(8);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private EdgeReader() {}

    static List<EdgeSetting> read(Settings root, Path base) {
        List<EdgeSetting> edges = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<ServerAddress> servers = new HashSet<>();
        for (Settings one : root.sections("edges")) {
            EdgeSetting edge = edge(one, base);
            if (!names.add(edge.name())) {
                throw one.error("name", "'" + edge.name() + "' is the name of another one, too");
            }
            if (!servers.add(edge.server())) {
                throw one.error("url", edge.server() + " is that of another one, too");
            }
            edges.add(edge);
        }
        if (edges.size() > MOST) {
            throw root.error("edges", edges.size() + " are more than " + MOST);
        }
        return edges;
    }

    private static EdgeSetting edge(Settings one, Path base) {
        EnforcerReader.need(one, "name", "url");
        EnforcerReader.only(one, Set.of("name", "url", "token-file", "ca", "timeout"));
        String name = one.text("name");
        if (!NAME.matcher(name).matches()) {
            throw one.error("name", "'" + name + "' is not up to 64 letters, digits, '.', '_' and '-'");
        }
        ServerAddress server;
        try {
            server = ServerAddress.of(one.text("url"));
        } catch (IllegalArgumentException e) {
            throw one.error("url", String.valueOf(e.getMessage()));
        }
        Path token = file(one, "token-file", base);
        Path authority = file(one, "ca", base);
        if (token != null && !server.tls() && !server.isLoopback()) {
            throw one.error("url", "the token would cross the network in clear: it has to be https");
        }
        if (authority != null && !server.tls()) {
            throw one.error("ca", "is for https");
        }
        return new EdgeSetting(name, server, token, authority, timeout(one));
    }

    private static @Nullable Path file(Settings one, String key, Path base) {
        if (!one.has(key)) {
            return null;
        }
        try {
            return base.resolve(one.text(key)).normalize();
        } catch (InvalidPathException e) {
            throw one.error(key, "'" + one.text(key) + "' is not a path");
        }
    }

    private static Duration timeout(Settings one) {
        if (!one.has("timeout")) {
            return TIMEOUT;
        }
        try {
            Duration timeout = Duration.ofNanos(Quantities.nanos(one.text("timeout")));
            if (!timeout.isZero() && timeout.compareTo(LONGEST) <= 0) {
                return timeout;
            }
        } catch (IllegalArgumentException e) {
            throw one.error("timeout", String.valueOf(e.getMessage()));
        }
        throw one.error("timeout", "'" + one.text("timeout") + "' is not above 0 and up to 8s");
    }
}
