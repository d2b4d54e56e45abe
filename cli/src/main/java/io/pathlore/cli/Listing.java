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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Asks for a list and shows it: what all {@code get} commands do, each for a list of its own. */
final class Listing {
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final long NANOS = 1_000_000_000L;
    /** Between clocks of two machines; less may be the rounding of the server's. */
    private static final long SAME_CLOCK_NANOS = 2 * NANOS;

    /** Tables are at most so far behind. */
    private static final long STALE_NANOS = 120 * NANOS;

    private static final int TO_THE_SECOND = "2026-11-15T18:00:00".length();

    /** Of one item, some time ago. */
    private record Sample(long count, long ticks) {}

    private final ListKind kind;
    private final ListOptions options;
    private final Map<String, String> parameters;
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
    Listing(
            ListKind kind,
            ListOptions options,
            Map<String, String> parameters,
            ServerOptions server,
            CommandSpec spec,
            Surroundings around,
            Output out) {
        this.kind = kind;
        this.options = options;
        this.parameters = Map.copyOf(parameters);
        this.server = server;
        this.spec = spec;
        this.around = around;
        this.out = out;
        order = options.order(spec, kind);
        limit = options.limit(spec, kind);
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
        } catch (ApiException e) {
            throw SpanOptions.blamed(spec, e);
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
        ApiClient.Items answer = ask(client);
        List<JsonNode> items = new ArrayList<>(answer.items());
        if (!kind.isSortedByServer()) {
            items.sort(order.order().thenComparing(kind.fields().getFirst().order()));
        }
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
            remark(answer, shown.size());
        }
    }

    /** A list that the server sorts need not be fetched whole. */
    private ApiClient.Items ask(ApiClient client) {
        if (!kind.isSortedByServer()) {
            return client.list(kind.path(), parameters, Integer.MAX_VALUE);
        }
        Map<String, String> sorted = new LinkedHashMap<>(parameters);
        sorted.put("sort", ListKind.serverWord(order));
        return client.list(kind.path(), sorted, limit);
    }

    private void remark(ApiClient.Items answer, int shown) {
        List<String> lines = new ArrayList<>();
        int all = answer.items().size();
        if (all == 0) {
            lines.add(kind.whenEmpty());
        } else if (answer.more()) {
            lines.add("the first " + Amount.count(shown, kind.noun()) + " shown, --limit shows more");
        } else if (shown < all) {
            lines.add(shown + " of " + Amount.count(all, kind.noun()) + " shown");
        }
        JsonNode completeness = answer.last().path("completeness");
        if (completeness.isNumber() && completeness.doubleValue() < 1) {
            lines.add(Amount.share(completeness.doubleValue()) + " of the reports of that time arrived");
        }
        Long until = TimeText.parse(answer.last().path("until").asText());
        long now = now(answer.serverNanos());
        if (until != null && !parameters.containsKey("until") && now - until > STALE_NANOS) {
            lines.add("this is what was known at "
                    + answer.last().path("until").asText().substring(0, TO_THE_SECOND) + "Z, " + Amount.age(until, now)
                    + "; nothing newer is stored");
        }
        out.flush(); // so that they stand below what they are about
        lines.forEach(line -> spec.commandLine().getErr().println("pathlore: " + line));
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
            text.add(String.join(",", exported().map(Field::csvName).toList())).line();
        }
        for (JsonNode item : items) {
            text.add(String.join(",", exported().map(field -> field.csv(item)).toList()))
                    .line();
        }
    }

    private Stream<Field> exported() {
        return kind.fields().stream().filter(Field::isExported);
    }
}
