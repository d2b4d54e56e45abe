package io.pathlore.cli.service;

import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Service;
import io.pathlore.model.TimeText;
import io.pathlore.serve.ApiServer;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Route;
import io.pathlore.serve.ServeException;
import io.pathlore.serve.Sources;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.serve.metrics.JvmMetrics;
import io.pathlore.store.tables.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The API and the page of a collector without one: over what a collector left when it stopped, or what others publish on Kafka. Nothing is received,
 * nothing is defended, and nobody is told of anything.
 */
public final class ServingProcess implements Shown, AutoCloseable {
    private static final Duration HTTP_STOP = Duration.ofSeconds(2);
    private static final double NANOS = 1e9;

    private final Service service;
    private final Origin origin;
    private final Tables tables;
    private final EventBook events;
    private final TokenStore tokens;
    private final String version;
    private final Notes notes;
    private final long startedNanos = CollectorProcess.epochNanos();
    private final JvmMetrics jvm = new JvmMetrics();
    private final ReportRoutes reports;
    private final Edges edges;
    private final EdgeReportRoutes ofEdges;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable ApiServer server;

    private ServingProcess(
            Service service,
            Origin origin,
            Tables tables,
            EventBook events,
            TokenStore tokens,
            String version,
            Notes notes) {
        this.service = service;
        this.origin = origin;
        this.tables = tables;
        this.events = events;
        this.tokens = tokens;
        this.version = version;
        this.notes = notes;
        reports = new ReportRoutes(this);
        edges = new Edges(service.kafka() == null ? List.of() : service.edges(), notes);
        ofEdges = new EdgeReportRoutes(this, edges);
    }

    /** Begins to answer. */
    public static ServingProcess start(Service asConfigured, String version, Notes notes) throws ServiceException {
        Service.Kafka kafka = asConfigured.kafka();
        Service service = kafka == null ? keepingAll(asConfigured) : withTables(asConfigured);
        StoppedData data = null;
        if (kafka == null) {
            data = StoppedData.take(service, notes);
        } else {
            KafkaIn.requireOwn(service);
        }
        Origin origin = data;
        Tables tables = null;
        ServingProcess process = null;
        boolean done = false;
        try {
            TokenStore tokens = CollectorProcess.tokens(service.data());
            tables = Tables.start(service, MemoryPlan.ofRecording(service, notes::warn), notes);
            TableStore store = opened(service, tables);
            if (data != null) {
                data.read(tables);
            }
            EventBook events = new EventBook(DropReasons.of(service.config().inventory()));
            events.restore(TableFiller.stored(store, notes));
            if (kafka != null) {
                origin = KafkaIn.start(service, kafka, tables, events, notes);
            }
            process =
                    new ServingProcess(service, Objects.requireNonNull(origin), tables, events, tokens, version, notes);
            process.answer();
            done = true;
            return process;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        } finally {
            if (!done) {
                close(process, origin, tables);
            }
        }
    }

    private static TableStore opened(Service service, Tables tables) throws ServiceException {
        try {
            return tables.await();
        } catch (ServiceException e) {
            // A collector without a journal has no other lock.
            throw String.valueOf(e.getMessage()).contains("lock") ? StoppedData.inUse(service.data(), "", e) : e;
        }
    }

    private static void close(@Nullable ServingProcess process, @Nullable Origin origin, @Nullable Tables tables) {
        if (process != null) {
            process.close();
            return;
        }
        if (origin != null) {
            origin.stop();
        }
        if (tables != null) {
            tables.close();
        }
        if (origin != null) {
            origin.close();
        }
    }

    /** What is over does not grow old. */
    private static Service keepingAll(Service service) {
        return service.with(new Service.Storing(
                true,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                service.store().memoryBytes()));
    }

    /** Without them there is nothing to serve. */
    private static Service withTables(Service service) {
        Service.Storing as = service.store();
        return service.with(new Service.Storing(true, as.seconds(), as.minutes(), as.events(), as.memoryBytes()));
    }

    private void answer() throws ServiceException {
        try {
            server = ApiServer.start(
                    service.http(),
                    tokens,
                    new Sources(
                            this::statusJson,
                            () -> {
                                throw new Problem(404, "there is no ledger: nothing is received here");
                            },
                            page -> StoredExporters.page(
                                    tables, service.config().inventory(), page),
                            this::checks,
                            out -> {
                                tables.write(out);
                                origin.write(out);
                                edges.write(out);
                                jvm.write(out);
                            }),
                    routes(),
                    CollectorProcess::epochNanos,
                    notes);
        } catch (ServeException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
        edges.start();
        notes.info(origin.greeting());
        notes.info("open " + url() + " admin token in " + tokens.adminFile());
    }

    /** Where it answers. */
    public String url() {
        return server == null ? "" : server.url();
    }

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>(
                ReadRoutes.of(this, tables, events, edges.all().isEmpty() ? reports.ofThePast() : ofEdges.routes()));
        routes.addAll(new SettingsRoutes(() -> service, List::of, tokens, null).routes());
        // Nothing is done about attacks here. Who asks, as the page does, is told so.
        routes.add(Route.get(
                        "/api/v1/mitigations",
                        Role.VIEWER,
                        request -> Reply.json(200, "{\"items\":[],\"mode\":\"observe\",\"orphans\":[]}"))
                .is(Operation.of("Attacks", "What is done about attacks: nothing, by who only serves")
                        .takes(Parameter.LIMIT, Parameter.CURSOR)
                        .answers("MitigationList")));
        return routes;
    }

    private String statusJson() {
        JsonText json = new JsonText().open('{');
        json.name("version").value(version);
        json.name("startedAt").value(TimeText.of(startedNanos));
        json.name("uptimeSeconds").value((CollectorProcess.epochNanos() - startedNanos) / NANOS);
        json.name("synthetic").value(false);
        json.name("serves").value(service.data().toString());
        Path journal = kept();
        json.name("journal").open('{').name("enabled").value(journal != null);
        if (journal != null) {
            json.name("directory").value(journal.toString());
            json.name("state").value("ok");
        }
        json.close('}');
        tables.status(json);
        origin.status(json);
        if (service.kafka() != null) {
            edges.status(json);
        }
        json.name("warnings").open('[');
        notes.warnings().forEach(json::value);
        return json.close(']').close('}').toString();
    }

    private List<Sources.Check> checks() {
        List<Sources.Check> checks = new ArrayList<>(origin.checks());
        Sources.Check store = tables.check();
        if (store != null) {
            checks.add(store);
        }
        return checks;
    }

    @Override
    public Service service() {
        return service;
    }

    @Override
    public @Nullable Path kept() {
        return origin.kept();
    }

    @Override
    public String whyNothingIsKept() {
        return service.kafka() == null
                ? "there are no reports here: the collector kept no journal"
                : "there are no reports here: events and rollups come from Kafka, reports are with the collectors;"
                        + " name those in edges of the configuration";
    }

    @Override
    public long nowNanos() {
        return origin.nowNanos();
    }

    @Override
    public Notes notes() {
        return notes;
    }

    /** Until {@link #stop}. */
    public void await() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From any thread. */
    public void stop() {
        stopped.countDown();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(HTTP_STOP);
        }
        reports.close();
        ofEdges.close();
        edges.close();
        origin.stop();
        events.close();
        tables.close();
        origin.close();
        jvm.close();
    }
}
