package io.pathlore.serve;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP side of the collector. It runs on the JDK's server: a virtual thread per connection that is being read from or
 * written to, none for one that is idle.
 */
public final class ApiServer implements AutoCloseable {
    /** The JDK's server takes its limits from properties, once. What the user set on the command line stays. */
    private static final Map<String, String> JDK_LIMITS = Map.of(
            "jdk.httpserver.maxConnections", "1024",
            "sun.net.httpserver.maxIdleConnections", "256",
            "sun.net.httpserver.maxReqHeaders", "100",
            // Well above our own limit, which is answered; beyond this one the connection is closed.
            "sun.net.httpserver.maxReqHeaderSize", Integer.toString(4 * Front.MAX_HEADER_BYTES),
            // Or every answer waits for the acknowledgement of the last one, 40 ms.
            "sun.net.httpserver.nodelay", "true");

    private static final Duration TLS_CHECK = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

    private final HttpServer server;
    private final Front front;
    private final Router router;
    private final ScheduledThreadPoolExecutor timer;
    private final Work work;
    private final @Nullable TlsFiles tls;

    private ApiServer(
            HttpServer server,
            Front front,
            Router router,
            ScheduledThreadPoolExecutor timer,
            Work work,
            @Nullable TlsFiles tls) {
        this.tls = tls;
        this.server = server;
        this.front = front;
        this.router = router;
        this.timer = timer;
        this.work = work;
    }

    /**
     * Serves the standard routes and {@code more}.
     *
     * @param epochNanos the clock that tokens expire by
     */
    public static ApiServer start(
            HttpOptions options,
            TokenStore tokens,
            Sources sources,
            List<Route> more,
            LongSupplier epochNanos,
            Notices notices)
            throws ServeException {
        checkExposure(options, tokens, notices);
        TlsFiles tls = options.tls() == null ? null : new TlsFiles(options.tls(), notices);
        HttpServer server = bind(options, tls);
        int port = server.getAddress().getPort();

        Set<String> names = new HashSet<>(options.names());
        names.add(Gate.literal(options.address()));
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "pathlore-http-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        AtomicInteger active = new AtomicInteger();
        AtomicInteger streams = new AtomicInteger();
        HttpMetrics metrics = new HttpMetrics(active::get, streams::get);
        Work work = new Work(timer, options.limits(), metrics, active);
        Gate gate = new Gate(tokens, epochNanos, names, tls == null ? null : tls::names, port, notices);
        List<Route> routes = new ArrayList<>(Routes.of(sources, metrics));
        routes.addAll(new SessionRoutes(gate, epochNanos).routes());
        routes.addAll(Page.routes());
        routes.addAll(more);
        routes.addAll(Manual.routes(routes));
        Router router = new Router(routes);
        Front front = new Front(router, gate, metrics, streams, notices, options.limits());
        server.createContext("/", front);
        server.setExecutor(work::run);
        server.start();
        if (tls != null) {
            // In a thread of its own: a disk may hang, and requests have to end in time.
            Future<?> _ = timer.scheduleWithFixedDelay(
                    () -> Thread.ofVirtual().name("pathlore-tls").start(tls::refresh),
                    TLS_CHECK.toMillis(),
                    TLS_CHECK.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
        return new ApiServer(server, front, router, timer, work, tls);
    }

    private static void checkExposure(HttpOptions options, TokenStore tokens, Notices notices) throws ServeException {
        if (options.address().isLoopbackAddress()) {
            return;
        }
        String where = "http.address " + options.address().getHostAddress();
        if (options.insecure()) {
            notices.warn("http is open to the network without protection: " + where + " with http.insecure; "
                    + (options.tls() == null ? "tokens cross the network in clear" : "TLS is on"));
            return;
        }
        boolean none;
        try {
            none = tokens.list().isEmpty();
        } catch (IOException | TokenException e) {
            throw new ServeException(where + ": tokens cannot be read: " + e.getMessage());
        }
        if (none || options.tls() == null) {
            throw new ServeException(where + " is not loopback and there " + (none ? "are no tokens" : "is no TLS")
                    + ": set http.tls, or http.address 127.0.0.1, or http.insecure: true if the network is trusted");
        }
    }

    private static HttpServer bind(HttpOptions options, @Nullable TlsFiles tls) throws ServeException {
        JDK_LIMITS.forEach((key, value) -> {
            if (System.getProperty(key) == null) {
                System.setProperty(key, value);
            }
        });
        InetSocketAddress address = new InetSocketAddress(options.address(), options.port());
        String where =
                "http port " + options.port() + " on " + options.address().getHostAddress();
        try {
            int backlog = options.limits().backlog();
            if (tls == null) {
                return HttpServer.create(address, backlog);
            }
            HttpsServer server = HttpsServer.create(address, backlog);
            server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
            return server;
        } catch (BindException e) {
            String message = String.valueOf(e.getMessage());
            if (message.contains("in use")) {
                throw new ServeException(
                        where + " is in use: stop the other program (ss -ltnp shows it) or set http.port");
            }
            throw new ServeException(
                    where + " cannot be bound (" + message + "): set http.address to one of this machine");
        } catch (SocketException e) {
            throw new ServeException(
                    where + " cannot be bound (" + e.getMessage() + "): ports under 1024 need rights; set http.port");
        } catch (IOException e) {
            throw new ServeException(where + " cannot be bound: " + e.getMessage());
        }
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** The page, by the address it listens on. */
    public String url() {
        String host = address().getAddress().getHostAddress();
        return (tls == null ? "http" : "https") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address().getPort() + "/";
    }

    /** Looks at the files of TLS now, and not within the next seconds. */
    public void refreshTls() {
        if (tls != null) {
            tls.refresh();
        }
    }

    /** The whole table, for documentation and tests. */
    public List<Route> routes() {
        return router.routes();
    }

    /** Answers what has begun, refuses what comes, and after {@code deadline} closes what is left. */
    public void stop(Duration deadline) {
        front.stop();
        work.await(deadline);
        server.stop(0);
        work.interruptAll();
        timer.shutdownNow();
    }

    @Override
    public void close() {
        stop(CLOSE_TIME);
    }

    /** Runs exchanges, each in a thread and with a lease of its own. */
    private static final class Work {
        private final ScheduledThreadPoolExecutor timer;
        private final HttpOptions.Limits limits;
        private final HttpMetrics metrics;
        private final AtomicInteger active;
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final Phaser phaser = new Phaser(1);

        Work(ScheduledThreadPoolExecutor timer, HttpOptions.Limits limits, HttpMetrics metrics, AtomicInteger active) {
            this.timer = timer;
            this.limits = limits;
            this.metrics = metrics;
            this.active = active;
        }

        void run(Runnable exchange) {
            if (active.incrementAndGet() > limits.connections()) {
                active.decrementAndGet();
                metrics.refusedConnection();
                throw new RejectedExecutionException("too many connections"); // which the server takes for: close it
            }
            phaser.register();
            Thread.ofVirtual().name("pathlore-http").start(() -> {
                Lease lease = new Lease(timer, Thread.currentThread(), metrics::timeout);
                threads.add(Thread.currentThread());
                lease.renew(limits.requestTime());
                try {
                    ScopedValue.where(Lease.CURRENT, lease).run(exchange);
                } finally {
                    lease.suspend();
                    threads.remove(Thread.currentThread());
                    active.decrementAndGet();
                    phaser.arriveAndDeregister();
                }
            });
        }

        void await(Duration deadline) {
            int phase = phaser.arrive();
            try {
                phaser.awaitAdvanceInterruptibly(phase, deadline.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // what is left is closed
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void interruptAll() {
            threads.forEach(Thread::interrupt);
        }
    }
}
