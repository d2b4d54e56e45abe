package io.pathlore.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts what the certificates in a PEM file vouch for, and nobody else. Names have to be right all the same. */
public final class Authority {
    private Authority() {}

    /**
     * For clients of TLS.
     *
     * @throws IOException if the file cannot be read, or has no certificate
     */
    public static SSLContext context(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + count++, each);
            }
            if (count == 0) {
                throw new IOException(file + ": has no certificate");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": is not a certificate in PEM: " + e.getMessage(), e);
        }
    }
}
