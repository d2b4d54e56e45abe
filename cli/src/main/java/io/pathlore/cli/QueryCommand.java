package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.store.tables.Answer;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.TableReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "query",
        header = {
            "Ask the tables of a collector in SQL.",
            "",
            "Examples:",
            "  pathlore query 'SELECT kind, count(*) AS n FROM events GROUP BY kind ORDER BY n DESC'",
            "  pathlore query 'SELECT node, interface, max(latency_p99) AS worst FROM hops_1m",
            "                  GROUP BY ALL ORDER BY worst DESC LIMIT 10'",
            "  pathlore query 'DESCRIBE flows_1m'",
            "  pathlore query -o csv --file top-flows.sql > flows.csv",
            "  pathlore query --store /mnt/backup/pathlore 'SHOW TABLES'     of a collector that does not run",
            "  pathlore query --tables                                       what there is",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore query [OPTIONS] SQL|-",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when there are no rows",
            "1:no answer: it takes too much, the tables are busy or cannot be read; or it is no collector",
            "2:wrong usage or configuration; it is not SQL, or would do more than ask",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = {
            "Tables: hops_1s, hops_1m, flows_1m, links_1m, drops_1s, exporters_1m, paths, nodes, episodes, events,",
            "attacks_1s, stopped; attacks is a view of events. Times are UTC, latencies nanoseconds, NULL is unknown. The SQL is DuckDB's.",
            "The running collector is asked; where none answers and none was named, its tables are read."
        })
final class QueryCommand implements Callable<Integer> {
    private static final String PATH = "/api/v1/query";
    private static final int MAX_OCTETS = 64 << 10;
    /** A question has ten seconds there. */
    private static final ApiClient.Patience PATIENCE =
            new ApiClient.Patience(ApiClient.Patience.DEFAULT.connect(), Duration.ofSeconds(20));

    @Parameters(index = "0", arity = "0..1", paramLabel = "SQL", description = "One question; - reads it from stdin.")
    private @Nullable String sql;

    @Option(names = "--file", paramLabel = "FILE", description = "Read the question from this file.")
    private @Nullable Path file;

    @Option(names = "--tables", description = "Only list the tables and their columns.")
    private boolean tables;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json (one array), jsonl (one object a line), csv. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(names = "--no-header", description = "No line that names the columns (table, csv).")
    private boolean noHeader;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "Read the tables of a collector that does not run: its data directory. Asks no server.")
    private @Nullable Path store;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;
    private final JsonMapper mapper = new JsonMapper();

    QueryCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    /** Rows are objects with the columns as keys. */
    private record Rows(List<String> columns, List<JsonNode> rows, boolean cut) {}

    @Override
    public Integer call() {
        if (tables) {
            list();
            return ExitCode.OK;
        }
        String question = question();
        Rows answer = store != null
                ? stopped(StoppedTables.open(around.directory().resolve(store), "--store"), question)
                : running(question);
        print(answer);
        if (answer.cut) {
            out.flush(); // so that it stands below what it is about
            spec.commandLine()
                    .getErr()
                    .println("pathlore: only the first " + answer.rows.size() + " rows; there are more");
        }
        return ExitCode.OK;
    }

    private String question() {
        if ((sql == null) == (file == null)) {
            throw InputOptions.misused(spec, "give one question: SQL, - for stdin, or --file FILE");
        }
        if (sql != null && !sql.equals("-")) {
            return sql;
        }
        try (InputStream in = file == null
                ? around.in()
                : Files.newInputStream(around.directory().resolve(file))) {
            byte[] text = in.readNBytes(MAX_OCTETS + 1);
            if (text.length > MAX_OCTETS) {
                throw InputOptions.misused(spec, "a question has at most " + MAX_OCTETS + " octets");
            }
            return new String(text, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new Failure(file + ": no such file");
        } catch (IOException e) {
            throw new Failure((file == null ? "stdin" : file) + ": cannot be read: " + e.getMessage());
        }
    }

    private Rows running(String question) {
        try (ApiClient client = server.client(spec, around, PATIENCE)) {
            JsonNode json = client.ask(
                            PATH,
                            mapper.createObjectNode().put("sql", question).toString(),
                            "columns",
                            "rows",
                            "truncated")
                    .json();
            List<String> columns = new ArrayList<>();
            json.path("columns").forEach(each -> columns.add(each.asText()));
            List<JsonNode> rows = new ArrayList<>();
            json.path("rows").forEach(rows::add);
            return new Rows(columns, rows, json.path("truncated").asBoolean());
        } catch (ApiException e) {
            if (e.status() == 400 || e.status() == 403) {
                throw InputOptions.misused(spec, String.valueOf(e.getMessage()).replaceFirst("^.*?: [0-9]{3}: ", ""));
            }
            Path directory = e.kind() == ApiException.Kind.UNREACHABLE && !server.named()
                    ? StoppedTables.find(server.service(around).data())
                    : null;
            if (directory == null) {
                throw e;
            }
            return stopped(StoppedTables.open(directory), question);
        }
    }

    private Rows stopped(TableReader opened, String question) {
        try (TableReader reader = opened) {
            Answer answer = reader.queries(QueryLimits.DEFAULT).ask(question);
            List<JsonNode> rows = new ArrayList<>();
            for (String row : answer.rows()) {
                rows.add(mapper.readTree(row));
            }
            return new Rows(answer.columns(), rows, answer.cut());
        } catch (QueryException e) {
            throw switch (e.reason()) {
                case WRONG, REFUSED -> InputOptions.misused(spec, String.valueOf(e.getMessage()));
                case TOO_MUCH, BUSY -> new Failure(String.valueOf(e.getMessage()));
            };
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted");
        }
    }

    // Showing
    // --------------------------------------------------------------------------------------------------------------

    private void list() {
        Text text = new Text();
        Table list = new Table(List.of(new Table.Column("TABLE", false), new Table.Column("COLUMNS", false)));
        for (io.pathlore.store.tables.Table table : io.pathlore.store.tables.Table.values()) {
            list.add(List.of(Table.Cell.of(table.label()), Table.Cell.of(String.join(", ", table.columnNames()))));
        }
        list.print(text, Ink.NONE, !noHeader);
        out.write(text);
    }

    private void print(Rows answer) {
        Text text = new Text();
        switch (format) {
            case TEXT, TABLE -> table(text, answer);
            case JSON -> {
                String between = "\n";
                text.add('[');
                for (JsonNode row : answer.rows) {
                    text.add(between).add(row.toString());
                    between = ",\n";
                }
                text.add(answer.rows.isEmpty() ? "]" : "\n]").line();
            }
            case JSONL -> answer.rows.forEach(row -> text.add(row.toString()).line());
            case CSV -> csv(text, answer);
        }
        out.write(text);
    }

    private void table(Text text, Rows answer) {
        if (answer.rows.isEmpty()) {
            spec.commandLine().getErr().println("pathlore: no rows");
            return;
        }
        List<Table.Column> columns = new ArrayList<>();
        for (String column : answer.columns) {
            columns.add(new Table.Column(Table.clean(column), isOfNumbers(column, answer.rows)));
        }
        Table shown = new Table(columns);
        for (JsonNode row : answer.rows) {
            List<Table.Cell> cells = new ArrayList<>();
            for (String column : answer.columns) {
                String value = value(row.path(column));
                // A column in which all is unknown was asked for all the same.
                cells.add(Table.Cell.of(value == null ? "-" : value));
            }
            shown.add(cells);
        }
        shown.print(text, server.ink(around), !noHeader);
    }

    private static boolean isOfNumbers(String column, List<JsonNode> rows) {
        List<JsonNode> known = rows.stream()
                .map(row -> row.path(column))
                .filter(value -> !value.isNull())
                .toList();
        return !known.isEmpty() && known.stream().allMatch(JsonNode::isNumber);
    }

    private void csv(Text text, Rows answer) {
        if (!noHeader) {
            csv(text, answer.columns.stream().map(CsvPrinter::cell).toList());
        }
        for (JsonNode row : answer.rows) {
            List<String> values = new ArrayList<>();
            for (String column : answer.columns) {
                JsonNode node = row.path(column);
                String value = value(node);
                values.add(value == null ? "" : node.isTextual() ? CsvPrinter.cell(value) : CsvPrinter.quoted(value));
            }
            csv(text, values);
        }
    }

    private static void csv(Text text, List<String> values) {
        text.add(String.join(",", values)).line();
    }

    private static @Nullable String value(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? null : value.isTextual() ? value.asText() : value.toString();
    }
}
