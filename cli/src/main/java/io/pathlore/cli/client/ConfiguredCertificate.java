package io.pathlore.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the very certificate that this machine's collector is configured with, whatever name stands in it: the file says
 * more than a name could. Any other has to pass as it would without this.
 */
final class ConfiguredCertificate extends X509ExtendedTrustManager {
    private final Certificate own;
    private final X509ExtendedTrustManager others;

    private ConfiguredCertificate(Certificate own, X509ExtendedTrustManager others) {
        this.own = own;
        this.others = others;
    }

    /** Null where the file cannot be read: it is often readable for the collector alone. */
    static @Nullable SSLContext context(Path certificate) {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new ConfiguredCertificate(own, systemTrust())}, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            return null;
        }
    }

    private static X509ExtendedTrustManager systemTrust() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager trust) {
                return trust;
            }
        }
        throw new GeneralSecurityException("no trust manager");
    }

    private boolean isOwn(X509Certificate[] chain) {
        return chain.length > 0 && chain[0].equals(own);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type, engine);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type, socket);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return others.getAcceptedIssuers();
    }
}
