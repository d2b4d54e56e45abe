package io.pathlore.dataplane.report;

import io.pathlore.wire.net.AddressText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What Transparent Security's drop reports name a blocked attack by: the first 8 octets of the SHA-256 of
 * {@code mac|port|ipv4|ipv6}, with {@code 0.0.0.0} or {@code ::} for the family that is not attacked.
 */
public final class AttackKey {
    private AttackKey() {}

    /**
     * The key of one attack.
     *
     * @param mac of the attacking device, in the lower 48 bits
     * @param port the attacked UDP or TCP port
     * @param addressHigh of the attacked host, 0 for IPv4
     */
    public static long of(long mac, int port, boolean v6, long addressHigh, long addressLow) {
        String ipv4 = AddressText.ip(false, 0, v6 ? 0 : addressLow);
        String ipv6 = AddressText.ip(true, v6 ? addressHigh : 0, v6 ? addressLow : 0);
        String text = AddressText.mac(mac << 16) + "|" + port + "|" + ipv4 + "|" + ipv6;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java platform has SHA-256", absent);
        }
    }
}
