package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.serve.access.Attempts;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.testkit.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser shows a token once. From then on its cookie is good for what the token is, and nothing but this server's page can use it. */
class SessionTest {
    private static final String APPROVE = "/api/v1/things/1/approve";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** What a browser has after it logged in. */
    private record Browser(String cookie, String csrf) {}

    private static HttpResponse<String> login(Running running, String token) throws Exception {
        return running.send(running.request("/api/v1/login")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    private static Browser browser(Running running, String token) throws Exception {
        HttpResponse<String> answer = login(running, token);
        assertThat(answer.statusCode()).isEqualTo(200);
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        String csrf = (String) Json.object(answer.body()).get("csrf");
        return new Browser(cookie.substring(0, cookie.indexOf(';')), String.valueOf(csrf));
    }

    private static int post(Running running, String path, String cookie, String... csrf) throws Exception {
        HttpRequest.Builder request =
                running.request(path).header("Cookie", cookie).POST(HttpRequest.BodyPublishers.noBody());
        for (String each : csrf) {
            request.header("Pathlore-Csrf", each);
        }
        return running.send(request).statusCode();
    }

    @Test
    void aTokenBeginsASessionInACookieThatNoScriptCanRead() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<String> answer = login(running, running.viewer);
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                    .matches("pathlore-" + running.port()
                            + "=[A-Za-z0-9_-]{43}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
            assertThat(Json.object(answer.body()))
                    .containsEntry("by", "cookie")
                    .containsEntry("name", "v")
                    .containsEntry("role", "viewer")
                    .containsKeys("csrf", "expires");
            Browser browser = browser(running, running.viewer);
            HttpResponse<String> who = running.send(running.request("/api/v1/session")
                    .header("Cookie", "theme=dark; " + browser.cookie + "; x=y")
                    .header("X-Forwarded-For", "192.0.2.1"));
            assertThat(who.statusCode()).isEqualTo(200);
            assertThat(Json.object(who.body())).containsEntry("csrf", browser.csrf);
        }
    }

    @Test
    void whoShowedNothingIsKnownByTheAddressAlone() throws Exception {
        try (Running running = new Running(directory)) {
            assertThat(Json.object(running.get("/api/v1/session").body()))
                    .containsEntry("by", "address")
                    .containsEntry("role", "viewer")
                    .doesNotContainKeys("csrf", "name");
            // A session is no token: with it alone none can be begun, or it would never end.
            Browser browser = browser(running, running.operator);
            assertThat(post(running, "/api/v1/login", browser.cookie, browser.csrf))
                    .isEqualTo(401);
            assertThat(running.send(running.request("/api/v1/login").POST(HttpRequest.BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void whatChangesSomethingNeedsMoreThanTheCookie() throws Exception {
        try (Running running = new Running(directory)) {
            Browser mine = browser(running, running.operator);
            Browser other = browser(running, running.operator);
            assertThat(post(running, APPROVE, mine.cookie)).isEqualTo(403);
            assertThat(post(running, APPROVE, mine.cookie, "")).isEqualTo(403);
            assertThat(post(running, APPROVE, mine.cookie, other.csrf)).isEqualTo(403);
            assertThat(post(running, APPROVE, mine.cookie, mine.csrf, mine.csrf))
                    .isEqualTo(403);
            assertThat(post(running, "/api/v1/logout", mine.cookie)).isEqualTo(403);
            assertThat(post(running, "/api/v1/question", mine.cookie)).isEqualTo(403);
            assertThat(post(running, APPROVE, mine.cookie, mine.csrf)).isEqualTo(200);
            // The role is that of the token.
            Browser viewer = browser(running, running.viewer);
            assertThat(post(running, APPROVE, viewer.cookie, viewer.csrf)).isEqualTo(403);
        }
    }

    @Test
    void aSessionEndsWithItsTokenAndWithALogout() throws Exception {
        try (Running running = new Running(directory)) {
            Browser browser = browser(running, running.admin);
            Browser leaving = browser(running, running.admin);
            assertThat(post(running, "/api/v1/logout", leaving.cookie, leaving.csrf))
                    .isEqualTo(204);
            assertThat(post(running, APPROVE, leaving.cookie, leaving.csrf)).isEqualTo(401);
            assertThat(post(running, APPROVE, browser.cookie, browser.csrf)).isEqualTo(200);
            running.tokens.revoke("a");
            assertThat(post(running, APPROVE, browser.cookie, browser.csrf)).isEqualTo(401);
            // The browser goes on sending it, which keeps nobody from reading here.
            assertThat(running.send(running.request("/api/v1/ledger").header("Cookie", browser.cookie))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(running.send(running.request("/api/v1/ledger")
                                    .header("Cookie", browser.cookie)
                                    .header("Via", "1.1 proxy"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aSessionLastsNoLongerThanItsToken() throws Exception {
        try (Running running = new Running(directory)) {
            String brief = running.tokens.add("b", Role.OPERATOR, Running.NOW - 1, Running.NOW + 5_000_000_000L);
            HttpResponse<String> answer = login(running, brief);
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow()).contains("; Max-Age=5;");
        }
    }

    @Test
    void twoCookiesOfOurNameAreNone() throws Exception {
        try (Running running = new Running(directory)) {
            Browser browser = browser(running, running.admin);
            assertThat(post(running, APPROVE, browser.cookie + "; " + browser.cookie, browser.csrf))
                    .isEqualTo(401);
        }
    }

    @Test
    void oneTokenHasSoManySessionsAndTheOldestMakesRoom() throws Exception {
        try (Running running = new Running(directory)) {
            Browser first = browser(running, running.admin);
            Browser operators = browser(running, running.operator);
            for (int i = 0; i < 31; i++) {
                browser(running, running.admin);
            }
            assertThat(post(running, APPROVE, first.cookie, first.csrf)).isEqualTo(200);
            browser(running, running.admin);
            assertThat(post(running, APPROVE, first.cookie, first.csrf)).isEqualTo(401);
            assertThat(post(running, APPROVE, operators.cookie, operators.csrf)).isEqualTo(200);
        }
    }

    @Test
    void whoGuessesHasToWaitAndOthersDoNot() throws Exception {
        try (Running running = new Running(directory)) {
            for (int i = 0; i < Attempts.MOST; i++) {
                assertThat(login(running, "pathlore_" + i).statusCode()).isEqualTo(401);
            }
            HttpResponse<String> refused = login(running, "pathlore_x");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("60");
            assertThat(login(running, running.admin).statusCode()).isEqualTo(429);
            // A program that has a good token is not to blame for its neighbour.
            assertThat(running.send(running.request("/api/v1/secret")
                                    .header("Authorization", "Bearer " + running.admin))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(running.notices).hasSize(1).first().asString().contains("127.0.0.1", "nobody there can log in");
            assertThat(String.join("\n", running.notices)).doesNotContain("pathlore_");
        }
    }

    @Test
    void tokensAndCookiesAreInNoNotice() throws Exception {
        try (Running running = new Running(directory)) {
            Browser browser = browser(running, running.admin);
            running.send(running.request("/api/v1/broken").header("Authorization", "Bearer " + running.admin));
            running.send(running.request("/api/v1/broken?x=" + running.admin).header("Cookie", browser.cookie));
            String cookie = browser.cookie.substring(browser.cookie.indexOf('=') + 1);
            assertThat(running.notices).isNotEmpty();
            for (String secret : List.of(running.admin, cookie, browser.csrf)) {
                assertThat(String.join("\n", running.notices)).doesNotContain(secret);
            }
            assertThat(running.get("/metrics").body()).doesNotContain(running.admin);
        }
    }

    @Test
    void aTokenThatNeverEndsIsNotSaidToEnd() throws Exception {
        try (Running running = new Running(directory)) {
            String answer = running.send(
                            running.request("/api/v1/session").header("Authorization", "Bearer " + running.admin))
                    .body();
            assertThat(Json.object(answer)).containsEntry("by", "token").doesNotContainKey("expires");
            assertThat(Token.NEVER).isPositive();
        }
    }
}
