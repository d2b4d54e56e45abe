package io.pathlore.it.lab;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** Ids as docs/reference/events.md has them, written once more. */
final class Ids {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT);
    private static final int DIGITS = 16;

    private Ids() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String of(String text) {
        byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest).substring(0, DIGITS);
    }

    /** Of a flow as decoded reports have it. */
    static String flow(Map<String, Object> flow) {
        boolean icmp = flow.containsKey("icmpType");
        return of(String.join(
                ",",
                text(flow, "source"),
                text(flow, "destination"),
                text(flow, "protocol"),
                text(flow, icmp ? "icmpType" : "sourcePort"),
                text(flow, icmp ? "icmpCode" : "destinationPort"),
                text(flow, "vni")));
    }

    private static String text(Map<String, Object> flow, String key) {
        Object value = flow.get(key);
        return value == null ? "" : value.toString();
    }

    static String event(String kind, String identity, long startNanos) {
        long second = 1_000_000_000L;
        Instant start = Instant.ofEpochSecond(Math.floorDiv(startNanos, second), Math.floorMod(startNanos, second));
        return of(kind + "|" + identity + "|" + TIME.format(start.atOffset(ZoneOffset.UTC)));
    }
}
