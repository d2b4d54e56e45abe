package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.serve.access.Role;
import io.pathlore.testkit.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route of the table, asked by everybody there can be, from this machine and from another. */
class AccessMatrixTest {
    @Test
    void everyRouteLetsInWhomTheTableSays(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            running.leave.countDown();
            Map<String, @Nullable String> callers = new LinkedHashMap<>();
            callers.put("none", null);
            callers.put("viewer", running.viewer);
            callers.put("operator", running.operator);
            callers.put("admin", running.admin);
            callers.put("wrong", "pathlore_" + "A".repeat(43));
            callers.put("expired", running.expired);
            Set<String> wrong = new TreeSet<>();
            int cases = 0;
            for (Route route : running.server.routes()) {
                if (route.path().equals(SessionRoutes.LOGIN)) {
                    continue; // needs a token also here, and has a limit of its own: SessionTest
                }
                for (var caller : callers.entrySet()) {
                    for (boolean local : new boolean[] {true, false}) {
                        int expected = expected(route.needed(), caller.getKey(), local);
                        int status = ask(running, route, caller.getValue(), local);
                        boolean right =
                                expected == 200 ? status != 401 && status != 403 && status != 404 : status == expected;
                        if (!right) {
                            wrong.add(route.method() + " " + route.path() + " by " + caller.getKey() + " local=" + local
                                    + ": " + status + " and not " + expected);
                        }
                        cases++;
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(cases).isEqualTo((running.server.routes().size() - 1) * 12);
        }
    }

    /** Written down once more, apart from the code that decides. */
    private static int expected(@Nullable Role needed, String caller, boolean local) {
        if (needed == null) {
            return 200;
        }
        return switch (caller) {
            case "none" -> local && needed == Role.VIEWER ? 200 : 401;
            case "viewer" -> needed == Role.VIEWER ? 200 : 403;
            case "operator" -> needed == Role.ADMIN ? 403 : 200;
            case "admin" -> 200;
            default -> 401;
        };
    }

    /** Another address is played by a proxy on this machine, which has to be taken for one. HEAD reads streams too. */
    private static int ask(Running running, Route route, @Nullable String token, boolean local) throws Exception {
        String method = route.method().equals("GET") ? "HEAD" : route.method();
        String answer = running.raw(
                method + " " + route.path().replaceAll("\\{[a-z]+}", "7") + " HTTP/1.1",
                running.host(),
                token == null ? "X-None: 1" : "Authorization: Bearer " + token,
                local ? "X-Local: 1" : "X-Forwarded-For: 192.0.2.1");
        assertThat(answer).as(route.path()).startsWith("HTTP/1.1 ");
        return Integer.parseInt(answer.substring(9, 12));
    }

    @Test
    void foreignHostsAndOriginsAreRefusedWhateverTheToken(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            String bearer = "Authorization: Bearer " + running.admin;
            int port = running.port();
            String line = "GET /api/v1/ledger HTTP/1.1";
            for (String host : new String[] {
                "evil.test",
                "evil.test:" + port,
                "localhost",
                "127.0.0.1",
                "localhost:1",
                "127.0.0.1.evil.test:" + port,
                "localhost.:" + port,
                "",
                "192.0.2.1:" + port
            }) {
                String answer = running.raw(line, host, bearer);
                assertThat(answer).as(host).startsWith("HTTP/1.1 403 ").contains("application/problem+json");
            }
            for (String host : new String[] {"localhost:", "LOCALHOST:", "127.0.0.1:", "[::1]:", "collector.test:"}) {
                assertThat(running.raw(line, host + port)).as(host).startsWith("HTTP/1.1 200 ");
            }
            for (String origin : new String[] {
                "http://evil.test",
                "null",
                "https://localhost:" + port,
                "http://localhost",
                "http://localhost:" + port + ".evil.test",
                ""
            }) {
                String post = running.raw(
                        "POST /api/v1/things/1/approve HTTP/1.1", running.host(), bearer, "Origin: " + origin);
                assertThat(post).as(origin).startsWith("HTTP/1.1 403 ");
                assertThat(running.raw(line, running.host(), "Origin: " + origin))
                        .startsWith("HTTP/1.1 403 ");
            }
            assertThat(running.raw(line, running.host(), "Origin: http://localhost:" + port))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(running.raw(line, null)).startsWith("HTTP/1.1 400 ");
            assertThat(running.raw(line, running.host(), "Host: " + running.host()))
                    .startsWith("HTTP/1.1 400 ");
            assertThat(running.raw("GET http://evil.test/api/v1/ledger HTTP/1.1", running.host()))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void aRefusalSaysHowAndIsAProblem(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            var answer = running.send(running.request("/api/v1/secret"));
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"pathlore\"");
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(Json.object(answer.body())).containsEntry("status", 401L).containsEntry("type", "about:blank");
            var bad = running.send(running.request("/api/v1/ledger").header("Authorization", "Bearer x"));
            assertThat(bad.statusCode()).isEqualTo(401);
            assertThat(bad.headers().firstValue("WWW-Authenticate").orElse("")).contains("invalid_token");
            assertThat(running.send(running.request("/api/v1/ledger").header("Authorization", "Basic eDp5"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aTokenRevokedByAnotherProcessIsRefusedAtOnce(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            var request = running.request("/api/v1/secret").header("Authorization", "Bearer " + running.admin);
            assertThat(running.send(request).statusCode()).isEqualTo(200);
            io.pathlore.serve.access.TokenStore.open(directory, Running.NOW).revoke("a");
            assertThat(running.send(request).statusCode()).isEqualTo(401);
        }
    }
}
