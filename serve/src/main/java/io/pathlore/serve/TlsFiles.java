package io.pathlore.serve;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key and the certificates of the server, as the files have them: whoever renews a certificate writes the files, and the next connection
 * gets the new one. Files that cannot be used change nothing.
 */
final class TlsFiles {
    /** Tells one state of a file from the next. */
    private record Stamp(@Nullable Object key, @Nullable FileTime modified, long size) {
        static Stamp of(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stamp(attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
            } catch (IOException e) {
                return new Stamp(null, null, -1);
            }
        }
    }

    private record State(Stamp certificate, Stamp key) {}

    private final HttpOptions.Tls files;
    private final Notices notices;
    private final SSLContext context;
    private volatile Pem pem;
    private State loaded;
    private @Nullable State refused;

    TlsFiles(HttpOptions.Tls files, Notices notices) throws ServeException {
        this.files = files;
        this.notices = notices;
        loaded = state();
        pem = Pem.load(files);
        try {
            context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new Latest()}, null, null);
        } catch (GeneralSecurityException e) {
            throw new ServeException("http.tls cannot be used: " + e.getMessage());
        }
    }

    SSLContext context() {
        return context;
    }

    /** The names the certificate is for at the moment. */
    List<String> names() {
        return pem.names();
    }

    private State state() {
        return new State(Stamp.of(files.certificate()), Stamp.of(files.key()));
    }

    /**
     * Reads the files again if they are others than before. One may be written a moment after the other, so they are complained of only when
     * they stay as they are, and once.
     */
    synchronized void refresh() {
        State now = state();
        if (now.equals(loaded)) {
            refused = null;
            return;
        }
        try {
            pem = Pem.load(files);
            loaded = now;
            refused = null;
            notices.warn("http.tls: the certificate was read again; it is good until " + pem.goodUntil());
        } catch (ServeException e) {
            if (now.equals(refused)) {
                notices.error(e.getMessage() + "; the old certificate stays");
                loaded = now; // until they change again
            }
            refused = now;
        }
    }

    /** What the server asks for each handshake. */
    private final class Latest extends X509ExtendedKeyManager {
        @Override
        public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
            return pem.manager().getServerAliases(type, issuers);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return pem.manager().chooseServerAlias(type, issuers, socket);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return pem.manager().chooseEngineServerAlias(type, issuers, engine);
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return pem.manager().getCertificateChain(alias);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return pem.manager().getPrivateKey(alias);
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
            return null; // this side is never the client
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }
}
