package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.serve.access.TokenStore.Lookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenTest {
    private static final long DAY = 86_400_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // below
    private Path data;

    @BeforeEach
    void configure() throws IOException {
        data = directory.resolve("not/yet/there");
        Files.writeString(directory.resolve("pathlore.yaml"), "data: not/yet/there\n");
    }

    private Ended token(String... args) {
        return new Program()
                .in(directory)
                .with(Stream.concat(Stream.of("token"), Stream.of(args)).toArray(String[]::new));
    }

    private Lookup find(String token) throws Exception {
        return TokenStore.open(data, CannedCollector.nowNanos()).find(token, CannedCollector.nowNanos());
    }

    @Test
    void addPrintsTheTokenAloneAndOnce() throws Exception {
        Ended ended = token("add", "ci", "--role", "viewer");

        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.out()).matches("pathlore_[A-Za-z0-9_-]{43}\n");
        assertThat(ended.err())
                .isEqualTo("pathlore: token ci of role viewer is in " + data.resolve("tokens")
                        + "; it is shown only now\n");
        assertThat(find(ended.out().strip())).isInstanceOfSatisfying(Lookup.Valid.class, valid -> {
            assertThat(valid.token().name()).isEqualTo("ci");
            assertThat(valid.token().role()).isEqualTo(Role.VIEWER);
        });
        assertThat(token("list", "-o", "json").out()).doesNotContain(ended.out().strip());
        assertThat(data.resolve("admin.token")).exists();
    }

    @Test
    void aTokenEndsWhenItWasToldTo() throws Exception {
        long before = CannedCollector.nowNanos();
        Ended ended = token("add", "night", "--role", "operator", "--expires", "90d");
        assertThat(ended.err()).containsPattern("token night of role operator, good until 20[0-9-]+T[0-9:]+Z, is in ");
        assertThat(find(ended.out().strip()))
                .isInstanceOfSatisfying(
                        Lookup.Valid.class,
                        valid -> assertThat(valid.token().expiresNanos())
                                .isBetween(before + 90 * DAY, CannedCollector.nowNanos() + 90 * DAY));
    }

    @Test
    void listsAllThatIsKnownButTheTokens() throws Exception {
        Files.createDirectories(data);
        TokenStore store = TokenStore.open(data, 1_577_934_245_678_000_000L);
        store.add("ci", Role.VIEWER, 1_577_934_245_678_000_000L, 1_577_934_246_000_000_000L);
        store.add("later", Role.OPERATOR, 1_577_934_245_678_000_000L, 4_102_444_800_000_000_000L);

        assertThat(token("list").lines())
                .containsExactly(
                        "NAME   ROLE      CREATED               EXPIRES",
                        "admin  admin     2020-01-02T03:04:05Z  never",
                        "ci     viewer    2020-01-02T03:04:05Z  2020-01-02T03:04:06Z, expired",
                        "later  operator  2020-01-02T03:04:05Z  2100-01-01T00:00:00Z");
        assertThat(token("list", "-o", "jsonl").lines())
                .containsExactly(
                        "{\"name\":\"admin\",\"role\":\"admin\",\"created\":\"2020-01-02T03:04:05.678000000Z\",\"expired\":false}",
                        "{\"name\":\"ci\",\"role\":\"viewer\",\"created\":\"2020-01-02T03:04:05.678000000Z\","
                                + "\"expires\":\"2020-01-02T03:04:06.000000000Z\",\"expired\":true}",
                        "{\"name\":\"later\",\"role\":\"operator\",\"created\":\"2020-01-02T03:04:05.678000000Z\","
                                + "\"expires\":\"2100-01-01T00:00:00.000000000Z\",\"expired\":false}");
        String json = token("list", "-o", "json").out();
        assertThat(json).startsWith("[\n{").endsWith("}\n]\n").hasLineCount(5);
        assertThat(token("list", "-o", "csv").lines())
                .startsWith("name,role,created,expires,expired", "admin,admin,2020-01-02T03:04:05.678000000Z,,false");
    }

    @Test
    void revokes() throws Exception {
        String token = token("add", "ci", "--role", "viewer").out().strip();
        Ended ended = token("revoke", "ci");
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo("pathlore: token ci is revoked\n");
        assertThat(find(token)).isEqualTo(new Lookup.Unknown());

        assertFailure("there is no token ci: see what there is with token list", "revoke", "ci");
        assertFailure(
                "token admin is the last of role admin that does not expire: add another first", "revoke", "admin");
        assertFailure(
                "there is a token admin already: revoke it, or choose another name", "add", "admin", "--role", "admin");
    }

    /** Looking at the wrong place must not make it look like a right one. */
    @Test
    void lookingMakesNothing() {
        String message = "there are no tokens in " + data
                + ": no collector has run with this data directory; --config or --set data=DIR names another";
        assertFailure(message, "list");
        assertFailure(message, "revoke", "ci");
        assertThat(data).doesNotExist();
    }

    @Test
    void aDamagedFileIsOneLine() throws Exception {
        assertThat(token("add", "ci", "--role", "viewer").status()).isZero();
        Files.writeString(data.resolve("tokens"), "nonsense\n");
        Ended ended = token("list");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("pathlore: " + data.resolve("tokens") + ":1: ")
                .hasLineCount(1);
        Files.writeString(directory.resolve("file"), "");
        Ended nowhere = token("add", "ci", "--role", "viewer", "--set", "data=file/below");
        assertThat(nowhere.status()).isEqualTo(1);
        assertThat(nowhere.err()).contains(directory.resolve("file").toString()).hasLineCount(1);
    }

    private void assertFailure(String message, String... args) {
        Ended ended = token(args);
        assertThat(ended.status()).as(ended.err()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo("pathlore: " + message + "\n");
    }

    @Test
    void misuseMakesNothingEither() {
        String name = "a token's name is 1 to 64 letters, digits, '.', '_' or '-'";
        assertMisused("pathlore token: what should it do? Commands: add, list, revoke");
        assertMisused("pathlore token add: give the token a name, by which it can be revoked", "add");
        assertMisused("pathlore token add: say what it may do: --role viewer, operator or admin", "add", "ci");
        assertMisused(
                "pathlore token add: --role: 'root' is not one of viewer, operator, admin",
                "add",
                "ci",
                "--role",
                "root");
        assertMisused("pathlore token add: " + name, "add", "c i", "--role", "viewer");
        for (String expires : List.of("tomorrow", "0", "999999999d")) {
            Ended ended = token("add", "ci", "--role", "viewer", "--expires", expires);
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.err()).startsWith("pathlore token add: --expires: ");
        }
        assertMisused("pathlore token revoke: name the token; 'pathlore token list' shows them", "revoke");
        assertThat(data).doesNotExist();
    }

    private void assertMisused(String message, String... args) {
        Ended ended = token(args);
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines().findFirst()).hasValue(message);
    }
}
