package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Table.Cell;
import io.pathlore.cli.Table.Column;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.model.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Asks for a list and shows it: what all {@code get} commands do, each for a list of its own. */
final class Listing {
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final long NANOS = 1_000_000_000L;
    /** Between clocks of two machines; less may be the rounding of the server's. */
    private static final long SAME_CLOCK_NANOS = 2 * NANOS;

    /**
     * A list of the API.
     *
     * @param fields the first tells items apart, and lists are sorted by it
     * @param rateOf key of a count whose rate a watcher is shown
     * @param remarks what else is worth a word about an item; empty where there is nothing
     * @param whenEmpty said instead of an empty table
     */
    record Kind(
            String path,
            String noun,
            List<Field> fields,
            String rateOf,
            Function<JsonNode, String> remarks,
            String whenEmpty) {
        Kind {
            fields = List.copyOf(fields);
        }
    }

    /** Of one item, some time ago. */
    private record Sample(long count, long ticks) {}

    private final Kind kind;
    private final ListOptions options;
    private final ServerOptions server;
    private final CommandSpec spec;
    private final Surroundings around;
    private final Output out;
    private final Field order;
    private final int limit;
    private final @Nullable Duration interval;

    private Map<String, Sample> before = new HashMap<>();
    private boolean first = true;

    /** Throws what makes the command line say how it is used. */
    Listing(Kind kind, ListOptions options, ServerOptions server, CommandSpec spec, Surroundings around, Output out) {
        this.kind = kind;
        this.options = options;
        this.server = server;
        this.spec = spec;
        this.around = around;
        this.out = out;
        order = options.order(spec, kind.fields());
        limit = options.limit(spec);
        interval = options.interval(spec);
    }

    int run() {
        try (ApiClient client = server.client(spec, around)) {
            if (interval == null) {
                show(client);
                return ExitCode.OK;
            }
            watch(client, interval);
            return ExitCode.OK;
        }
    }

    private void watch(ApiClient client, Duration every) {
        CountDownLatch stop = new CountDownLatch(1);
        Runnable interrupted = () -> {
            stop.countDown();
            client.close(); // an answer that is slow to come is not waited for
        };
        try (var _ = around.interruption().onInterrupt(interrupted)) {
            do {
                show(client);
                out.flush();
                first = false;
            } while (!stop.await(every.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ApiException e) {
            if (stop.getCount() > 0) {
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(ApiClient client) {
        ApiClient.Items answer = client.list(kind.path());
        List<JsonNode> items = new ArrayList<>(answer.items());
        items.sort(order.order().thenComparing(kind.fields().getFirst().order()));
        List<JsonNode> shown = items.subList(0, Math.min(limit, items.size()));
        Text text = new Text();
        switch (options.format()) {
            case TEXT, TABLE -> {
                if (interval != null && around.outIsTerminal()) {
                    text.ink(CLEAR);
                    text.add(client.server() + "  " + TimeText.of(localNanos()).substring(0, 19) + "Z")
                            .line();
                } else if (!first) {
                    text.line();
                }
                table(text, shown, now(answer.serverNanos()));
            }
            case JSON -> json(text, shown);
            case JSONL -> shown.forEach(item -> text.add(item.toString()).line());
            case CSV -> csv(text, shown);
        }
        out.write(text);
        if (options.format().isText()) {
            remark(items.size(), shown.size());
        }
    }

    private void remark(int all, int shown) {
        String line = all == 0
                ? kind.whenEmpty()
                : shown < all ? shown + " of " + Amount.count(all, kind.noun()) + " shown" : "";
        if (!line.isEmpty()) {
            out.flush(); // so that it stands below what it is about
            spec.commandLine().getErr().println("pathlore: " + line);
        }
    }

    private static long localNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    /** Ages are by the clock that wrote the times, where the two clocks differ. */
    static long now(@Nullable Long serverNanos) {
        long local = localNanos();
        return serverNanos == null || Math.abs(local - serverNanos) <= SAME_CLOCK_NANOS ? local : serverNanos;
    }

    private void table(Text text, List<JsonNode> items, long nowNanos) {
        List<Column> columns = new ArrayList<>();
        for (Field field : kind.fields()) {
            if (field.title() != null) {
                columns.add(new Column(field.title(), field.kind().isNumber()));
                if (field.key().equals(kind.rateOf())) {
                    columns.add(new Column("PER SECOND", true));
                }
            }
        }
        columns.add(new Column("REMARKS", false));
        Table table = new Table(columns);
        Map<String, Sample> now = new HashMap<>();
        for (JsonNode item : items) {
            List<Cell> cells = new ArrayList<>();
            for (Field field : kind.fields()) {
                if (field.title() != null) {
                    cells.add(field.cell(item, nowNanos));
                    if (field.key().equals(kind.rateOf())) {
                        cells.add(Cell.of(rate(item, now)));
                    }
                }
            }
            cells.add(Cell.of(kind.remarks().apply(item)));
            table.add(cells);
        }
        before = now;
        if (!items.isEmpty()) {
            table.print(text, server.ink(around), options.header());
        }
    }

    /** Null in the first round, and so without a watcher: the column is then left out. */
    private @Nullable String rate(JsonNode item, Map<String, Sample> now) {
        String name = item.path(kind.fields().getFirst().key()).asText();
        Long count = Field.number(item, kind.rateOf());
        if (interval == null || count == null) {
            return null;
        }
        Sample current = new Sample(count, System.nanoTime());
        now.put(name, current);
        Sample last = before.get(name);
        if (first) {
            return null;
        }
        if (last == null || current.count < last.count || current.ticks <= last.ticks) {
            return "?"; // it is new, or the collector has started again
        }
        double perSecond = (double) NANOS * (current.count - last.count) / (current.ticks - last.ticks);
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
    }

    private static void json(Text text, List<JsonNode> items) {
        text.add('[');
        String between = "\n";
        for (JsonNode item : items) {
            text.add(between).add(item.toString());
            between = ",\n";
        }
        text.add(items.isEmpty() ? "]" : "\n]").line();
    }

    private void csv(Text text, List<JsonNode> items) {
        if (options.header() && first) {
            text.add(String.join(",", kind.fields().stream().map(Field::csvName).toList()))
                    .line();
        }
        for (JsonNode item : items) {
            text.add(String.join(
                            ",",
                            kind.fields().stream().map(field -> field.csv(item)).toList()))
                    .line();
        }
    }
}
