package io.pathlore.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Sends answers that are there as a whole: compressed where the client can read that, and not at all where it has them. */
final class Sender {
    /** Shorter ones gain nothing; and secrets, which are short, are never compressed beside what others say. */
    private static final int LEAST_COMPRESSED = 1_024;

    private static final int TAG_BYTES = 18;
    private static final int NOT_MODIFIED = 304;

    private Sender() {}

    static int send(HttpExchange exchange, Reply.Content content) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        content.headers().forEach(headers::set);
        byte[] body = content.body();
        boolean read = content.status() == 200 && isRead(exchange);
        if (read && body.length > 0 && has(exchange, tag(body))) {
            return unchanged(exchange);
        }
        if (!content.type().isEmpty()) {
            headers.set("Content-Type", content.type());
        }
        if (body.length >= LEAST_COMPRESSED && isText(content.type())) {
            headers.set("Vary", "Accept-Encoding");
            if (takesGzip(exchange)) {
                headers.set("Content-Encoding", "gzip");
                body = gzip(body);
            }
        }
        return send(exchange, content.status(), body);
    }

    static int send(HttpExchange exchange, Reply.Fixed fixed) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-cache"); // kept, and asked for again each time: it may be another one by then
        headers.set("Vary", "Accept-Encoding");
        if (has(exchange, fixed.tag())) {
            return unchanged(exchange);
        }
        headers.set("Content-Type", fixed.type());
        boolean gzip = takesGzip(exchange);
        if (gzip) {
            headers.set("Content-Encoding", "gzip");
        }
        return send(exchange, 200, gzip ? fixed.gzip() : fixed.body());
    }

    private static int send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head || body.length == 0) {
            exchange.getRequestBody().close(); // here, where its failure is still ours to pass on
            if (head) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            }
            exchange.sendResponseHeaders(status, -1);
            return status;
        }
        exchange.sendResponseHeaders(status, body.length);
        OutputStream out = exchange.getResponseBody();
        out.write(body);
        out.flush();
        out.close();
        return status;
    }

    private static int unchanged(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().close();
        exchange.sendResponseHeaders(NOT_MODIFIED, -1);
        return NOT_MODIFIED;
    }

    private static boolean isRead(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        return method.equals("GET") || method.equals("HEAD");
    }

    private static boolean isText(String type) {
        return type.startsWith("text/") || type.contains("json");
    }

    // What the client has, and what it can read
    // --------------------------------------------------------------------------------------------------------------

    /** Says what this answer is called, and whether the client has it [RFC 9110 §13.1.2]. */
    private static boolean has(HttpExchange exchange, String tag) {
        exchange.getResponseHeaders().set("ETag", tag);
        for (String line : exchange.getRequestHeaders().getOrDefault("If-None-Match", List.of())) {
            for (String each : line.split(",", -1)) {
                if (each.strip().equals("*") || each.strip().equals(tag)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Weak, for it is the same answer compressed or not. */
    static String tag(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return "W/\"" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, TAG_BYTES)) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java platform has it
        }
    }

    /** Only who names it: a star may be from a program that reads nothing of the kind. */
    private static boolean takesGzip(HttpExchange exchange) {
        for (String line : exchange.getRequestHeaders().getOrDefault("Accept-Encoding", List.of())) {
            for (String each : line.toLowerCase(Locale.ROOT).split(",", -1)) {
                String coding = each.replace(" ", "").replace("\t", "");
                if (coding.equals("gzip") || coding.matches("gzip;q=(1(\\.0*)?|0\\.[0-9]*[1-9][0-9]*)")) {
                    return true;
                }
            }
        }
        return false;
    }

    static byte[] gzip(byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }
}
