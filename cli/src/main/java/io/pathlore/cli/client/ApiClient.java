package io.pathlore.cli.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.client.ApiException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Asks one collector, and nobody else: redirects are not followed and proxies not used, so that a token is only ever shown
 * to the server it was meant for. Whatever goes wrong is an {@link ApiException}.
 */
public final class ApiClient implements AutoCloseable {
    private static final int PAGE = 1_000;
    private static final int MAX_PAGES = 1_000;
    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_DETAIL = 200;

    /** How long is waited for a connection, and for a whole answer. */
    public record Patience(Duration connect, Duration answer) {
        public static final Patience DEFAULT = new Patience(Duration.ofSeconds(3), Duration.ofSeconds(10));
    }

    /** Looked for only when the server wants a token and none was given. */
    @FunctionalInterface
    public interface TokenSearch {
        AccessToken find() throws AccessToken.Missing;
    }

    /**
     * What the server said, and when by its own clock.
     *
     * @param serverNanos absent where it did not say
     */
    public record Answer(JsonNode json, @Nullable Long serverNanos) {}

    private final ServerAddress server;
    private final @Nullable AccessToken given;
    private final TokenSearch search;
    private final Patience patience;
    private final HttpClient http;
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private volatile @Nullable AccessToken found;

    /**
     * @param given shown with every request; a token that was only found is shown when the server asks for one
     * @param certificate a file with the one this server has, where that is known
     */
    public ApiClient(
            ServerAddress server,
            @Nullable AccessToken given,
            TokenSearch search,
            @Nullable Path certificate,
            Patience patience) {
        this(server, given, search, trust(server, certificate), patience);
    }

    /** Trusts nobody else than these; a token is shown where one is asked for. */
    public static ApiClient trusting(SSLContext trust, ServerAddress server, TokenSearch search, Patience patience) {
        return new ApiClient(server, null, search, trust, patience);
    }

    private ApiClient(
            ServerAddress server,
            @Nullable AccessToken given,
            TokenSearch search,
            @Nullable SSLContext trust,
            Patience patience) {
        this.server = server;
        this.given = given;
        this.search = search;
        this.patience = patience;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(patience.connect);
        http = (trust == null ? builder : builder.sslContext(trust)).build();
    }

    /** Null: what the system trusts. To read that takes a while, so without TLS nobody is trusted. */
    private static @Nullable SSLContext trust(ServerAddress server, @Nullable Path certificate) {
        if (server.tls()) {
            return certificate == null ? null : ConfiguredCertificate.context(certificate);
        }
        try {
            SSLContext nobody = SSLContext.getInstance("TLS");
            nobody.init(null, new TrustManager[0], null);
            return nobody;
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    public ServerAddress server() {
        return server;
    }

    /** An object with these keys; whoever answers with less is not a collector. */
    public Answer get(String path, String... keys) {
        return object(path, good(new Question(path, null, WHOLE)), keys);
    }

    /** The same, of a question that has a body. What the server forbids is the question, for asking is allowed. */
    public Answer ask(String path, String json, String... keys) {
        return object(path, good(new Question(path, json, WHOLE)), keys);
    }

    /**
     * Writes a file of the server, however large, as it comes.
     *
     * @throws IOException if it cannot be written here
     */
    public void download(String path, OutputStream to) throws IOException {
        HttpHeaders ignored = fetch(path, to);
    }

    /** The same; what is said about it. */
    public HttpHeaders fetch(String path, OutputStream to) throws IOException {
        List<IOException> failures = new ArrayList<>();
        BodyHandler<byte[]> copying = about -> about.statusCode() != 200
                ? WHOLE.apply(about)
                : BodySubscribers.mapping(
                        BodySubscribers.ofByteArrayConsumer(piece -> copy(piece, to, failures)), _ -> new byte[0]);
        try {
            return good(new Question(path, null, copying)).headers();
        } catch (ApiException e) {
            if (!failures.isEmpty()) {
                throw failures.getFirst();
            }
            throw e;
        }
    }

    private static void copy(Optional<byte[]> piece, OutputStream to, List<IOException> failures) {
        try {
            if (piece.isPresent()) {
                to.write(piece.get());
            }
        } catch (IOException e) {
            failures.add(e);
            throw new UncheckedIOException(e);
        }
    }

    private static final BodyHandler<byte[]> WHOLE = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES);

    /** What is sent, with which token ever. */
    private record Question(String path, @Nullable String json, BodyHandler<byte[]> handler) {}

    private HttpResponse<byte[]> good(Question question) {
        AccessToken shown = given != null ? given : found;
        HttpResponse<byte[]> response = send(question, shown);
        String noToken = "";
        if (response.statusCode() == 401 && shown == null && asksForAToken(response)) {
            try {
                found = search.find();
                shown = found;
                response = send(question, shown);
            } catch (AccessToken.Missing e) {
                noToken = String.valueOf(e.getMessage());
            }
        }
        int status = response.statusCode();
        if (status == 401 || status == 403 && question.json == null) {
            throw new ApiException(Kind.NOT_AUTHORISED, notAuthorised(response, shown, noToken));
        }
        if (status != 200 && status != 202) { // done, or asked for
            throw refused(question.path, response);
        }
        return response;
    }

    private Answer object(String path, HttpResponse<byte[]> response, String... keys) {
        JsonNode json = json(response);
        if (json == null || !json.isObject()) {
            throw notACollector(path, "what it answers is not a JSON object");
        }
        for (String key : keys) {
            if (!json.has(key)) {
                throw notACollector(path, "there is no '" + key + "' in its answer");
            }
        }
        return new Answer(json, serverNanos(response));
    }

    /**
     * Items of a list, each an object.
     *
     * @param serverNanos as of {@link Answer}
     * @param last the last page, and what it says of the list
     * @param more true if there are others behind them
     */
    public record Items(List<JsonNode> items, @Nullable Long serverNanos, JsonNode last, boolean more) {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** Follows the list to its end. */
    public Items list(String path) {
        return list(path, Map.of(), Integer.MAX_VALUE);
    }

    /** Follows the list until there are so many, or to its end. */
    public Items list(String path, Map<String, String> parameters, int most) {
        List<JsonNode> items = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String query = query(parameters);
        String next = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            int limit = Math.min(PAGE, most - items.size());
            Answer answer = get(path + "?limit=" + limit + query + next, "items");
            JsonNode json = answer.json();
            for (JsonNode item : json.path("items")) {
                if (!item.isObject()) {
                    throw notACollector(path, "an item of its list is not an object");
                }
                items.add(item);
            }
            String cursor = json.path("next").asText(json.path("cursor").asText());
            if (cursor.isEmpty() || items.size() >= most) {
                return new Items(items, answer.serverNanos(), json, !cursor.isEmpty());
            }
            if (!cursors.add(cursor)) {
                break;
            }
            next = "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        }
        throw notACollector(path, "its list does not end");
    }

    /** Each with {@code &} before it. */
    public static String query(Map<String, String> parameters) {
        StringBuilder query = new StringBuilder();
        parameters.forEach((name, value) ->
                query.append('&').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return query.toString();
    }

    /** What the server tells as it happens, until one of the two closes it. */
    public ServerEvents stream(String path) {
        return stream(path, ServerEvents.MAX_LINE);
    }

    /** The same, of no longer lines. */
    public ServerEvents stream(String path, int maxLine) {
        get("/api/v1/status", "version"); // which finds the token, where one is wanted
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).header("Accept", "text/event-stream");
        AccessToken shown = given != null ? given : found;
        if (shown != null) {
            request.header("Authorization", "Bearer " + shown.secret());
        }
        HttpResponse<InputStream> response = await(http.sendAsync(request.build(), BodyHandlers.ofInputStream()));
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (response.statusCode() == 200 && type.startsWith("text/event-stream")) {
            return new ServerEvents(response.body(), maxLine);
        }
        try {
            response.body().close();
        } catch (IOException e) {
            throw unreachable(e);
        }
        get(path); // says why not
        throw notACollector(path, "it answers " + response.statusCode() + " to who wants a stream");
    }

    /** A stranger who wants a password is not shown a token that nobody meant for him. */
    private static boolean asksForAToken(HttpResponse<byte[]> response) {
        return response.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Bearer realm=\"pathlore\"");
    }

    private HttpResponse<byte[]> send(Question question, @Nullable AccessToken token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(question.path))
                .timeout(patience.answer)
                .header("Accept", "application/json");
        if (question.json != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(question.json));
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token.secret());
        }
        // The time-out of the request ends with the headers; a body may take for ever.
        return await(http.sendAsync(request.build(), question.handler));
    }

    private <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> answer) {
        try {
            return answer.get(patience.answer.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw unreachable(Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        }
    }

    private ApiException unreachable(Throwable failure) {
        return new ApiException(Kind.UNREACHABLE, server + ": " + why(failure));
    }

    private String why(Throwable failure) {
        boolean refused = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return "there is no host of this name";
            }
            if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
                boolean connecting = cause instanceof HttpConnectTimeoutException;
                return "no answer within " + seconds(connecting ? patience.connect : patience.answer);
            }
            if (cause instanceof SSLException) {
                return noTls(String.valueOf(cause.getMessage()));
            }
            refused |= cause instanceof ConnectException;
        }
        if (refused) {
            return "connection refused: nobody listens there";
        }
        String message = failure.getMessage();
        return "no answer" + (message == null ? "" : ": " + message)
                + (server.tls() || !(failure instanceof IOException) ? "" : "; does it want https?");
    }

    private static String noTls(String message) {
        if (message.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
            return "does not speak TLS; does it want http?";
        }
        return "no trust over TLS (" + message + "); a certificate of your own is made known with"
                + " PATHLORE_JAVA_OPTS=-Djavax.net.ssl.trustStore=FILE";
    }

    private static String seconds(Duration time) {
        return time.toMillis() / 1e3 + " s";
    }

    private String notAuthorised(HttpResponse<byte[]> response, @Nullable AccessToken shown, String noToken) {
        StringBuilder text = new StringBuilder(server + ": not authorised: ").append(detail(response));
        if (shown != null) {
            text.append("; the token was that of ").append(shown.file());
            text.append(given != null ? "" : ", --token-file names another");
        } else if (!noToken.isEmpty()) {
            text.append("; no token was found (").append(noToken).append("), --token-file names one");
        }
        return text.toString();
    }

    private ApiException refused(String path, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status >= 300 && status < 400) {
            String to = response.headers().firstValue("Location").orElse("another place");
            return notACollector(path, "it points to " + cut(to) + ", which is not followed");
        }
        // Errors of a collector are problems [RFC 9457]; those of a stranger are pages.
        boolean problem =
                response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem");
        if (!problem) {
            return notACollector(path, "it answers " + status);
        }
        JsonNode json = json(response);
        String place = json == null ? "" : json.path("place").asText("");
        String detail = detail(response);
        return new ApiException(
                Kind.REFUSED, status, server + plain(path) + ": " + status + ": " + detail, detail, place);
    }

    private ApiException notACollector(String path, String why) {
        return new ApiException(
                Kind.NOT_A_COLLECTOR, server + plain(path) + ": does not answer like a collector: " + why);
    }

    /** Without what was asked for, which is long. */
    private static String plain(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    private @Nullable JsonNode json(HttpResponse<byte[]> response) {
        try {
            return mapper.readTree(response.body());
        } catch (IOException e) {
            return null;
        }
    }

    private String detail(HttpResponse<byte[]> response) {
        JsonNode json = json(response);
        String detail = json == null ? "" : json.path("detail").asText("");
        return detail.isEmpty() ? "status " + response.statusCode() : cut(detail);
    }

    private static String cut(String text) {
        return text.length() <= MAX_DETAIL ? text : text.substring(0, MAX_DETAIL) + "…";
    }

    private static @Nullable Long serverNanos(HttpResponse<byte[]> response) {
        String date = response.headers().firstValue("Date").orElse("");
        try {
            return 1_000_000_000L
                    * ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toEpochSecond();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Does not wait for what is under way. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
