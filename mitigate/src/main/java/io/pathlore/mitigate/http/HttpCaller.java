package io.pathlore.mitigate.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Sends JSON and hears a status. The answer's body is not read: nobody here believes it, and it may be of any size or never end.
 * Redirects are not followed, since the address was chosen with care.
 */
public final class HttpCaller implements AutoCloseable {
    private final HttpClient client;
    private final Duration timeout;

    public HttpCaller(Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    /**
     * The status of the answer.
     *
     * @throws IOException with a message of one line if there was none in time
     */
    public int send(String method, URI to, String json, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(to)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json, StandardCharsets.UTF_8));
        headers.forEach(request::header);
        String where = to.getHost() + ":" + to.getPort();
        try {
            HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
            answer.body().close();
            return answer.statusCode();
        } catch (HttpConnectTimeoutException e) {
            throw new IOException(where + " does not answer", e);
        } catch (HttpTimeoutException e) {
            throw new IOException(where + " gave no answer within " + timeout.toMillis() + " ms", e);
        } catch (ConnectException e) {
            throw new IOException(where + " refuses the connection", e);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException(where + ": " + why, e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
