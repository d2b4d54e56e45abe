package io.pathlore.mitigate.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What a webhook and its receiver share. Never shown; read once, from a file. */
public final class Secret {
    /** Of the request that is signed: {@code sha256=} and the HMAC of the body in hex. */
    public static final String HEADER = "X-Pathlore-Signature";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int LARGEST = 4096;

    private final byte[] octets;

    public Secret(byte[] octets) {
        if (octets.length == 0) {
            throw new IllegalArgumentException("an empty secret");
        }
        this.octets = octets.clone();
    }

    /** The file's content, without space around it. */
    public static Secret read(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new IOException(file + ": a secret of more than " + LARGEST + " octets");
        }
        byte[] octets = Files.readString(file, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8);
        if (octets.length == 0) {
            throw new IOException(file + ": is empty, a secret is expected");
        }
        return new Secret(octets);
    }

    public String signature(String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(octets, ALGORITHM));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
