package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.serve.HttpOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector with a certificate that nobody signed, and that has another name than the address it is asked at. */
class TrustTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void theConfiguredCertificateIsTrustedAndNoOther() throws Exception {
        HttpOptions.Tls own = certificate("own");
        HttpOptions.Tls other = certificate("other");
        try (CannedCollector collector = new CannedCollector(directory, "127.0.0.1", own)) {
            collector.addExporter("10.0.0.1");
            Ended ended = get(collector, own);
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.out()).contains("10.0.0.1");

            for (Ended stranger : new Ended[] {
                get(collector, other),
                get(collector, new HttpOptions.Tls(directory.resolve("missing"), own.key())),
                Program.run("get", "exporters", "--server", "https://127.0.0.1:" + collector.port())
            }) {
                assertThat(stranger.status()).isEqualTo(5);
                assertThat(stranger.err())
                        .contains("no trust over TLS", "javax.net.ssl.trustStore")
                        .hasLineCount(1);
            }
        }
    }

    private Ended get(CannedCollector collector, HttpOptions.Tls tls) {
        return new Program()
                .in(directory)
                .with(
                        "get",
                        "exporters",
                        "--set",
                        "data=" + directory,
                        "--set",
                        "http.port=" + collector.port(),
                        "--set",
                        "http.tls={ certificate: " + tls.certificate() + ", key: " + tls.key() + " }");
    }

    private HttpOptions.Tls certificate(String name) throws Exception {
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
                        "CN=" + name + ".example",
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
        return Files.writeString(directory.resolve(name), text);
    }
}
