package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Sessions;
import io.pathlore.serve.access.Token;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a request proved about its sender.
 *
 * @param local it comes from this machine
 * @param token it showed one, or has a session that was begun with one
 * @param print of that token; empty without
 * @param session null where it showed the token itself, or nothing
 */
record Caller(
        boolean local, InetAddress address, @Nullable Token token, byte[] print, Sessions.@Nullable Session session) {
    static final Caller LOCAL = nobody(true, InetAddress.getLoopbackAddress());

    /** Showed nothing, or nothing that is good. */
    static Caller nobody(boolean local, InetAddress address) {
        return new Caller(local, address, null, new byte[0], null);
    }

    Caller in(Sessions.Session begun) {
        return new Caller(local, address, token, print, begun);
    }

    boolean may(@Nullable Role needed) {
        return needed == null
                || local && token == null && needed == Role.VIEWER
                || token != null && token.role().includes(needed);
    }

    void demand(@Nullable Role needed) throws Problem {
        if (may(needed)) {
            return;
        }
        String role = needed == null ? "" : needed.text();
        if (token == null) {
            throw new Problem(401, "this needs a token of role " + role);
        }
        throw new Problem(
                403,
                "this needs a token of role " + role + ", not " + token.role().text());
    }
}
