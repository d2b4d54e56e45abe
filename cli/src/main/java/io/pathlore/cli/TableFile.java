package io.pathlore.cli;

import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.model.TimeText;
import io.pathlore.store.tables.Table;
import io.pathlore.store.tables.TableExport.Format;
import io.pathlore.store.tables.TableReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A table as a file: from a collector that runs, or from the data of one that does not. */
final class TableFile {
    /** The server writes it first, which takes as long as it takes. */
    private static final ApiClient.Patience PATIENCE =
            new ApiClient.Patience(ApiClient.Patience.DEFAULT.connect(), Duration.ofHours(1));

    private final Table table;
    private final TimeSpan span;
    private final ServerOptions server;
    private final CommandSpec spec;
    private final Surroundings around;

    TableFile(Table table, TimeSpan span, ServerOptions server, CommandSpec spec, Surroundings around) {
        this.table = table;
        this.span = span;
        this.server = server;
        this.spec = spec;
        this.around = around;
    }

    /** @param from the data of a collector that does not run; null asks the one that does */
    int write(String name, boolean force, @Nullable String from) {
        Format format = Format.of(Path.of(name));
        if (format == null) {
            throw InputOptions.misused(
                    spec, "--out " + name + ": of a table it has to end in .parquet, .csv or .jsonl");
        }
        Path out = around.directory().resolve(name);
        if (Files.exists(out) && !force) {
            throw new Failure(name + ": is there already; --force replaces it");
        }
        if (from != null) {
            try (TableReader reader = StoppedTables.open(around.directory().resolve(from), "--from")) {
                export(reader, name, out);
            } catch (IOException e) {
                throw Failure.cannotWrite(name, e);
            }
            return told(name, out);
        }
        try (ApiClient client = server.client(spec, around, PATIENCE)) {
            download(client, format, name, out, force);
        } catch (ApiException e) {
            Path stopped = e.kind() == ApiException.Kind.UNREACHABLE && !server.named()
                    ? StoppedTables.find(server.service(around).data())
                    : null;
            if (stopped == null) {
                throw e;
            }
            try (TableReader reader = StoppedTables.open(stopped)) {
                export(reader, name, out);
            } catch (IOException failure) {
                throw Failure.cannotWrite(name, failure);
            }
        }
        return told(name, out);
    }

    private int told(String name, Path out) {
        try {
            spec.commandLine()
                    .getErr()
                    .println(String.format(Locale.ROOT, "%s: %s, %,d octets", name, table.label(), Files.size(out)));
        } catch (IOException e) {
            // It was there a moment ago, and somebody took it: all the same it was written.
        }
        return ExitCode.OK;
    }

    private void export(TableReader reader, String name, Path out) {
        try {
            reader.export(table, Math.max(0, span.since()), span.until(), out);
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
    }

    private void download(ApiClient client, Format format, String name, Path out, boolean force) {
        try (WholeFile file = WholeFile.create(out, force);
                var _ = around.interruption().onInterrupt(client::close)) {
            client.download(path(format), file.stream());
            file.complete();
        } catch (FileAlreadyExistsException e) {
            throw new Failure(name + ": is there already; --force replaces it");
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
    }

    private String path(Format format) {
        StringBuilder path = new StringBuilder("/api/v1/export/")
                .append(table.label())
                .append("?format=")
                .append(format.label());
        if (span.since() > 0) {
            path.append("&since=").append(URLEncoder.encode(TimeText.of(span.since()), StandardCharsets.UTF_8));
        }
        if (span.until() != Long.MAX_VALUE) {
            path.append("&until=").append(URLEncoder.encode(TimeText.of(span.until()), StandardCharsets.UTF_8));
        }
        return path.toString();
    }
}
