package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.cli.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdgeReaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private List<EdgeSetting> load(String edges) throws IOException {
        Files.writeString(directory.resolve("pathlore.yaml"), "edges:\n" + edges);
        return new ConfigLoader(directory, directory, Map.of("HOME", "/home/x"))
                .loadService(null, List.of())
                .edges();
    }

    private void assertRejects(String edges, String message) {
        assertThatThrownBy(() -> load(edges))
                .isInstanceOf(ConfigException.class)
                .hasMessage("pathlore.yaml:" + message);
    }

    @Test
    void thereAreNoneUnlessSomebodySaysSo() {
        assertThat(new ConfigLoader(directory, directory, Map.of("HOME", "/home/x"))
                        .loadService(null, List.of())
                        .edges())
                .isEmpty();
    }

    @Test
    void eachHasANameAndAnAddress() throws IOException {
        assertThat(load("""
                  - { name: north, url: "https://north.example:8443", token-file: t/north, ca: edges.pem, timeout: 2s }
                  - { name: here, url: "http://127.0.0.1:8081", token-file: /here }
                """))
                .containsExactly(
                        new EdgeSetting(
                                "north",
                                new ServerAddress(true, "north.example", 8443),
                                directory.resolve("t/north"),
                                directory.resolve("edges.pem"),
                                Duration.ofSeconds(2)),
                        new EdgeSetting(
                                "here",
                                new ServerAddress(false, "127.0.0.1", 8081),
                                Path.of("/here"),
                                null,
                                Duration.ofSeconds(5)));
    }

    @Test
    void aMistakeIsToldWithItsLine() {
        assertRejects("  - { name: a }\n", "2: edges: an entry has no 'url'");
        assertRejects(
                "  - { name: a, url: 'http://10.0.0.1', tokenfile: x }\n",
                "2: edges.tokenfile: there is no such key here; did you mean 'token-file'?");
        assertRejects(
                "  - { name: 'a b', url: 'http://10.0.0.1' }\n",
                "2: edges.name: 'a b' is not up to 64 letters, digits, '.', '_' and '-'");
        assertRejects(
                "  - { name: a, url: 'ftp://10.0.0.1' }\n",
                "2: edges.url: 'ftp://10.0.0.1' is not a server, like http://127.0.0.1:8080 or"
                        + " https://[2001:db8::1]:8080");
        assertRejects(
                "  - { name: a, url: 'http://10.0.0.1' }\n  - { name: a, url: 'http://10.0.0.2' }\n",
                "3: edges.name: 'a' is the name of another one, too");
        assertRejects(
                "  - { name: a, url: 'http://10.0.0.1' }\n  - { name: b, url: 'http://10.0.0.1:80/' }\n",
                "3: edges.url: http://10.0.0.1:80 is that of another one, too");
        assertRejects(
                "  - { name: a, url: 'http://10.0.0.1', timeout: 9s }\n",
                "2: edges.timeout: '9s' is not above 0 and up to 8s");
    }

    /** It is a secret, and who reads it on the way has all that it opens. */
    @Test
    void aTokenDoesNotCrossTheNetworkInClear() {
        assertRejects(
                "  - { name: a, url: 'http://10.0.0.1', token-file: t }\n",
                "2: edges.url: the token would cross the network in clear: it has to be https");
        assertRejects("  - { name: a, url: 'http://10.0.0.1', ca: c }\n", "2: edges.ca: is for https");
    }

    @Test
    void thereIsRoomForSixtyFour() throws IOException {
        String most = IntStream.rangeClosed(1, 64)
                .mapToObj(i -> "  - { name: e" + i + ", url: 'http://10.0.0." + i + "' }\n")
                .collect(Collectors.joining());
        assertThat(load(most)).hasSize(64);
        assertThatThrownBy(() -> load(most + "  - { name: more, url: 'http://10.0.1.1' }\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("65 are more than 64");
    }
}
