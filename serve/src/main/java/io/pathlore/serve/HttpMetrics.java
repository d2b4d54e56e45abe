package io.pathlore.serve;

import io.pathlore.serve.metrics.Buckets;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** What the server counts about itself. Labels are routes of the table and status codes: closed sets. */
final class HttpMetrics implements MetricSource {
    private record Key(String route, int status) {}

    private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();
    private final Buckets seconds = new Buckets(0.001, 0.005, 0.02, 0.1, 0.5, 2, 10);
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final IntSupplier connections;
    private final IntSupplier streams;

    HttpMetrics(IntSupplier connections, IntSupplier streams) {
        this.connections = connections;
        this.streams = streams;
    }

    /** {@code route} is the path of the table, or "other". */
    void request(String route, int status, double tookSeconds) {
        requests.computeIfAbsent(new Key(route, status), key -> new LongAdder()).increment();
        seconds.add(tookSeconds);
    }

    void timeout() {
        timeouts.increment();
    }

    void refusedConnection() {
        refused.increment();
    }

    @Override
    public void write(MetricWriter out) {
        MetricWriter.Family family =
                out.counter("pathlore_http_requests_total", "Requests answered.", "route", "status");
        requests.forEach((key, count) -> family.value(count.sum(), key.route, Integer.toString(key.status)));
        seconds.write(out, "pathlore_http_request_seconds", "From the end of the request's header to the answer.");
        out.counter("pathlore_http_timeouts_total", "Connections closed because the client was too slow.")
                .value(timeouts.sum());
        out.counter("pathlore_http_connections_refused_total", "Connections closed because there were too many.")
                .value(refused.sum());
        out.gauge("pathlore_http_connections_active", "Connections being read from or written to.")
                .value((long) connections.getAsInt());
        out.gauge("pathlore_http_streams", "Clients of event streams.").value((long) streams.getAsInt());
    }
}
