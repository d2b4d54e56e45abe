package io.pathlore.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.pathlore.model.IpText;
import io.pathlore.serve.access.Attempts;
import io.pathlore.serve.access.Sessions;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in. First whether the request was meant for this server by a page of this server: a browser that was led
 * here by another name (DNS rebinding) or by another page (CSRF) says so in Host and Origin. Then what its token allows.
 */
final class Gate {
    private static final String BEARER = "bearer ";
    static final String CSRF = "Pathlore-Csrf";
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final List<String> MARKS_OF_A_PROXY = List.of("Forwarded", "X-Forwarded-For", "Via");

    private final Notices notices;
    private final AtomicBoolean unreadable = new AtomicBoolean();
    private final TokenStore tokens;
    private final LongSupplier epochNanos;
    private final Sessions sessions = new Sessions();
    private final Attempts attempts = new Attempts();
    private final String cookieName;
    private final Set<String> hosts;
    private final Supplier<List<String>> certified;
    private final String scheme;
    private final int port;
    private final boolean defaultPort;

    /** @param certified with TLS, the names that the certificate has at the moment; null without */
    Gate(
            TokenStore tokens,
            LongSupplier epochNanos,
            Set<String> names,
            @Nullable Supplier<List<String>> certified,
            int port,
            Notices notices) {
        boolean tls = certified != null;
        this.certified = certified == null ? List::of : certified;
        this.tokens = tokens;
        this.epochNanos = epochNanos;
        this.notices = notices;
        this.scheme = tls ? "https" : "http";
        this.port = port;
        this.defaultPort = port == (tls ? 443 : 80);
        // Cookies know hosts but no ports: without it two collectors on one machine would take each other's for theirs.
        this.cookieName = (tls ? "__Host-pathlore-" : "pathlore-") + port;
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
        return hosts.contains(lower)
                || isAt(own, lower)
                || certified.get().stream().anyMatch(name -> isAt(name, lower));
    }

    private boolean isAt(String name, String host) {
        return host.equals(name + ":" + port) || defaultPort && host.equals(name);
    }

    /** Said once, not for every request, until tokens can be read again. */
    private void tokensAreReadable(@Nullable Exception trouble) {
        boolean was = unreadable.getAndSet(trouble != null);
        if (trouble != null && !was) {
            notices.error("tokens cannot be read, requests with one are refused: " + trouble.getMessage());
        }
    }

    /**
     * A token that was given has to be good, also where none is needed: silence would hide that it ran out. A cookie is sent by the browser
     * itself, so one that is no longer good is as none.
     */
    Caller caller(HttpExchange exchange) throws Problem {
        Headers headers = exchange.getRequestHeaders();
        InetAddress address = exchange.getRemoteAddress().getAddress();
        boolean local = address.isLoopbackAddress()
                && exchange.getLocalAddress().getAddress().isLoopbackAddress()
                && MARKS_OF_A_PROXY.stream().noneMatch(headers::containsKey);
        Caller nobody = Caller.nobody(local, address);
        List<String> given = headers.getOrDefault("Authorization", List.of());
        if (given.isEmpty()) {
            Caller known = withCookie(nobody, headers);
            return known == null ? nobody : checkIntent(known, exchange);
        }
        String credentials = given.getFirst();
        if (given.size() > 1 || !credentials.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw new Problem(401, "Authorization has to be: Bearer TOKEN");
        }
        byte[] print = TokenStore.print(credentials.substring(BEARER.length()).strip());
        return switch (find(print)) {
            case TokenStore.Lookup.Valid(var token) -> new Caller(local, address, token, print, null);
            case TokenStore.Lookup.Expired(var token) -> throw wrong(address, "the token has expired");
            case TokenStore.Lookup.Unknown() -> throw wrong(address, "the token is not known");
        };
    }

    private TokenStore.Lookup find(byte[] print) throws Problem {
        try {
            TokenStore.Lookup found = tokens.find(print, epochNanos.getAsLong());
            tokensAreReadable(null);
            return found;
        } catch (IOException | TokenException e) {
            tokensAreReadable(e);
            throw new Problem(503, "tokens cannot be read: see the log of the server");
        }
    }

    private Problem wrong(InetAddress address, String why) {
        if (attempts.failed(address, epochNanos.getAsLong())) {
            notices.warn("http: " + address.getHostAddress() + " showed " + Attempts.MOST
                    + " tokens within a minute that are not good: nobody there can log in for now");
        }
        return new Problem(401, why);
    }

    // Sessions
    // --------------------------------------------------------------------------------------------------------------

    private @Nullable Caller withCookie(Caller nobody, Headers headers) throws Problem {
        String cookie = cookie(headers);
        Sessions.Session session = cookie == null ? null : sessions.find(cookie, epochNanos.getAsLong());
        if (session == null) {
            return null;
        }
        return find(session.print()) instanceof TokenStore.Lookup.Valid(var token)
                ? new Caller(nobody.local(), nobody.address(), token, session.print(), session)
                : null;
    }

    /** Null where there is none, or more than one: then somebody beside us sets them. */
    private @Nullable String cookie(Headers headers) {
        String found = null;
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String each : line.split(";", -1)) {
                String pair = each.strip();
                if (pair.startsWith(cookieName + "=")) {
                    if (found != null) {
                        return null;
                    }
                    found = pair.substring(cookieName.length() + 1);
                }
            }
        }
        return found;
    }

    /** Who comes by a cookie and does more than read shows that the page of this server sent it. */
    private static Caller checkIntent(Caller caller, HttpExchange exchange) throws Problem {
        Sessions.Session session = caller.session();
        if (session == null || READS.contains(exchange.getRequestMethod())) {
            return caller;
        }
        List<String> given = exchange.getRequestHeaders().getOrDefault(CSRF, List.of());
        byte[] wanted = session.csrf().getBytes(StandardCharsets.US_ASCII);
        if (given.size() != 1 || !MessageDigest.isEqual(given.getFirst().getBytes(StandardCharsets.UTF_8), wanted)) {
            throw new Problem(403, CSRF + " has to be what /api/v1/session says");
        }
        return caller;
    }

    /** Programs with a good token go on meanwhile: they are not to blame for their neighbours. */
    void mayLogIn(HttpExchange exchange) throws Problem {
        if (attempts.tooMany(exchange.getRemoteAddress().getAddress(), epochNanos.getAsLong())) {
            throw new Problem(429, "too many tokens that are not good came from there: try again in a minute");
        }
    }

    /** Begins a session for who shows a good token: a session itself is none, or it would never end. */
    Sessions.Begun login(Caller caller) throws Problem {
        long now = epochNanos.getAsLong();
        Token token = caller.token();
        if (token == null || caller.session() != null) {
            throw new Problem(401, "this needs a token, as Authorization: Bearer TOKEN");
        }
        return sessions.begin(caller.print(), now, token.expiresNanos());
    }

    void logout(Sessions.Session session) {
        sessions.end(session);
    }

    /** For {@code Set-Cookie}; an empty one goes away at once. */
    String setCookie(String value, long seconds) {
        return cookieName + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                + (scheme.equals("https") ? "; Secure" : "");
    }
}
