package io.pathlore.serve.access;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that showed a token once and have a cookie since. They live in memory: a restart ends them. A session is never worth more than
 * its token is at the moment: whoever asks for one looks the token up again.
 */
public final class Sessions {
    /** A shift and a little: then the token has to be shown again. */
    public static final long LIFE_NANOS = TimeUnit.HOURS.toNanos(12);

    /** Of one token; the one that began first makes room. Tokens are few, so this bounds all of them. */
    static final int PER_TOKEN = 32;

    private static final int RANDOM_BYTES = 32;

    /**
     * One session, without the secret in its cookie.
     *
     * @param print of its token
     * @param csrf what its page shows beside the cookie, for no other page can read it
     */
    public record Session(byte[] print, String csrf, long expiresNanos) {}

    /** One that has just begun; {@code cookie} is had only now. */
    public record Begun(String cookie, Session session) {}

    private final SecureRandom random = new SecureRandom();
    /** By the hash of the cookie, the oldest first: how long it takes to find one tells nothing of another. */
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    /**
     * Begins one.
     *
     * @param tokenEndsNanos when its token expires, for it ends then at the latest
     */
    public synchronized Begun begin(byte[] print, long nowNanos, long tokenEndsNanos) {
        sessions.values().removeIf(session -> nowNanos >= session.expiresNanos());
        long others = sessions.values().stream()
                .filter(session -> Arrays.equals(session.print, print))
                .count();
        Iterator<Session> oldest = sessions.values().iterator();
        while (others >= PER_TOKEN) {
            if (Arrays.equals(oldest.next().print, print)) {
                oldest.remove();
                others--;
            }
        }
        String cookie = secret();
        Session session = new Session(print, secret(), Math.min(nowNanos + LIFE_NANOS, tokenEndsNanos));
        sessions.put(key(cookie), session);
        return new Begun(cookie, session);
    }

    /** Null where there is none, or no longer. */
    public synchronized @Nullable Session find(String cookie, long nowNanos) {
        Session session = sessions.get(key(cookie));
        return session == null || nowNanos >= session.expiresNanos ? null : session;
    }

    public synchronized void end(Session session) {
        sessions.values().removeIf(each -> each.csrf.equals(session.csrf));
    }

    private String secret() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String key(String cookie) {
        return HexFormat.of().formatHex(TokenStore.print(cookie));
    }
}
