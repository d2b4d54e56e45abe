package io.pathlore.serve.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.serve.access.TokenStore.Lookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenStoreTest {
    private static final long NOW = 1_800_000_000_000_000_000L;

    @TempDir
    private Path directory;

    @Test
    void theFirstStartMakesAnAdminOnce() throws Exception {
        TokenStore store = TokenStore.open(directory, NOW);
        String admin = Files.readString(store.adminFile()).strip();
        assertThat(admin).matches("pathlore_[A-Za-z0-9_-]{43}");
        assertThat(store.find(admin, NOW))
                .isEqualTo(new Lookup.Valid(new Token("admin", Role.ADMIN, NOW, Token.NEVER)));
        TokenStore.open(directory, NOW + 1);
        assertThat(Files.readString(store.adminFile()).strip()).isEqualTo(admin);
        Files.delete(store.adminFile());
        TokenStore.open(directory, NOW + 1);
        assertThat(store.adminFile()).doesNotExist();
    }

    @Test
    void onlyTheOwnerCanReadTheFilesAndTheyHoldNoToken() throws Exception {
        TokenStore store = TokenStore.open(directory, NOW);
        String token = store.add("ci", Role.VIEWER, NOW, NOW + 5);
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo("rw-------");
                assertThat(Files.readString(file)).doesNotContain(token);
            }
        }
        assertThat(Files.readString(directory.resolve("tokens")))
                .doesNotContain(Files.readString(store.adminFile()).strip());
    }

    /** As when root adds a token for a collector that runs as another user. */
    @Test
    void filesBelongToTheOwnerOfTheDirectory() throws Exception {
        UserPrincipal me = Files.getOwner(directory);
        assumeTrue(me.getName().equals("root"));
        UserPrincipal other =
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(directory, other);

        TokenStore store = TokenStore.open(directory, NOW);
        for (String file : List.of("tokens", "tokens.lock", "admin.token")) {
            assertThat(Files.getOwner(directory.resolve(file))).as(file).isEqualTo(other);
        }
        Files.setOwner(directory, me);
        store.add("ci", Role.VIEWER, NOW, Token.NEVER);
        assertThat(Files.getOwner(directory.resolve("tokens"))).isEqualTo(other);
    }

    @Test
    void tokensExpireAndAreRevoked() throws Exception {
        TokenStore store = TokenStore.open(directory, NOW);
        String token = store.add("ci", Role.OPERATOR, NOW, NOW + 5);
        Token known = new Token("ci", Role.OPERATOR, NOW, NOW + 5);
        assertThat(store.find(token, NOW + 4)).isEqualTo(new Lookup.Valid(known));
        assertThat(store.find(token, NOW + 5)).isEqualTo(new Lookup.Expired(known));
        assertThat(store.find(token + "A", NOW)).isEqualTo(new Lookup.Unknown());
        assertThat(store.find("", NOW)).isEqualTo(new Lookup.Unknown());
        assertThat(store.list()).extracting(Token::name).containsExactly("admin", "ci");
        store.revoke("ci");
        assertThat(store.find(token, NOW)).isEqualTo(new Lookup.Unknown());
        assertThatThrownBy(() -> store.revoke("ci")).hasMessageContaining("no token ci");
        assertThatThrownBy(() -> store.revoke("admin")).hasMessageContaining("last of role admin");
    }

    @Test
    void refusesNamesThatWouldBreakTheFile() throws Exception {
        TokenStore store = TokenStore.open(directory, NOW);
        for (String name : List.of("", "a b", "a\nb", "-a", "a".repeat(65), "ä")) {
            assertThatThrownBy(() -> store.add(name, Role.VIEWER, NOW, Token.NEVER))
                    .isInstanceOf(TokenException.class);
        }
        assertThatThrownBy(() -> store.add("admin", Role.VIEWER, NOW, Token.NEVER))
                .hasMessageContaining("already");
        assertThatThrownBy(() -> store.add("old", Role.VIEWER, NOW, NOW)).hasMessageContaining("expired");
    }

    @Test
    void aDamagedFileLetsNobodyInAndNamesTheLine() throws Exception {
        TokenStore store = TokenStore.open(directory, NOW);
        String admin = Files.readString(store.adminFile()).strip();
        Path file = directory.resolve("tokens");
        String good = Files.readString(file);
        for (String bad : List.of(
                good + "x\n",
                good + good.lines().toList().get(1) + "\n",
                good.replace(" never ", " soon "),
                good.substring(0, good.length() - 3))) {
            Files.writeString(file, bad);
            assertThatThrownBy(() -> store.find(admin, NOW))
                    .isInstanceOf(TokenException.class)
                    .hasMessageContaining("tokens:");
        }
        Files.writeString(file, "");
        assertThatThrownBy(() -> TokenStore.open(directory, NOW)).isInstanceOf(TokenException.class);
        Files.delete(file);
        assertThat(store.find(admin, NOW)).isEqualTo(new Lookup.Unknown());
    }

    @Test
    void aFileThatOthersCanWriteIsNotBelieved() throws Exception {
        TokenStore.open(directory, NOW);
        Files.setPosixFilePermissions(directory.resolve("tokens"), PosixFilePermissions.fromString("rw-rw----"));
        assertThatThrownBy(() -> TokenStore.open(directory, NOW)).hasMessageContaining("chmod 600");
    }

    @Test
    void aCrashLeavesTheOldTokensOrTheNew() throws Exception {
        for (TokenFile.Step step : TokenFile.Step.values()) {
            Path own = Files.createDirectory(directory.resolve(step.name()));
            TokenStore.open(own, NOW);
            TokenStore crashing = TokenStore.open(own, NOW, crashAt(step, 1));
            assertThatThrownBy(() -> crashing.add("ci", Role.VIEWER, NOW, Token.NEVER))
                    .hasMessage("crash");
            TokenStore after = TokenStore.open(own, NOW);
            boolean renamed = step == TokenFile.Step.RENAMED;
            assertThat(after.list())
                    .extracting(Token::name)
                    .isEqualTo(renamed ? List.of("admin", "ci") : List.of("admin"));
            after.add("next", Role.VIEWER, NOW, Token.NEVER); // what the crash left beside it does not matter
            assertThat(after.find(Files.readString(after.adminFile()).strip(), NOW))
                    .isInstanceOf(Lookup.Valid.class);
        }
    }

    @Test
    void aCrashDuringTheFirstStartLeavesAnAdminTokenThatWorksAfterTheNext() throws Exception {
        int steps = 2 * TokenFile.Step.values().length;
        for (int crash = 1; crash <= steps; crash++) {
            Path own = Files.createDirectory(directory.resolve("first" + crash));
            int at = crash;
            int[] done = {0};
            assertThatThrownBy(() -> TokenStore.open(own, NOW, step -> {
                        if (++done[0] == at) {
                            throw new IOException("crash");
                        }
                    }))
                    .hasMessage("crash");
            TokenStore after = TokenStore.open(own, NOW);
            assertThat(after.find(Files.readString(after.adminFile()).strip(), NOW))
                    .isInstanceOf(Lookup.Valid.class);
        }
    }

    private static TokenFile.Steps crashAt(TokenFile.Step wanted, int time) {
        int[] seen = {0};
        return step -> {
            if (step == wanted && ++seen[0] == time) {
                throw new IOException("crash");
            }
        };
    }
}
