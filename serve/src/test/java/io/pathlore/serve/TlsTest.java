package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.serve.access.TokenStore;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path directory;

    @Test
    void servesOverTlsFromPemFiles() throws Exception {
        KeyStore store = selfSigned();
        Certificate certificate = store.getCertificate("k");
        Path chain = pem("CERTIFICATE", certificate.getEncoded());
        Path key = pem("PRIVATE KEY", store.getKey("k", PASSWORD).getEncoded());
        try (ApiServer server = start(new HttpOptions.Tls(chain, key));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(certificate))
                        .build()) {
            URI uri = URI.create("https://localhost:" + server.address().getPort() + "/api/v1/ledger");
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
        assertThat(notices).isEmpty();
        assertThatThrownBy(() -> start(new HttpOptions.Tls(key, key))).hasMessageContaining("no certificate");
        assertThatThrownBy(() -> start(new HttpOptions.Tls(chain, chain))).hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> start(new HttpOptions.Tls(directory.resolve("none"), key)))
                .hasMessageContaining("cannot be read");
    }

    private final List<String> notices = new CopyOnWriteArrayList<>();

    private static int ask(ApiServer server, Certificate trusted, String host) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(trusting(trusted)).build()) {
            URI uri = URI.create("https://" + host + ":" + server.address().getPort() + "/api/v1/ledger");
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void aRenewedCertificateIsServedWithoutARestart() throws Exception {
        KeyStore first = selfSigned();
        KeyStore second = selfSigned();
        Path chain = pem("CERTIFICATE", first.getCertificate("k").getEncoded());
        Path key = pem("PRIVATE KEY", first.getKey("k", PASSWORD).getEncoded());
        try (ApiServer server = start(new HttpOptions.Tls(chain, key))) {
            assertThat(ask(server, first.getCertificate("k"), "localhost")).isEqualTo(200);

            // Half of it is there: nothing changes, and nobody is told before it stays so.
            pem("CERTIFICATE", second.getCertificate("k").getEncoded());
            server.refreshTls();
            assertThat(notices).isEmpty();
            server.refreshTls();
            server.refreshTls();
            assertThat(notices)
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("do not go together", "the old certificate stays");
            assertThat(ask(server, first.getCertificate("k"), "localhost")).isEqualTo(200);

            pem("PRIVATE KEY", second.getKey("k", PASSWORD).getEncoded());
            server.refreshTls();
            assertThat(notices).hasSize(2).last().asString().contains("read again");
            assertThat(ask(server, second.getCertificate("k"), "127.0.0.1")).isEqualTo(200);
            assertThatThrownBy(() -> ask(server, first.getCertificate("k"), "localhost"))
                    .isInstanceOf(SSLHandshakeException.class);

            Files.delete(key);
            server.refreshTls();
            server.refreshTls();
            assertThat(notices).hasSize(3).last().asString().contains("cannot be read");
            assertThat(ask(server, second.getCertificate("k"), "localhost")).isEqualTo(200);
        }
    }

    @Test
    void aCookieOfTlsNeverLeavesIt() throws Exception {
        KeyStore store = selfSigned();
        Path chain = pem("CERTIFICATE", store.getCertificate("k").getEncoded());
        Path key = pem("PRIVATE KEY", store.getKey("k", PASSWORD).getEncoded());
        try (ApiServer server = start(new HttpOptions.Tls(chain, key));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(store.getCertificate("k")))
                        .build()) {
            int port = server.address().getPort();
            String token =
                    Files.readString(directory.resolve(TokenStore.ADMIN_FILE)).strip();
            HttpRequest login = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/api/v1/login"))
                    .header("Authorization", "Bearer " + token)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(login, HttpResponse.BodyHandlers.discarding())
                            .headers()
                            .firstValue("Set-Cookie")
                            .orElseThrow())
                    .startsWith("__Host-pathlore-" + port + "=")
                    .contains("; Path=/;")
                    .endsWith("; HttpOnly; SameSite=Strict; Secure");
        }
    }

    private ApiServer start(HttpOptions.Tls tls) throws Exception {
        HttpOptions options = new HttpOptions(
                InetAddress.ofLiteral("127.0.0.1"), 0, tls, false, Set.of(), HttpOptions.Limits.DEFAULT);
        Sources sources = new Sources(() -> "{}", () -> "{}", page -> "{}", List::of, out -> {});
        return ApiServer.start(
                options, TokenStore.open(directory, Running.NOW), sources, List.of(), () -> Running.NOW, new Notices() {
                    @Override
                    public void warn(String line) {
                        notices.add(line);
                    }

                    @Override
                    public void error(String line) {
                        notices.add(line);
                    }
                });
    }

    private KeyStore selfSigned() throws Exception {
        Path file = Files.createTempDirectory(directory, "keys").resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "k",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "36500",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private Path pem(String what, byte[] der) throws Exception {
        String text = "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what + "-----\n";
        return Files.writeString(directory.resolve(what.replace(' ', '-') + ".pem"), text);
    }

    private static SSLContext trusting(Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("c", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
