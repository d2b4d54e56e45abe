package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.cli.client.ServerAddress;
import io.pathlore.cli.config.EdgeSetting;
import io.pathlore.serve.ApiServer;
import io.pathlore.serve.HttpOptions;
import io.pathlore.serve.Notices;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Route;
import io.pathlore.serve.Sources;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.TokenStore;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real HTTP side of a collector, over TLS, and who asks it. */
class EdgeTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final int PAGE = 100_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final StringWriter log = new StringWriter();

    private ApiServer serve(HttpOptions.Tls tls) throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        HttpOptions options = new HttpOptions(
                InetAddress.ofLiteral("127.0.0.1"), 0, tls, false, Set.of(), HttpOptions.Limits.DEFAULT);
        Notices nobody = new Notices() {
            @Override
            public void warn(String line) {}

            @Override
            public void error(String line) {}
        };
        Sources sources = new Sources(
                () -> "{\"version\":\"9\",\"journal\":{\"enabled\":true}}",
                () -> "{}",
                page -> "{}",
                List::of,
                metrics -> {});
        // What changes something wants a token everywhere; a route that wants more than a viewer does so here, too.
        List<Route> routes = List.of(
                Route.get("/api/v1/long", Role.VIEWER, _ -> Reply.json(200, "\"" + "x".repeat(PAGE) + "\"")),
                Route.get("/api/v1/secret", Role.ADMIN, _ -> Reply.json(200, "{\"told\":true}")));
        return ApiServer.start(
                options, TokenStore.open(data, 1), sources, routes, CollectorProcess::epochNanos, nobody);
    }

    private Edge edge(int port, @Nullable Path token, @Nullable Path authority) {
        return new Edge(
                new EdgeSetting(
                        "north", new ServerAddress(true, "127.0.0.1", port), token, authority, Duration.ofSeconds(8)),
                new Notes(new PrintWriter(log), CollectorProcess::epochNanos));
    }

    @Test
    void onlyWhomTheAuthorityVouchesForIsAskedAndShownTheToken() throws Exception {
        HttpOptions.Tls own = certificate("own", "127.0.0.1");
        HttpOptions.Tls other = certificate("other", "127.0.0.1");
        HttpOptions.Tls misnamed = certificate("misnamed", "127.0.0.2");
        ApiServer server = serve(own);
        int port = server.address().getPort();
        Path token = directory.resolve("data").resolve("admin.token");
        try (Edge good = edge(port, token, own.certificate());
                Edge stranger = edge(port, token, other.certificate());
                Edge without = edge(port, null, own.certificate());
                Edge missing = edge(port, token, directory.resolve("missing.pem"))) {
            good.look();
            assertThat(good.isUp()).isTrue();
            assertThat(good.askText("/api/v1/secret", PAGE)).isEqualTo("{\"told\":true}");
            assertThatThrownBy(() -> stranger.ask("/api/v1/secret", PAGE))
                    .isInstanceOf(EdgeException.class)
                    .hasMessageContaining("no trust over TLS")
                    .hasMessageContaining("ca of this edge");
            assertThat(stranger.isUp()).isFalse();
            assertThatThrownBy(() -> without.ask("/api/v1/secret", PAGE))
                    .isInstanceOf(EdgeException.class)
                    .hasMessageContaining("not authorised")
                    .hasMessageContaining("token-file names none");
            assertThatThrownBy(() -> missing.ask("/api/v1/secret", PAGE))
                    .isInstanceOf(EdgeException.class)
                    .hasMessageContaining("missing.pem");
        } finally {
            server.stop(Duration.ZERO);
        }
        ApiServer wrong = serve(misnamed);
        try (Edge edge = edge(wrong.address().getPort(), token, misnamed.certificate())) {
            assertThatThrownBy(() -> edge.ask("/api/v1/secret", PAGE))
                    .as("the name is not that of the edge")
                    .isInstanceOf(EdgeException.class)
                    .hasMessageContaining("no trust over TLS");
        } finally {
            wrong.stop(Duration.ZERO);
        }
    }

    @Test
    void aTokenIsReadAgainWhenItIsNoLongerGood() throws Exception {
        HttpOptions.Tls own = certificate("own", "127.0.0.1");
        ApiServer server = serve(own);
        Path good = directory.resolve("data").resolve("admin.token");
        Path token = Files.writeString(directory.resolve("token"), "plr_nonsense\n");
        try (Edge edge = edge(server.address().getPort(), token, own.certificate())) {
            assertThatThrownBy(() -> edge.ask("/api/v1/secret", PAGE)).isInstanceOf(EdgeException.class);
            Files.writeString(token, Files.readString(good));
            assertThat(edge.askText("/api/v1/secret", PAGE)).contains("told");
            assertThat(log.toString()).doesNotContain(Files.readString(good).strip());
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void nothingIsReadBeyondWhatThereIsRoomFor() throws Exception {
        HttpOptions.Tls own = certificate("own", "127.0.0.1");
        ApiServer server = serve(own);
        try (Edge edge = edge(server.address().getPort(), null, own.certificate())) {
            assertThat(edge.askText("/api/v1/long", PAGE + 2)).hasSize(PAGE + 2);
            assertThatThrownBy(() -> edge.ask("/api/v1/long", PAGE + 1))
                    .isInstanceOfSatisfying(
                            EdgeException.class, e -> assertThat(e.isTooMuch()).isTrue());
            assertThatThrownBy(() -> edge.askJson("/api/v1/long", PAGE + 2)).hasMessageContaining("not a JSON object");
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    /** What an edge answers is data: it goes on as it stands, if it is JSON of the right form, and not at all if it is not. */
    @Test
    void aPageIsTakenAsItStandsOrNotAtAll() {
        String item = "{\"time\":\"2026-11-15T18:00:00.000000001Z\",\"x\":{\"id\":\"no\",\"a\":[{\"é\":\"}\"}]},"
                + " \"id\":\"00c0ffee00c0ffee-7-1\"}";
        EdgeItem.Page page =
                EdgeItem.page("{\"items\":[" + item + " , " + item + "],\"next\":\"o.1.2.3.4\",\"more\":{},"
                        + "\"scanned\":{\"datagrams\":3,\"reports\":4,\"octets\":5,\"other\":[]}}");
        assertThat(page).isNotNull();
        assertThat(page.items()).extracting(EdgeItem::json).containsExactly(item, item);
        assertThat(page.items().getFirst().id()).isEqualTo(new ReportId(0x00c0ffee00c0ffeeL, 7, 1));
        assertThat(page.items().getFirst().timeNanos()).isEqualTo(1_794_765_600_000_000_001L);
        assertThat(page.next()).isEqualTo("o.1.2.3.4");
        assertThat(List.of(page.datagrams(), page.reports(), page.octets(), page.damaged()))
                .containsExactly(3L, 4L, 5L, 0L);
        for (String wrong : List.of(
                "",
                "[]",
                "{}",
                "{\"items\":[1]}",
                "{\"items\":[{}]}",
                "{\"items\":[" + item + "]",
                "{\"items\":[" + item + "]} x",
                "{\"items\":[" + item.replace("00c0ffee00c0ffee", "") + "]}",
                "{\"items\":[" + item.replace("Z\"", "\"") + "]}",
                "{\"items\":" + "[".repeat(5_000))) {
            assertThat(EdgeItem.page(wrong)).as(wrong).isNull();
        }
    }

    @Test
    void aCursorIsTextAndBack() {
        EdgesCursor cursor = new EdgesCursor(
                true,
                -5,
                Long.MAX_VALUE,
                -7,
                List.of(
                        new EdgesCursor.Place.At(Long.MAX_VALUE, 0),
                        new EdgesCursor.Place.End(),
                        new EdgesCursor.Place.LeftOut(),
                        new EdgesCursor.Place.At(0, 65_535)));
        assertThat(EdgesCursor.parse(cursor.toString())).isEqualTo(cursor);
        for (String wrong :
                List.of("", "o.1.2.3.4", "mn.1.2.3", "mn.2.1.3.-", "mn.1.2.3.y", "mo.1.2.3.zzzzzzzzzzzzz_0")) {
            assertThat(EdgesCursor.parse(wrong)).as(wrong).isNull();
        }
    }

    private HttpOptions.Tls certificate(String name, String address) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "k",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=IP:" + address,
                        "-validity",
                        "36500",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new HttpOptions.Tls(
                pem(name + ".crt", "CERTIFICATE", store.getCertificate("k").getEncoded()),
                pem(name + ".key", "PRIVATE KEY", store.getKey("k", PASSWORD).getEncoded()));
    }

    private Path pem(String name, String kind, byte[] content) throws Exception {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                + kind + "-----\n";
        return Files.write(directory.resolve(name), text.getBytes(StandardCharsets.US_ASCII));
    }
}
