package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.client.AccessToken;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.client.Authority;
import io.pathlore.cli.client.ServerEvents;
import io.pathlore.cli.config.EdgeSetting;
import io.pathlore.serve.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A collector elsewhere that is asked over its own API, at the address that the operator gave and at no other. What it answers is bounded, and
 * is data. Any thread.
 */
final class Edge implements AutoCloseable {
    private static final int STATUS_BYTES = 1 << 20;
    private static final int MAX_LINE = 1 << 20;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final EdgeSetting setting;
    private final Notes notes;
    private @Nullable ApiClient client;
    private volatile boolean asked;
    private volatile String trouble = "";
    private volatile String version = "";

    Edge(EdgeSetting setting, Notes notes) {
        this.setting = setting;
        this.notes = notes;
    }

    String name() {
        return setting.name();
    }

    /** What it answers, up to so many octets. */
    byte[] ask(String path, int most) throws EdgeException {
        ApiClient to = client();
        Bounded bytes = new Bounded(most);
        try {
            to.download(path, bytes);
            reached();
            return bytes.bytes.toByteArray();
        } catch (ApiException e) {
            throw failed(to, e);
        } catch (IOException e) {
            reached();
            throw EdgeException.tooMuch(most);
        }
    }

    /** What it answers, as text that is some JSON. */
    String askText(String path, int most) throws EdgeException {
        return new String(ask(path, most), StandardCharsets.UTF_8);
    }

    JsonNode askJson(String path, int most) throws EdgeException {
        try {
            JsonNode json = MAPPER.readTree(askText(path, most));
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            // as below
        }
        throw strange("what it answers is not a JSON object");
    }

    /** What it tells, until one of the two closes it. */
    ServerEvents stream(String path) throws EdgeException {
        ApiClient to = client();
        try {
            ServerEvents events = to.stream(path, MAX_LINE);
            reached();
            return events;
        } catch (ApiException e) {
            throw failed(to, e);
        }
    }

    /** Asks how it is. */
    void look() {
        try {
            JsonNode status = askJson("/api/v1/status", STATUS_BYTES);
            version = status.path("version").asText("");
            if (status.has("serves") || !status.has("journal")) {
                fails("receives nothing itself: name the collectors");
            } else if (!status.path("journal").path("enabled").asBoolean()) {
                fails("keeps no reports: journal.enabled is false there");
            }
        } catch (EdgeException e) {
            fails(e.why());
        }
    }

    EdgeException strange(String why) {
        return new EdgeException("does not answer like a collector: " + why);
    }

    private synchronized ApiClient client() throws EdgeException {
        ApiClient there = client;
        if (there == null) {
            ApiClient.Patience patience = new ApiClient.Patience(setting.timeout(), setting.timeout());
            Path authority = setting.authority();
            try {
                there = authority == null
                        ? new ApiClient(setting.server(), null, this::token, (Path) null, patience)
                        : ApiClient.trusting(Authority.context(authority), setting.server(), this::token, patience);
            } catch (IOException e) {
                fails("ca " + e.getMessage());
                throw new EdgeException(trouble);
            }
            client = there;
        }
        return there;
    }

    private AccessToken token() throws AccessToken.Missing {
        Path file = setting.tokenFile();
        if (file == null) {
            throw new AccessToken.Missing("token-file of this edge names none");
        }
        return AccessToken.read(file);
    }

    private EdgeException failed(ApiClient to, ApiException failure) {
        String message = String.valueOf(failure.getMessage());
        EdgeException told = switch (failure.kind()) {
            case REFUSED -> new EdgeException(message, failure.status());
            case NOT_AUTHORISED -> {
                // Another token may be in the file by the next time.
                forget(to);
                yield new EdgeException(before(before(message, "; the token was"), "; no token was found")
                        + (setting.tokenFile() == null
                                ? "; token-file names none"
                                : "; token-file is " + setting.tokenFile()));
            }
            case UNREACHABLE -> {
                if (setting.server().tls()) {
                    forget(to);
                }
                yield new EdgeException(before(message, "; a certificate of your own")
                        + (message.contains("over TLS") ? "; ca of this edge names whom to trust" : ""));
            }
            case NOT_A_COLLECTOR -> new EdgeException(message);
        };
        if (failure.kind() == ApiException.Kind.REFUSED) {
            asked = true; // it answers, which is not to say that all is well
        } else {
            fails(told.why());
        }
        return told;
    }

    private static String before(String text, String mark) {
        int at = text.indexOf(mark);
        return at < 0 ? text : text.substring(0, at);
    }

    private synchronized void forget(ApiClient former) {
        if (client == former) {
            client = null;
            former.close();
        }
    }

    private void reached() {
        asked = true;
        trouble = "";
    }

    private void fails(String why) {
        asked = true;
        trouble = why;
        notes.warn("edge-" + name(), "edge " + name() + ": " + why + "; its reports cannot be shown");
    }

    boolean isUp() {
        return asked && trouble.isEmpty();
    }

    void status(JsonText json) {
        String why = trouble;
        json.open('{').name("name").value(name());
        json.name("url").value(setting.server().toString());
        json.name("state").value(!asked ? "connecting" : why.isEmpty() ? "ok" : "error");
        if (!why.isEmpty()) {
            json.name("detail").value(why);
        }
        if (!version.isEmpty()) {
            json.name("version").value(version);
        }
        json.close('}');
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
    }

    /** Takes so many octets. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            if (length > most - bytes.size()) {
                throw new IOException("too much");
            }
            bytes.write(from, offset, length);
        }
    }
}
