package io.pathlore.dataplane.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pathlore.dataplane.scenario.AttackTable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The SDN controller of the Transparent Security reference in front of a lab: {@code POST} and {@code DELETE /aggAttack}, no
 * authentication, and the answer is yes whatever becomes of it. Calls wait in a bounded queue until the lab comes by between two steps of its
 * time; what finds no room is lost, as everything is that the reference cannot do.
 */
public final class AttackController implements AutoCloseable {
    private static final int WAITING = 1024;
    private static final int LARGEST_BODY = 64 << 10;
    private static final int CREATED = 201;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final String YES = "\"{\\\"success\\\": true}\"\n";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<AttackCall> calls = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong heard = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    public AttackController(InetSocketAddress at) throws IOException {
        server = HttpServer.create(at, 0);
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Does what was asked for since the last time. For the thread of the lab. */
    public void apply(AttackTable table) {
        for (AttackCall call = calls.poll(); call != null; call = calls.poll()) {
            call.on(table);
        }
    }

    /** Calls that were answered with yes. */
    public long heard() {
        return heard.get();
    }

    /** Calls that asked for nothing that can be done, or found no room. */
    public long lost() {
        return lost.get();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean install = exchange.getRequestMethod().equals("POST");
            if (!exchange.getRequestURI().getPath().equals("/aggAttack")) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
                return;
            }
            if (!install && !exchange.getRequestMethod().equals("DELETE")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, -1);
                return;
            }
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
            Map<String, Object> event = EventBody.read(new String(body, StandardCharsets.UTF_8));
            if (event == null) {
                exchange.sendResponseHeaders(BAD_REQUEST, -1);
                return;
            }
            AttackCall call = AttackCall.of(install, event);
            if (call == null || !calls.offer(call)) {
                lost.incrementAndGet();
            }
            heard.incrementAndGet();
            byte[] yes = YES.getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(CREATED, yes.length);
            exchange.getResponseBody().write(yes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
