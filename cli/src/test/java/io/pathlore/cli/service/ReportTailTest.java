package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTailTest {
    private static final int BURST = 400;
    private static final byte[] REPORT = GoldenVectors.bytes("R11");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** Hears for three seconds of ticks; what a tick takes is nothing. */
    private static final class Recorder implements ReportTail.Hearer {
        private final ServedCollector collector;
        private final List<JsonNode> rates = new ArrayList<>();
        private int ticks;

        Recorder(ServedCollector collector) {
            this.collector = collector;
        }

        @Override
        public boolean tell(String event, String data) {
            try {
                if (event.equals("rate")) {
                    rates.add(new JsonMapper().readTree(data));
                }
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** In the second second more comes than one datagram a tick. */
        @Override
        public boolean stays(Duration time) {
            if (++ticks == 15) {
                try {
                    collector.send(many(10 * BURST));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return ticks <= 30;
        }
    }

    private static byte[][] many(int count) {
        byte[][] all = new byte[count][];
        java.util.Arrays.fill(all, REPORT);
        return all;
    }

    @Test
    void oneWhoCannotKeepUpSkipsAndSaysSo() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory);
                JournalReports reports = new JournalReports(
                        collector.process().collector().service().journalDirectory())) {
            collector.send(many(5));
            Recorder recorder = new Recorder(collector);
            EvenChoice choice = new EvenChoice(50, new SplittableRandom(1));
            // Whatever it reads came ten seconds ago, and it has time for one datagram a tick.
            new ReportTail(
                            reports,
                            reports.begin(Config.defaults(), Filter.ALL),
                            choice,
                            recorder,
                            () -> CollectorProcess.epochNanos() + 10_000_000_000L,
                            0)
                    .run();
            assertThat(recorder.rates).hasSize(3);
            JsonNode quiet = recorder.rates.get(0);
            assertThat(quiet.path("seen").asInt()).isEqualTo(3 * 5);
            assertThat(quiet.path("behind").asDouble()).isZero();
            assertThat(quiet.has("skipped")).isFalse();
            JsonNode late = recorder.rates.get(1);
            assertThat(late.path("skipped").asInt()).isBetween(BURST, 10 * BURST);
            assertThat(late.path("behind").asDouble()).isGreaterThan(5);
        }
    }
}
