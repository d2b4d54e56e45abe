package io.pathlore.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of 64 bits made from text. */
final class Digest {
    static final int DIGITS = 16;

    private Digest() {}

    /** The first eight octets of SHA-256 over the text in UTF-8. */
    static long of(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String hex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }

    static long parse(String text) {
        if (text.length() != DIGITS) {
            throw new IllegalArgumentException("'" + text + "' is not " + DIGITS + " hex digits");
        }
        return HexFormat.fromHexDigitsToLong(text);
    }
}
