package io.pathlore.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** TLS from two PEM files [RFC 7468]. */
final class Pem {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final int DNS_NAME = 2; // GeneralName [RFC 5280 §4.2.1.6]

    private final X509ExtendedKeyManager manager;
    private final List<String> names;
    private final Instant goodUntil;

    private Pem(X509ExtendedKeyManager manager, List<String> names, Instant goodUntil) {
        this.manager = manager;
        this.names = names;
        this.goodUntil = goodUntil;
    }

    X509ExtendedKeyManager manager() {
        return manager;
    }

    Instant goodUntil() {
        return goodUntil;
    }

    /** The names the certificate is for; wildcards are left out. */
    List<String> names() {
        return names;
    }

    static Pem load(HttpOptions.Tls files) throws ServeException {
        Certificate[] chain = chain(files.certificate());
        PrivateKey key = key(files.key());
        try {
            char[] none = new char[0]; // the store lives in memory only
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, none);
            store.setKeyEntry("pathlore", key, none, chain);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, none);
            X509Certificate own = (X509Certificate) chain[0];
            if (!belongs(key, own)) {
                throw new GeneralSecurityException("another key");
            }
            return new Pem(
                    (X509ExtendedKeyManager) managers.getKeyManagers()[0],
                    names(own),
                    own.getNotAfter().toInstant());
        } catch (GeneralSecurityException | IOException e) {
            throw new ServeException("http.tls: " + files.certificate() + " and " + files.key()
                    + " do not go together: give the key that belongs to the first certificate");
        }
    }

    /** The store takes any key beside a certificate; clients would be the first to notice. */
    private static boolean belongs(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        try {
            byte[] text = "pathlore".getBytes(StandardCharsets.US_ASCII);
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(text);
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            return false;
        }
    }

    private static Certificate[] chain(Path path) throws ServeException {
        try {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(path)))
                    .toArray(Certificate[]::new);
            if (chain.length > 0) {
                return chain;
            }
        } catch (IOException e) {
            throw unreadable(path);
        } catch (GeneralSecurityException e) {
            // said below
        }
        throw new ServeException("http.tls: " + path + " has no certificate: give the chain in PEM");
    }

    private static PrivateKey key(Path path) throws ServeException {
        try {
            Matcher matcher = KEY.matcher(Files.readString(path, StandardCharsets.ISO_8859_1));
            if (matcher.find()) {
                var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
                for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
                    try {
                        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
                    } catch (InvalidKeySpecException e) {
                        // the next kind
                    }
                }
            }
        } catch (IOException e) {
            throw unreadable(path);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // said below
        }
        throw new ServeException("http.tls: " + path + " has no private key in PKCS #8: convert it with openssl pkcs8"
                + " -topk8 -nocrypt");
    }

    private static ServeException unreadable(Path path) {
        return new ServeException("http.tls: " + path + " cannot be read: check the path and its permissions");
    }

    private static List<String> names(X509Certificate certificate) throws GeneralSecurityException {
        List<String> names = new ArrayList<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            for (List<?> alternative : alternatives) {
                if (alternative.get(0).equals(DNS_NAME)
                        && alternative.get(1) instanceof String name
                        && !name.contains("*")) {
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }
}
