package io.pathlore.it.defend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Stands before a controller, hands on what it is told, and remembers it. */
final class Relay implements AutoCloseable {
    private final HttpServer server;
    private final String controller;
    private final List<String> calls = new ArrayList<>();

    Relay(String controller) throws IOException {
        this.controller = controller;
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Method, path and body of each call, in order. */
    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    List<String> calls(String method) {
        return calls().stream().filter(call -> call.startsWith(method + " ")).toList();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            synchronized (this) {
                calls.add(exchange.getRequestMethod() + " " + path + " " + new String(body, StandardCharsets.UTF_8));
            }
            var connection =
                    (HttpURLConnection) URI.create(controller + path).toURL().openConnection();
            connection.setRequestMethod(exchange.getRequestMethod());
            connection.setDoOutput(true);
            connection.getOutputStream().write(body);
            int status = connection.getResponseCode();
            byte[] answer = status < 400 ? connection.getInputStream().readAllBytes() : new byte[0];
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
