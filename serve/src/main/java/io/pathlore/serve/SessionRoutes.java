package io.pathlore.serve;

import io.pathlore.model.TimeText;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Sessions;
import io.pathlore.serve.access.Token;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A browser shows a token once, and has a cookie then that no script can read and no other site can use. */
final class SessionRoutes {
    static final String LOGIN = "/api/v1/login";
    private static final String GROUP = "Access";

    private final Gate gate;
    private final LongSupplier epochNanos;

    SessionRoutes(Gate gate, LongSupplier epochNanos) {
        this.gate = gate;
        this.epochNanos = epochNanos;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/session", Role.VIEWER, request -> who(request.caller()))
                        .is(Operation.of(GROUP, "Who is asking, and by what").answers("Session")),
                // Neither changes anything but what this browser has.
                Route.ask(LOGIN, 0, this::login)
                        .is(Operation.of(
                                        GROUP,
                                        "Begins a session: shows a token in `Authorization`, and sets a cookie that"
                                                + " stands for it, for twelve hours or as long as the token is good")
                                .answers("Session")
                                .refuses(429)),
                Route.ask("/api/v1/logout", 0, this::logout)
                        .is(Operation.of(GROUP, "Ends the session of the cookie")
                                .answers(204, "", "")));
    }

    private Reply login(Request request) throws Problem {
        Sessions.Begun begun = gate.login(request.caller());
        Caller with = request.caller().in(begun.session());
        long seconds = TimeUnit.NANOSECONDS.toSeconds(begun.session().expiresNanos() - epochNanos.getAsLong());
        return new Reply.Content(
                200, "application/json", json(with), Map.of("Set-Cookie", gate.setCookie(begun.cookie(), seconds)));
    }

    private Reply logout(Request request) {
        Sessions.Session session = request.caller().session();
        if (session != null) {
            gate.logout(session);
        }
        return new Reply.Content(204, "", new byte[0], Map.of("Set-Cookie", gate.setCookie("", 0)));
    }

    private static Reply who(Caller caller) {
        return new Reply.Content(200, "application/json", json(caller));
    }

    private static byte[] json(Caller caller) {
        JsonText json = new JsonText().open('{');
        Token token = caller.token();
        Sessions.Session session = caller.session();
        json.name("by").value(session != null ? "cookie" : token != null ? "token" : "address");
        json.name("role")
                .value(token == null ? Role.VIEWER.text() : token.role().text());
        if (token != null) {
            json.name("name").value(token.name());
        }
        long ends = session != null ? session.expiresNanos() : token != null ? token.expiresNanos() : Token.NEVER;
        if (ends != Token.NEVER) {
            json.name("expires").value(TimeText.of(ends));
        }
        if (session != null) {
            json.name("csrf").value(session.csrf());
        }
        return json.close('}').toString().getBytes(StandardCharsets.UTF_8);
    }
}
