package io.pathlore.cli.service;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.store.tables.Answer;
import io.pathlore.store.tables.Table;
import io.pathlore.store.tables.TableExport.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables over HTTP: SQL, and whole tables as files. */
final class TableRoutes {
    private static final int MAX_QUESTION_BYTES = 64 << 10;
    private static final String GROUP = "Tables";

    private final Tables tables;
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    TableRoutes(Tables tables) {
        this.tables = tables;
    }

    List<Route> routes() {
        return List.of(
                Route.ask("/api/v1/query", MAX_QUESTION_BYTES, this::query)
                        .is(Operation.of(GROUP, "SQL over the tables; changes nothing")
                                .reads("Question")
                                .answers("Rows")
                                .refuses(404, 422)),
                Route.get("/api/v1/export/{table}", Role.VIEWER, this::export).is(exporting()));
    }

    private static Operation exporting() {
        Operation operation = Operation.of(GROUP, "A table as a file")
                .at(Parameter.word(
                        "table",
                        "its name",
                        Arrays.stream(Table.values()).map(Table::label).toList()))
                .takes(
                        Parameter.choice(
                                "format",
                                "of the file",
                                Format.PARQUET.label(),
                                Format.CSV.label(),
                                Format.JSONL.label()),
                        Parameter.text("since", "from then on: RFC 3339"),
                        Parameter.text("until", "before: RFC 3339"));
        for (Format format : Format.values()) {
            operation = operation.answers(200, type(format), "");
        }
        return operation.refuses(404, 422);
    }

    private Reply query(Request request) throws Problem {
        return json(tables.ask(sql(request.body())));
    }

    private String sql(byte[] body) throws Problem {
        try {
            JsonNode json = mapper.readTree(body);
            if (json.isObject() && json.size() == 1 && json.path("sql").isTextual()) {
                return json.path("sql").asText();
            }
        } catch (IOException e) {
            // said below
        }
        throw new Problem(400, "the body has to be {\"sql\": \"SELECT …\"}");
    }

    /** Rows are JSON already, and may be many: they are copied once. */
    private static Reply json(Answer answer) {
        JsonText columns = new JsonText().open('[');
        answer.columns().forEach(columns::value);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        add(out, "{\"columns\":" + columns.close(']') + ",\"rows\":[");
        String between = "";
        for (String row : answer.rows()) {
            add(out, between);
            add(out, row);
            between = ",";
        }
        add(out, "],\"truncated\":" + answer.cut() + "}");
        return new Reply.Content(200, "application/json", out.toByteArray());
    }

    private static void add(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private Reply export(Request request) throws Problem {
        Map<String, String> query = request.query();
        Table table = Table.named(request.path().getOrDefault("table", ""));
        if (table == null) {
            throw new Problem(
                    404,
                    "there is no such table; there are "
                            + Arrays.stream(Table.values()).map(Table::label).collect(Collectors.joining(", ")));
        }
        Format format = Format.named(query.getOrDefault("format", Format.PARQUET.label()));
        if (format == null) {
            throw new Problem(400, "format: parquet, csv or jsonl");
        }
        long since = time(query, "since", 0);
        long until = time(query, "until", Long.MAX_VALUE);
        return new Reply.Made(
                type(format), table.label() + "." + format.label(), () -> tables.make(table, format, since, until));
    }

    private static String type(Format format) {
        return switch (format) {
            case PARQUET -> "application/vnd.apache.parquet";
            case CSV -> "text/csv; charset=utf-8";
            case JSONL -> "application/jsonl";
        };
    }

    private static long time(Map<String, String> query, String name, long otherwise) throws Problem {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        Long nanos = TimeText.parse(text);
        if (nanos == null) {
            throw new Problem(400, name + ": a time like 2026-11-15T18:00:00Z");
        }
        return nanos;
    }
}
