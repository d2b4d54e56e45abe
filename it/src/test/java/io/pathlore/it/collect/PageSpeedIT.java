package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the page feels when there is much of it, or for long. Figures are printed; a browser without a graphics card draws them. */
@EnabledOnOs(OS.LINUX)
@Tag("alone")
@Tag("slow")
class PageSpeedIT {
    private static final String LARGE = """
            description: five hundred switches
            duration: 6s
            topology: { kind: fat-tree, k: 20 }
            telemetry:
              watch: [{ name: sampled, sampling: 10 }]
            traffic:
              - { kind: request-response, name: web, flows: 6000, response: 1KB..20KB }
            """;
    /** Moves the picture with each frame, as a hand does; tells how long frames took, in milliseconds. */
    private static final String DRAG = """
            const done = arguments[arguments.length - 1];
            const canvas = document.querySelector('canvas');
            const box = canvas.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const tell = (type, dx, dy) => canvas.dispatchEvent(new PointerEvent(type,
                {pointerId: 1, button: 0, buttons: 1, bubbles: true, clientX: x + dx, clientY: y + dy}));
            canvas.setPointerCapture = () => {};
            const frames = [];
            let last;
            let i = 0;
            tell('pointerdown', 0, 0);
            function frame(now) {
              if (last !== undefined) frames.push(now - last);
              last = now;
              if (frames.length === 240) {
                tell('pointerup', 0, 0);
                return done(frames);
              }
              i++;
              if (i % 120 < 60) tell('pointermove', 160 * Math.sin(i / 20), 60 * Math.cos(i / 13));
              else canvas.dispatchEvent(new WheelEvent('wheel',
                {deltaY: i % 120 < 90 ? -24 : 24, clientX: x, clientY: y, bubbles: true, cancelable: true}));
              requestAnimationFrame(frame);
            }
            requestAnimationFrame(frame);
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private JavaProcess lab(RunningCollector collector, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("lab", "run"));
        all.addAll(List.of(words));
        all.add("--to=127.0.0.1:" + collector.port());
        return JavaProcess.start(temp, List.of(), RunningCollector.JVM, RunningCollector.MAIN, all);
    }

    @Test
    @Timeout(300)
    void fiveHundredNodesArePannedAndZoomedAtThirtyFramesASecond() throws Exception {
        Path scenario = Files.writeString(temp.resolve("large.yaml"), LARGE);
        try (RunningCollector collector = Setup.in(temp).fast().start();
                Page page = new Page(collector.httpPort())) {
            assertThat(lab(collector, scenario.toString()).await().status()).isZero();
            page.open("#/v1/network?since=1h");
            page.await(() -> page.shows("Topology 500 nodes"));
            page.type(" "); // what is drawn stays the same
            double[] millis = millis(page, DRAG);
            double sum = 0;
            for (double each : millis) {
                sum += each;
            }
            double rate = millis.length * 1_000 / sum;
            System.out.printf(
                    Locale.ROOT,
                    "topology of 500 nodes: %.1f frames/s, frame p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                    rate,
                    millis[millis.length / 2],
                    millis[millis.length * 99 / 100],
                    millis[millis.length - 1]);
            page.picture("network-500");
            assertThat(rate).isGreaterThanOrEqualTo(30);
        }
    }

    @Test
    @Timeout(900)
    void tenMinutesOfReportsDoNotFillTheBrowser() throws Exception {
        try (RunningCollector collector = Setup.in(temp).fast().start();
                Page page = new Page(collector.httpPort())) {
            JavaProcess lab = lab(collector, "demo", "--duration=700s");
            try {
                page.open("#/v1/tail?rate=200");
                page.await(() -> page.has("main table tbody tr"));
                long begin = System.nanoTime();
                until(begin, Duration.ofMinutes(1));
                long one = heap(page);
                until(begin, Duration.ofMinutes(10));
                assertThat(lab.process().isAlive())
                        .as("reports came all the time")
                        .isTrue();
                long ten = heap(page);
                System.out.printf(
                        Locale.ROOT, "heap of the page after 1 minute %,d octets, after 10 minutes %,d%n", one, ten);
                assertThat(ten).isLessThan(one * 12 / 10);
                page.assertQuiet();
            } finally {
                lab.process().destroyForcibly();
            }
        }
    }

    /** One row after the other, by the wheel, to the end and back. */
    private static final String SCROLL = """
            const done = arguments[arguments.length - 1];
            const box = document.querySelector('[role=grid]');
            const frames = [];
            let last;
            function frame(now) {
              if (last !== undefined) frames.push(now - last);
              last = now;
              const n = frames.length;
              if (n === 400) return done(frames);
              // Slowly, as one reads; fast, as one looks for something; and by jumps.
              if (n < 150) box.scrollTop += 40;
              else if (n < 300) box.scrollTop += 900;
              else box.scrollTop = (n * 7919 % 100) / 100 * box.scrollHeight;
              requestAnimationFrame(frame);
            }
            requestAnimationFrame(frame);
            """;

    private static double[] millis(Page page, String script) {
        page.browser().manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
        return ((List<?>) Objects.requireNonNull(page.browser().executeAsyncScript(script)))
                .stream()
                        .mapToDouble(each -> ((Number) Objects.requireNonNull(each)).doubleValue())
                        .sorted()
                        .toArray();
    }

    @Test
    @Timeout(300)
    void aHundredThousandFlowsAreScrolledWithoutAFrameOfFiftyMilliseconds() throws Exception {
        try (RunningCollector collector = Setup.in(temp).fast().start();
                Page page = new Page(collector.httpPort());
                Sender sender = Sender.from("127.0.0.1")) {
            for (int i = 0; i < 1_000; i++) {
                sender.send(collector.port(), ReportBytes.v20(1, i, 7, i, 100, i * 100L, 0));
                if (i % 20 == 0) {
                    collector.untilRead(i);
                }
            }
            // A flow is told of when its minute is over: whoever goes on sending moves time.
            int[] more = {1_000};
            RunningCollector.until("flows", () -> {
                int i = more[0]++;
                sender.send(collector.port(), ReportBytes.v20(1, i, 7, i, 1, 0, 0));
                LockSupport.parkNanos(200_000_000L);
                return collector
                        .api()
                        .query("SELECT count(DISTINCT flow_id) AS n FROM flows_1m")
                        .contains(":100000");
            });
            page.open("#/v1/flows?since=1h");
            page.await(() -> page.text("[data-field=flows]").equals("100,000"));
            page.type(" "); // what is shown stays the same
            double[] millis = millis(page, SCROLL);
            System.out.printf(
                    Locale.ROOT,
                    "100,000 flows: frame p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                    millis[millis.length / 2],
                    millis[millis.length * 99 / 100],
                    millis[millis.length - 1]);
            page.picture("flows-100000");
            assertThat(millis[millis.length - 1]).isLessThan(50);
        }
    }

    private static void until(long begin, Duration after) {
        while (System.nanoTime() - begin < after.toNanos()) {
            LockSupport.parkNanos(100_000_000L);
        }
    }

    /** What is really in use. */
    private static long heap(Page page) {
        page.browser().executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        Map<String, Object> usage = page.browser().executeCdpCommand("Runtime.getHeapUsage", Map.of());
        return ((Number) Objects.requireNonNull(usage.get("usedSize"))).longValue();
    }
}
