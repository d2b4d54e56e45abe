package io.pathlore.it.monitoring;

import static io.pathlore.it.collect.RunningCollector.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.JavaProcess;
import io.pathlore.it.collect.RunningCollector;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards and alert rules ask for what a collector tells: a real Prometheus answers every query in a demo. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
@Tag("alone")
class MonitoringIT {
    private static final Path SHIPPED = Path.of("../monitoring");
    private static final Path RULES = SHIPPED.resolve("prometheus/pathlore.rules.yml");
    private static final Pattern METRIC = Pattern.compile("pathlore_[a-z0-9_]+");

    /** The tables are full to a minute when that minute is over. */
    private static final String LATER = "pathlore_store_stored_to_seconds";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @BeforeAll
    static void prometheusIsInstalled() throws Exception {
        Prometheus.mustBeThere();
    }

    /** Queries of all dashboards, by where they stand. */
    private static Map<String, String> queries() throws IOException {
        Map<String, String> queries = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(SHIPPED.resolve("grafana")).sorted()) {
            for (Path file : files.toList()) {
                Map<String, Object> dashboard = Json.object(Files.readString(file));
                for (Object each : (List<?>) dashboard.getOrDefault("panels", List.of())) {
                    Map<?, ?> panel = (Map<?, ?>) each;
                    for (Object target : (List<?>) Objects.requireNonNull(panel.get("targets"))) {
                        Map<?, ?> query = (Map<?, ?>) target;
                        queries.put(
                                file.getFileName() + ", " + panel.get("title") + ", " + query.get("refId"),
                                String.valueOf(query.get("expr")));
                    }
                }
            }
        }
        return queries;
    }

    /** As Grafana does before it asks. */
    private static String asked(String query) {
        return query.replace("$__rate_interval", "10s").replace("$instance", ".*");
    }

    @Test
    void promtoolTakesTheRulesAndTheyFireWhenTheyShould() throws Exception {
        Prometheus.Said checked = Prometheus.run(List.of("promtool", "check", "rules", RULES.toString()));
        assertThat(checked.status()).as(checked.text()).isZero();
        Prometheus.Said tested = Prometheus.run(List.of(
                "promtool",
                "test",
                "rules",
                RULES.resolveSibling("pathlore.rules.test.yml").toString()));
        assertThat(tested.status()).as(tested.text()).isZero();
    }

    @Test
    void everyMetricThatIsAskedForIsOnTheReferencePage() throws Exception {
        String page = Files.readString(Path.of("../docs/reference/metrics.md"));
        Set<String> unknown = new TreeSet<>();
        List<String> texts = new ArrayList<>(queries().values());
        Files.readAllLines(RULES).stream()
                .filter(line -> !line.contains("name:"))
                .forEach(texts::add);
        for (String text : texts) {
            Matcher metric = METRIC.matcher(text);
            while (metric.find()) {
                String name = metric.group().replaceFirst("_(bucket|sum|count)$", "");
                if (!page.contains("| `" + name + "` |")) {
                    unknown.add(name);
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(texts).hasSizeGreaterThan(50);
    }

    @Test
    void everyQueryHasAnAnswerInADemo() throws Exception {
        answered(query -> !query.contains(LATER));
    }

    @Test
    @Tag("slow")
    void everyQueryHasAnAnswerInAMinuteOfDemo() throws Exception {
        answered(_ -> true);
    }

    private void answered(Predicate<String> wanted) throws Exception {
        int port = RunningCollector.freeTcpPort();
        JavaProcess demo = JavaProcess.start(
                temp,
                List.of(),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of("demo", "--http-port", Integer.toString(port), "--seed", "1"));
        try (Prometheus prometheus = new Prometheus(temp, RULES.toRealPath(), port)) {
            until("it is scraped", prometheus::isUp);
            Map<String, String> left = new LinkedHashMap<>(queries());
            left.values().removeIf(query -> !wanted.test(query));
            assertThat(left).hasSizeGreaterThan(40);
            until("answers to all of " + left, () -> {
                List<String> answered = new ArrayList<>();
                for (Map.Entry<String, String> one : left.entrySet()) {
                    if (prometheus.series(asked(one.getValue())) > 0) {
                        answered.add(one.getKey());
                    }
                }
                left.keySet().removeAll(answered);
                return left.isEmpty();
            });
        } finally {
            demo.process().destroyForcibly();
            demo.process().onExit().join();
        }
    }
}
