package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A collector that a known network told of itself, and a browser on its page. They are started once, for all classes that register this and
 * only look.
 */
final class LabPage implements BeforeAllCallback, AfterAllCallback {
    /** Bursts, as in the scenario of that name, and a wrong rule that drops what one host is sent. */
    private static final String NETWORK = """
            description: bursts, and a wrong rule
            duration: 12s
            topology: { kind: leaf-spine, leaves: 4, spines: 2, hosts-per-leaf: 4 }
            telemetry:
              mode: md
              instructions: [node-id, interfaces, hop-latency, queue, ingress-timestamp, egress-timestamp]
              queues: { threshold: 100KB, reset: 50KB }
            traffic:
              - { kind: request-response, name: web, flows: 10 }
              - { kind: request-response, name: shop, from: [h1-*, h3-*, h4-*], to: h2-1, flows: 4, response: 1KB..5KB }
              - { kind: microburst, from: [h2-*, h3-*], to: h1-1, bytes: 60KB, period: 5s, start: 3s }
            faults:
              - { kind: acl-drop, node: leaf-2, destination: h2-1, destination-port: 443, start: 9s, duration: 2s }
            """;

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LabPage.class);

    private record Started(Path directory, RunningCollector collector, Page page) implements AutoCloseable {
        static Started now() {
            try {
                Path directory = Files.createTempDirectory("pathlore-page");
                RunningCollector collector = Setup.in(directory)
                        .set("store.memory=128MiB", "memory=128MiB")
                        .start();
                Path network = Files.writeString(directory.resolve("network.yaml"), NETWORK);
                JavaProcess.Ended lab = JavaProcess.start(
                                directory,
                                List.of(),
                                RunningCollector.JVM,
                                RunningCollector.MAIN,
                                List.of(
                                        "lab",
                                        "run",
                                        network.toString(),
                                        "--speed=4",
                                        "--truth=truth.jsonl",
                                        "--to=127.0.0.1:" + collector.port()))
                        .await();
                assertThat(lab.status()).as(lab.err()).isZero();
                return new Started(directory, collector, new Page(collector.httpPort()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            page.close();
            collector.kill();
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    @SuppressWarnings("NullAway.Init") // set before all tests
    private Started started;

    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Started.class, ignored -> Started.now(), Started.class);
    }

    /** Whoever is not looked at does not ask. */
    @Override
    public void afterAll(ExtensionContext context) {
        started.page.browser().get("about:blank");
    }

    RunningCollector collector() {
        return started.collector;
    }

    Page page() {
        return started.page;
    }

    /** What really happened, of one kind. */
    List<Map<String, Object>> truth(String kind) throws IOException {
        try (Stream<String> lines = Files.lines(started.directory.resolve("truth.jsonl"))) {
            return lines.map(Json::object)
                    .filter(one -> kind.equals(one.get("kind")))
                    .toList();
        }
    }

    Map<String, Object> get(String path) throws IOException {
        return Json.object(collector().api().good("/api/v1/" + path));
    }

    List<Map<?, ?>> items(String path) throws IOException {
        List<?> items = (List<?>) Objects.requireNonNull(get(path).get("items"));
        return items.stream().<Map<?, ?>>map(item -> (Map<?, ?>) item).toList();
    }
}
