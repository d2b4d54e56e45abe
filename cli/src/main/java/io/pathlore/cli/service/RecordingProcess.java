package io.pathlore.cli.service;

import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Service;
import io.pathlore.model.TimeText;
import io.pathlore.serve.ApiServer;
import io.pathlore.serve.HttpOptions;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.ServeException;
import io.pathlore.serve.Sources;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.serve.metrics.JvmMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recording and the page over it: the API of a collector, about what is over. First the datagrams go into {@link #recording}, then
 * it is shown. Nothing can be changed through it, and nobody is told of anything.
 */
public final class RecordingProcess implements Shown, AutoCloseable {
    private static final Duration HTTP_STOP = Duration.ofSeconds(2);
    private static final long SECOND = 1_000_000_000L;

    private final Service service;
    private final Notes notes;
    private final @Nullable Path found;
    private @Nullable JournalKeeper journal;
    private final Tables tables;
    private final EventBook events;
    private final JvmMetrics jvm = new JvmMetrics();
    private final ReportRoutes reports;
    private @Nullable ApiServer server;

    // What was recorded. Set before anybody can ask.
    private String name = "";
    private String version = "";
    private long fromNanos;
    private long toNanos;
    private String ledger = "{}";
    private long flows;
    private long flowsEvicted;
    private long journalBytes;
    private List<ExporterRows.ExporterRow> exporters = List.of();

    private RecordingProcess(
            Service service, @Nullable Path found, @Nullable JournalKeeper journal, Tables tables, Notes notes) {
        this.service = service;
        this.found = found;
        this.journal = journal;
        this.tables = tables;
        this.notes = notes;
        events = new EventBook(DropReasons.of(service.config().inventory()));
        reports = new ReportRoutes(this);
    }

    /**
     * Makes what it is kept in.
     *
     * @param asConfigured but for where things are kept, how long, and who may ask
     * @param directory that is empty, and that whoever made it removes
     * @param found the journal that is read; null: the datagrams of something else are kept here
     * @param port that it is shown on, to this machine only
     */
    public static RecordingProcess open(
            Service asConfigured, Path directory, @Nullable Path found, InetAddress address, int port, Notes notes)
            throws ServiceException {
        Service service = kept(asConfigured, directory, address, port);
        MemoryPlan plan = MemoryPlan.ofRecording(service, notes::warn);
        JournalKeeper journal =
                found != null ? null : JournalKeeper.open(service, plan, CollectorProcess::epochNanos, notes);
        Tables tables = Tables.start(service, plan, notes);
        RecordingProcess process = new RecordingProcess(service, found, journal, tables, notes);
        if (journal != null) {
            journal.begin();
        }
        boolean done = false;
        try {
            tables.await();
            done = true;
            return process;
        } finally {
            if (!done) {
                process.close();
            }
        }
    }

    /** All of it, for ever: whatever the time of the recording is, it is over. */
    private static Service kept(Service service, Path directory, InetAddress address, int port) {
        Service.Journalling journal = service.journal();
        return new Service(
                service.config(),
                directory,
                service.memoryBytes(),
                service.listen(),
                new Service.Journalling(true, journal.sync(), journal.segmentBytes(), Duration.ZERO, 0),
                new Service.Storing(
                        true,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        service.store().memoryBytes()),
                service.analysis(),
                service.defend(),
                new HttpOptions(address, port, null, false, Set.of(), HttpOptions.Limits.DEFAULT),
                null,
                List.of(),
                service.origins());
    }

    /** Where rows go that are to be shown. */
    public RowSink rows() throws ServiceException {
        return new TableFiller.Patient(tables.await());
    }

    /** Takes the datagrams. {@code told} hears what happened too; {@code rows} pass them on to {@link #rows()}. */
    public Recording recording(EventSink told, RowSink rows) {
        return new Recording(
                service,
                notes,
                new EventSink() {
                    @Override
                    public void on(Event event) {
                        EventBook.Entry _ = events.add(event);
                        told.on(event);
                    }

                    @Override
                    public void on(Burst burst) {
                        told.on(burst);
                    }
                },
                rows,
                journal);
    }

    /**
     * Shows what was recorded, once all of it is in the tables.
     *
     * @param recording that has ended
     * @param of the name of it
     * @return the address of the page
     */
    public String show(Recording recording, String of, long firstNanos, long lastNanos, String ofProgram)
            throws ServiceException {
        name = of;
        version = ofProgram;
        fromNanos = Math.floorDiv(firstNanos, SECOND) * SECOND;
        toNanos = (Math.floorDiv(lastNanos, SECOND) + 1) * SECOND;
        flows = recording.flows();
        flowsEvicted = recording.flowsEvicted();
        exporters = recording.exporters();
        closeJournal();
        ledger = recording.ledger().toJson();
        tables.awaitStored(lastNanos);
        try {
            TokenStore tokens = TokenStore.open(service.data(), CollectorProcess.epochNanos());
            ApiServer started = ApiServer.start(
                    service.http(),
                    tokens,
                    new Sources(
                            this::statusJson,
                            () -> ledger,
                            page -> ExporterRows.page(exporters, page),
                            this::checks,
                            jvm),
                    ReadRoutes.of(this, tables, events, reports.ofThePast()),
                    CollectorProcess::epochNanos,
                    notes);
            server = started;
            return "http://" + started.address().getAddress().getHostAddress() + ":"
                    + started.address().getPort() + "/";
        } catch (ServeException | IOException | TokenException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    private String statusJson() {
        JsonText json = new JsonText().open('{');
        json.name("version").value(version);
        json.name("synthetic").value(false);
        json.name("recording").open('{');
        json.name("name").value(name);
        json.name("from").value(TimeText.of(fromNanos));
        json.name("to").value(TimeText.of(toNanos)).close('}');
        json.name("journal").open('{').name("enabled").value(true);
        json.name("directory").value(String.valueOf(kept()));
        json.name("state").value("ok");
        if (found == null) {
            json.name("bytes").value(journalBytes);
        }
        json.close('}');
        tables.status(json);
        json.name("engine").open('{');
        json.name("flows").value(flows);
        json.name("flowsEvicted").value(flowsEvicted).close('}');
        json.name("warnings").open('[');
        notes.warnings().forEach(json::value);
        return json.close(']').close('}').toString();
    }

    private List<Sources.Check> checks() {
        Sources.Check store = tables.check();
        return store == null ? List.of() : List.of(store);
    }

    @Override
    public Service service() {
        return service;
    }

    @Override
    public Path kept() {
        return found == null ? service.journalDirectory() : found;
    }

    @Override
    public long nowNanos() {
        return toNanos;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(HTTP_STOP);
        }
        reports.close();
        events.close();
        closeJournal();
        tables.close();
        jvm.close();
    }

    private void closeJournal() {
        JournalKeeper last = journal;
        if (last != null) {
            last.close();
            journalBytes = last.counts().bytes();
            journal = null;
        }
    }
}
