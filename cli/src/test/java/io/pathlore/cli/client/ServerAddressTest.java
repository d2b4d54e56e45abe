package io.pathlore.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.serve.HttpOptions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerAddressTest {
    @Test
    void readsWhatPeopleWrite() {
        assertReads("http://127.0.0.1:8080", "http://127.0.0.1:8080");
        assertReads("HTTPS://Collector.Example/", "https://collector.example:443");
        assertReads("http://collector", "http://collector:80");
        assertReads("collector", "http://collector:8080");
        assertReads("10.0.0.9:9090", "http://10.0.0.9:9090");
        assertReads("[2001:db8::1]", "http://[2001:db8::1]:8080");
        assertReads("https://[::1]:1", "https://[::1]:1");
    }

    private static void assertReads(String text, String address) {
        assertThat(ServerAddress.of(text)).hasToString(address);
    }

    @Test
    void refusesWhatIsNoAddress() {
        for (String text :
                List.of("", "ftp://x", "http://", "http://x:0", "x:65536", "x y", "::1", "http:///x", "x:-1")) {
            assertThatThrownBy(() -> ServerAddress.of(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "'" + text + "' is not a server, like http://127.0.0.1:8080 or https://[2001:db8::1]:8080");
        }
        assertThatThrownBy(() -> ServerAddress.of("http://admin:secret@x:8080"))
                .hasMessageContaining("--token-file")
                .hasMessageNotContaining("secret");
        for (String text : List.of("http://x/api", "x:1/?a", "http://x:1#f")) {
            assertThatThrownBy(() -> ServerAddress.of(text)).hasMessageContaining("goes on behind the port");
        }
    }

    @Test
    void knowsWhatIsThisMachine() {
        for (String text : List.of("localhost", "127.0.0.1", "127.1.2.3:80", "[::1]:8080")) {
            assertThat(ServerAddress.of(text).isLoopback()).as(text).isTrue();
            assertThat(ServerAddress.of(text).isThisMachine()).as(text).isTrue();
        }
        for (String text : List.of("192.0.2.1", "[2001:db8::1]", "no-such-host.invalid")) {
            assertThat(ServerAddress.of(text).isLoopback()).as(text).isFalse();
            assertThat(ServerAddress.of(text).isThisMachine()).as(text).isFalse();
        }
    }

    @Test
    void comesFromTheConfiguration() {
        assertThat(ServerAddress.of(options("127.0.0.1", null))).hasToString("http://127.0.0.1:8080");
        assertThat(ServerAddress.of(options("0.0.0.0", null))).hasToString("http://127.0.0.1:8080");
        HttpOptions.Tls tls = new HttpOptions.Tls(Path.of("c"), Path.of("k"));
        assertThat(ServerAddress.of(options("::", tls))).hasToString("https://[::1]:8080");
        assertThat(ServerAddress.of(options("10.0.0.9", tls))).hasToString("https://10.0.0.9:8080");
        assertThat(ServerAddress.of(options("2001:db8::1", tls)).resolve("/x"))
                .hasToString("https://[2001:db8:0:0:0:0:0:1]:8080/x");
    }

    private static HttpOptions options(String address, HttpOptions.@Nullable Tls tls) {
        return new HttpOptions(InetAddress.ofLiteral(address), 8080, tls, false, Set.of(), HttpOptions.Limits.DEFAULT);
    }
}
