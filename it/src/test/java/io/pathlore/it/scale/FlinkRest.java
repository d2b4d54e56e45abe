package io.pathlore.it.scale;

import io.pathlore.testkit.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** What a JobManager answers over HTTP. */
final class FlinkRest implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String BOUNDARY = "pathlore-job-jar";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    FlinkRest(int port) {
        this.port = port;
    }

    Map<String, Object> get(String path) throws IOException {
        return ask(request(path).GET());
    }

    Map<String, Object> post(String path, Map<String, ?> body) throws IOException {
        return ask(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.canonical(body))));
    }

    /** The id under which the cluster keeps it. */
    String upload(Path jar) throws IOException {
        BodyPublisher body = BodyPublishers.concat(
                BodyPublishers.ofString(
                        "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                                + jar.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n"),
                BodyPublishers.ofFile(jar),
                BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
        Map<String, Object> answer = ask(request("/jars/upload")
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(body));
        return Path.of(String.valueOf(answer.get("filename"))).getFileName().toString();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
    }

    private Map<String, Object> ask(HttpRequest.Builder builder) throws IOException {
        HttpRequest request = builder.build();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                // What went wrong comes as text with line ends and tabs written as such.
                throw new IOException(request.method() + " " + request.uri() + ": " + answer.statusCode() + " "
                        + answer.body().replace("\\n", "\n").replace("\\t", "\t"));
            }
            return Json.object(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
