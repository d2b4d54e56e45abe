package io.pathlore.it.collect;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The HTTP side of a collector on this machine. */
public final class Api {
    private static final int PATIENCE_MILLIS = 20_000;

    private final int port;

    public record Answer(int status, String body) {}

    Api(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    public Answer get(String path) throws IOException {
        return ask("GET", path, null, null);
    }

    Answer post(String path, String token) throws IOException {
        return post(path, token, null);
    }

    public Answer post(String path, String token, @Nullable String json) throws IOException {
        return ask("POST", path, token, json);
    }

    /** Rows as the collector writes them. */
    public String query(String sql) throws IOException {
        Answer answer = ask("POST", "/api/v1/query", null, "{\"sql\":\"" + sql + "\"}");
        if (answer.status != 200) {
            throw new IOException(answer.toString());
        }
        return answer.body;
    }

    private Answer ask(String method, String path, @Nullable String token, @Nullable String json) throws IOException {
        var connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        if (token != null) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        if (json != null) {
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    Reading ledger() throws IOException {
        return Reading.ofJson(good("/api/v1/ledger"));
    }

    Reading metrics() throws IOException {
        return Reading.ofMetrics(good("/metrics"));
    }

    /** An answer that has to be there. */
    public String good(String path) throws IOException {
        Answer answer = get(path);
        if (answer.status != 200) {
            throw new IOException(path + ": " + answer);
        }
        return answer.body;
    }
}
