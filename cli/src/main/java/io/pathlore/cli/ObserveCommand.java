package io.pathlore.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.client.ServerEvents;
import io.pathlore.cli.client.ServerEvents.Message;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "observe",
        header = {
            "Watch reports, or events, as a collector gets them, until Ctrl-C.",
            "",
            "Examples:",
            "  pathlore observe                              reports, at most 50 a second",
            "  pathlore observe --filter dropped             what is dropped, where and why",
            "  pathlore observe --filter 'node = leaf-3 and hop.latency > 50us'",
            "  pathlore observe --last 20 --filter 'ip = 10.0.1.1'",
            "  pathlore observe --rate 1000 -o json | jq -r .flow.source",
            "  pathlore observe events                       what happens in the network",
            "  pathlore observe events --filter 'severity >= warning'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore observe [reports|events] [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine: Ctrl-C, or as many as --limit says",
            "1:the server answers, but not this (the journal may be off), or it is no collector",
            "2:wrong usage, configuration or filter",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = {
            "A line shows time (UTC), node, flow, path, time in all hops, and DROP with its reason, or Q where a queue",
            "was congested. Of more reports than --rate, some are shown, each with the same chance; on a terminal",
            "the last line tells of how many. When the connection is lost it is made again."
        })
final class ObserveCommand implements Callable<Integer> {
    private static final String REPORTS = "reports";
    private static final String EVENTS = "events";
    private static final int QUEUE = 256;
    private static final int DEFAULT_RATE = 50;
    private static final int MAX_RATE = 1_000;
    private static final int MAX_LAST = 10_000;
    /** The server gives a sign of life every 15 seconds. */
    private static final long SILENCE_SECONDS = 45;

    private static final int MAX_RETRY_SECONDS = 5;
    private static final int MAX_PAGES = 100;
    private static final Message END = new Message("end", "");

    @Parameters(index = "0", arity = "0..1", paramLabel = "WHAT", description = "reports or events. Default: reports.")
    private String what = REPORTS;

    @Option(
            names = "--filter",
            paramLabel = "EXPR",
            description = "Only what matches, like 'dropped and dst in 10.2.0.0/16'; names are the collector's.")
    private String filter = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json or jsonl (one object per line). Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(names = "--rate", paramLabel = "N", description = "At most N reports a second, up to 1000. Default: 50.")
    private @Nullable Integer rate;

    @Option(names = "--last", paramLabel = "N", description = "First the last N that there were.")
    private int last;

    @Option(
            names = {"-c", "--limit"},
            paramLabel = "N",
            description = "Stop after N.")
    private @Nullable Long limit;

    @Option(names = "--no-header", description = "No line that names the columns (table).")
    private boolean noHeader;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;
    private final JsonMapper mapper = new JsonMapper();
    private final CountDownLatch stop = new CountDownLatch(1);

    private long shown;
    private String status = "";
    private @Nullable ObservedLine lines;
    private final Set<String> told = new HashSet<>();

    ObserveCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        checkUsage();
        if (format.isText()) {
            lines = new ObservedLine(out, server.ink(around), server.inventory(around), !noHeader);
        }
        try (ApiClient client = server.client(spec, around)) {
            untilInterrupted(client);
        } catch (ApiException e) {
            if (!stopped()) {
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    private void untilInterrupted(ApiClient client) throws InterruptedException {
        Runnable interrupted = () -> {
            stop.countDown();
            client.close(); // an answer that is slow to come is not waited for
        };
        try (StatusLine line = new StatusLine(around, format.isText());
                var _ = around.interruption().onInterrupt(interrupted)) {
            observe(client, line);
        }
    }

    private void checkUsage() {
        if (!what.equals(REPORTS) && !what.equals(EVENTS)) {
            throw InputOptions.misused(spec, "it cannot observe '" + what + "'; there are reports and events");
        }
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a stream of this kind; table or json is");
        }
        if (rate != null && (rate < 1 || rate > MAX_RATE)) {
            throw InputOptions.misused(spec, "--rate: " + rate + " is not in 1 to " + MAX_RATE);
        }
        if (rate != null && what.equals(EVENTS)) {
            throw InputOptions.misused(spec, "--rate: is for reports; all events are shown");
        }
        if (last < 0 || last > MAX_LAST) {
            throw InputOptions.misused(spec, "--last: " + last + " is not in 1 to " + MAX_LAST);
        }
        if (limit != null && limit < 1) {
            throw InputOptions.misused(spec, "--limit: " + limit + " is not positive");
        }
    }

    private boolean stopped() {
        return stop.getCount() == 0 || limit != null && shown >= limit;
    }

    private String path() {
        String selected = filter.isBlank() ? "" : "filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
        return what.equals(EVENTS)
                ? "/api/v1/stream/events?" + selected
                : "/api/v1/stream/reports?rate=" + (rate == null ? DEFAULT_RATE : rate) + "&" + selected;
    }

    private void observe(ApiClient client, StatusLine line) throws InterruptedException {
        // What comes while the last ones are asked for is not missed.
        ServerEvents events = client.stream(trimmed(path()));
        if (last > 0) {
            showLast(client);
        }
        int retrySeconds = 1;
        while (true) {
            boolean heard = follow(events, line);
            line.clear();
            if (stopped()) {
                return;
            }
            retrySeconds = heard ? 1 : Math.min(MAX_RETRY_SECONDS, 2 * retrySeconds);
            tell("the connection to " + client.server() + " is lost; trying again");
            ServerEvents again = reconnect(client, retrySeconds);
            if (again == null) {
                return;
            }
            tell("connected again; what came meanwhile is not shown");
            events = again;
        }
    }

    private static String trimmed(String path) {
        return path.replaceAll("[?&]$", "");
    }

    private void tell(String text) {
        out.flush();
        spec.commandLine().getErr().println("pathlore: " + text);
    }

    /** Null: it was stopped. What is not for a while only, like a token that is no longer good, is thrown. */
    private @Nullable ServerEvents reconnect(ApiClient client, int firstSeconds) throws InterruptedException {
        int seconds = firstSeconds;
        while (!stop.await(seconds, TimeUnit.SECONDS)) {
            try {
                return client.stream(trimmed(path()));
            } catch (ApiException e) {
                if (e.kind() != ApiException.Kind.UNREACHABLE && !stopped()) {
                    throw e;
                }
            }
            seconds = Math.min(MAX_RETRY_SECONDS, 2 * seconds);
        }
        return null;
    }

    /** Shows what comes until it ends; whether anything came. */
    private boolean follow(ServerEvents events, StatusLine line) throws InterruptedException {
        BlockingQueue<Message> queue = new ArrayBlockingQueue<>(QUEUE);
        Thread reader = Thread.ofVirtual().start(() -> read(events, queue));
        boolean heard = false;
        try {
            while (!stopped()) {
                Message next = queue.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
                if (next == null || next.equals(END)) {
                    return heard;
                }
                heard = true;
                show(next, line);
                if (queue.isEmpty()) {
                    flush();
                    line.show(() -> status);
                }
            }
            return heard;
        } finally {
            reader.interrupt();
            close(events);
            flush();
        }
    }

    private static void read(ServerEvents events, BlockingQueue<Message> queue) {
        try {
            Message next = events.next();
            while (next != null) {
                queue.put(next);
                next = events.next();
            }
            queue.put(END);
        } catch (IOException e) {
            // The connection is lost; whoever waits is told.
            boolean ignored = queue.offer(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(ServerEvents events) {
        try {
            events.close();
        } catch (IOException e) {
            // It is gone, which is what was wanted.
        }
    }

    private void flush() {
        if (lines != null) {
            lines.flush();
        }
        out.flush();
    }

    private void show(Message message, StatusLine line) {
        switch (message.event()) {
            case "report", "event" -> {
                JsonNode json = parse(message.data());
                if (!told.remove(key(json))) {
                    line.clear();
                    show(json);
                }
            }
            case "rate" -> status = status(parse(message.data()));
            case "dropped" -> tell("too slow for the collector, which let go");
            default -> {} // a sign of life, or something that is only known later
        }
    }

    private static String status(JsonNode rate) {
        long shown = rate.path("shown").asLong();
        long matching = rate.path("matching").asLong();
        long skipped = rate.path("skipped").asLong();
        return "showing " + Amount.count(shown) + "/s of " + Amount.count(matching) + "/s, "
                + Amount.count(rate.path("seen").asLong()) + "/s received"
                + (skipped > 0 ? "; skipped " + Amount.count(skipped) + " datagrams to keep up" : "");
    }

    private JsonNode parse(String data) {
        try {
            return mapper.readTree(data);
        } catch (JsonProcessingException e) {
            throw new Failure("what the server tells is not JSON; is it a collector?");
        }
    }

    /** A report is told once; an event again when there is more to tell. */
    private String key(JsonNode json) {
        return what.equals(REPORTS) ? json.path("id").asText() : json.toString();
    }

    private void show(JsonNode json) {
        if (limit != null && shown >= limit) {
            return;
        }
        shown++;
        ObservedLine text = lines;
        if (text == null) {
            byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
            out.write(bytes, 0, bytes.length);
        } else if (what.equals(REPORTS)) {
            text.report(json);
        } else {
            text.event(json);
        }
    }

    /** Oldest first, as if one had watched already. What the stream then tells again is passed over. */
    private void showLast(ApiClient client) {
        String list = what.equals(REPORTS) ? "/api/v1/reports?order=newest&" : "/api/v1/events?";
        String selected = filter.isBlank() ? "" : "&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
        List<JsonNode> found = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < MAX_PAGES && !stopped(); page++) {
            JsonNode answer = client.get(list + "limit=" + (last - found.size()) + selected + cursor, "items")
                    .json();
            answer.path("items").forEach(item -> found.add(item));
            if (found.size() >= last || !answer.has("next")) {
                break;
            }
            cursor = "&cursor=" + URLEncoder.encode(answer.path("next").asText(), StandardCharsets.UTF_8);
        }
        for (JsonNode json : found.reversed()) {
            show(json);
            told.add(key(json));
        }
        flush();
    }
}
