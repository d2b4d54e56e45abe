package io.pathlore.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Some HTTP server that is no collector, or plays one; it keeps what it was shown. */
public final class Stranger implements AutoCloseable {
    /** What is answered to a request. */
    @FunctionalInterface
    public interface Manners {
        void answer(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final List<String> tokens = new CopyOnWriteArrayList<>();

    public Stranger(Manners manners) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 4);
        server.createContext("/", exchange -> {
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            manners.answer(exchange);
        });
        server.start();
    }

    /** Answers everything alike. */
    public static Stranger saying(int status, String type, String body) throws IOException {
        return new Stranger(exchange -> send(exchange, status, type, body));
    }

    public static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** The Authorization of each request, "null" where there was none. */
    public List<String> tokens() {
        return tokens;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
