package io.pathlore.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.pathlore.model.IpText;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in. First whether the request was meant for this server by a page of this server: a browser that was led
 * here by another name (DNS rebinding) or by another page (CSRF) says so in Host and Origin. Then what its token allows.
 */
final class Gate {
    private static final String BEARER = "bearer ";
    private static final List<String> MARKS_OF_A_PROXY = List.of("Forwarded", "X-Forwarded-For", "Via");

    private final Notices notices;
    private final AtomicBoolean unreadable = new AtomicBoolean();
    private final TokenStore tokens;
    private final LongSupplier epochNanos;
    private final Set<String> hosts;
    private final String scheme;
    private final int port;
    private final boolean defaultPort;

    Gate(TokenStore tokens, LongSupplier epochNanos, Set<String> names, boolean tls, int port, Notices notices) {
        this.tokens = tokens;
        this.epochNanos = epochNanos;
        this.notices = notices;
        this.scheme = tls ? "https" : "http";
        this.port = port;
        this.defaultPort = port == (tls ? 443 : 80);
        this.hosts = new HashSet<>();
        for (String name : List.of("localhost", "127.0.0.1", "[::1]")) {
            allow(name);
        }
        names.forEach(name -> allow(name.toLowerCase(Locale.ROOT)));
    }

    private void allow(String name) {
        hosts.add(name + ":" + port);
        if (defaultPort) {
            hosts.add(name);
        }
    }

    /** As browsers write it: IPv6 in brackets and in its short form [RFC 5952]. */
    static String literal(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet6Address) {
            ByteBuffer words = ByteBuffer.wrap(bytes);
            return "[" + IpText.of(true, words.getLong(0), words.getLong(8)) + "]";
        }
        return IpText.of(false, 0, Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt()));
    }

    /** Refuses what was not meant for this server. */
    void checkAim(HttpExchange exchange) throws Problem {
        Headers headers = exchange.getRequestHeaders();
        List<String> given = headers.getOrDefault("Host", List.of());
        if (given.size() != 1) {
            throw new Problem(400, "a request has exactly one Host");
        }
        String own = literal(exchange.getLocalAddress().getAddress());
        String authority = exchange.getRequestURI().getRawAuthority();
        if (!known(given.getFirst(), own) || authority != null && !known(authority, own)) {
            throw new Problem(403, "Host is not a name of this server");
        }
        for (String origin : headers.getOrDefault("Origin", List.of())) {
            String prefix = scheme + "://";
            if (!origin.startsWith(prefix) || !known(origin.substring(prefix.length()), own)) {
                throw new Problem(403, "Origin is another site");
            }
        }
    }

    /** An address is no name that somebody else could have made point here. */
    private boolean known(String host, String own) {
        String lower = host.toLowerCase(Locale.ROOT);
        return hosts.contains(lower) || lower.equals(own + ":" + port) || defaultPort && lower.equals(own);
    }

    /** What the request proved about its sender. */
    record Caller(boolean local, @Nullable Token token) {
        boolean may(@Nullable Role needed) {
            return needed == null
                    || local && token == null && needed == Role.VIEWER
                    || token != null && token.role().includes(needed);
        }
    }

    /** Said once, not for every request, until tokens can be read again. */
    private void tokensAreReadable(@Nullable Exception trouble) {
        boolean was = unreadable.getAndSet(trouble != null);
        if (trouble != null && !was) {
            notices.error("tokens cannot be read, requests with one are refused: " + trouble.getMessage());
        }
    }

    /** A token that was given has to be good, also where none is needed: silence would hide that it ran out. */
    Caller caller(HttpExchange exchange) throws Problem {
        Headers headers = exchange.getRequestHeaders();
        boolean local = exchange.getRemoteAddress().getAddress().isLoopbackAddress()
                && exchange.getLocalAddress().getAddress().isLoopbackAddress()
                && MARKS_OF_A_PROXY.stream().noneMatch(headers::containsKey);
        List<String> given = headers.getOrDefault("Authorization", List.of());
        if (given.isEmpty()) {
            return new Caller(local, null);
        }
        String credentials = given.getFirst();
        if (given.size() > 1 || !credentials.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw new Problem(401, "Authorization has to be: Bearer TOKEN");
        }
        TokenStore.Lookup found;
        try {
            found = tokens.find(credentials.substring(BEARER.length()).strip(), epochNanos.getAsLong());
        } catch (IOException | TokenException e) {
            tokensAreReadable(e);
            throw new Problem(503, "tokens cannot be read: see the log of the server");
        }
        tokensAreReadable(null);
        return switch (found) {
            case TokenStore.Lookup.Valid(var token) -> new Caller(local, token);
            case TokenStore.Lookup.Expired(var token) -> throw new Problem(401, "the token has expired");
            case TokenStore.Lookup.Unknown() -> throw new Problem(401, "the token is not known");
        };
    }

    static void demand(Caller caller, @Nullable Role needed) throws Problem {
        if (caller.may(needed)) {
            return;
        }
        String role = needed == null ? "" : needed.text();
        if (caller.token() == null) {
            throw new Problem(401, "this needs a token of role " + role);
        }
        throw new Problem(
                403,
                "this needs a token of role " + role + ", not "
                        + caller.token().role().text());
    }
}
