package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.ConfigLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The reference page has every metric that a collector tells, with its kind and labels, and no other. */
@Timeout(120)
@EnabledOnOs(OS.LINUX) // elsewhere nobody tells what the kernel dropped
class MetricsPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `(pathlore_[a-z0-9_]+)` \\|(.*)\\|");
    private static final Pattern LABEL = Pattern.compile("`([a-z_]+)`");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(pathlore_[a-z0-9_]+)\\{(.*)} \\S+");
    private static final Pattern NAME = Pattern.compile("([a-z_]+)=\"");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** Kind and labels by name. */
    private static Map<String, String> page() throws IOException {
        Map<String, String> page = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/reference/metrics.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                List<String> cells = new ArrayList<>(List.of(row.group(2).split("\\|", -1)));
                // Terms of the ledger are counters, all of them.
                String kind =
                        cells.size() == 2 ? "counter" : cells.removeFirst().strip();
                TreeSet<String> labels = new TreeSet<>();
                Matcher label = LABEL.matcher(cells.getFirst());
                while (label.find()) {
                    labels.add(label.group(1));
                }
                assertThat(page.put(row.group(1), kind + " " + labels))
                        .as("once: " + row.group(1))
                        .isNull();
            }
        }
        return page;
    }

    private static Map<String, String> scraped(String scrape, Map<String, String> page) {
        Map<String, String> told = new TreeMap<>();
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        for (String line : scrape.lines().toList()) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                TreeSet<String> names = labels.computeIfAbsent(
                        sample.group(1).replaceAll("_(bucket|sum|count)$", ""), _ -> new TreeSet<>());
                Matcher name = NAME.matcher(sample.group(2));
                while (name.find()) {
                    names.add(name.group(1));
                }
                names.remove("le");
            }
        }
        for (String line : scrape.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                String name = type.group(1);
                boolean samples = scrape.contains("\n" + name + " ") || labels.containsKey(name);
                String plain = type.group(2) + " " + labels.getOrDefault(name, new TreeSet<>());
                // Without a sample its labels are not told.
                String written = page.getOrDefault(name, "");
                told.put(name, !samples && written.startsWith(type.group(2) + " ") ? written : plain);
            }
        }
        return told;
    }

    @Test
    void thePageAndTheCollectorAgree() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                defend: { enforcers: [ { name: any, kind: command, command: [/bin/true] } ] }
                kafka: { bootstrap: "127.0.0.1:1", publish: [datagrams, events, rollups] } # where nobody answers
                edges: [ { name: any, url: "http://127.0.0.1:1" } ]
                """);
        Map<String, String> page = page();
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.store(LiveCollector.START); // from then on it is told how far the tables are
            String scrape = collector.get("/metrics").body();
            Map<String, String> told = scraped(scrape, page);
            told.putAll(scraped(served(), page));
            assertThat(told).isEqualTo(page);
        }
    }

    /** Of who reads from Kafka what others publish. */
    private String served() throws Exception {
        List<String> sets = List.of(
                "data=" + directory.resolve("served"),
                "memory=64MiB",
                "store.memory=128MiB",
                "http.port=" + ServingProcessTest.freePort());
        try (ServingProcess process = ServingProcess.start(
                        new ConfigLoader(directory, directory, Map.of()).loadService(null, sets),
                        "test",
                        new Notes(new PrintWriter(new StringWriter()), CollectorProcess::epochNanos));
                HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(process.url() + "metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
