package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.cli.config.Service;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.model.ReportRow;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.Table;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A minute that is read again from the journal, after a stop in its middle, is what it would have been without. */
@Timeout(120)
class RereadingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE_START = 1_767_225_600L * SECOND;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static final class Rows implements RowSink {
        private final Map<String, String> byKey = new TreeMap<>();

        @Override
        public void row(Row row) {
            Row.Told told = row.told();
            if (row.time() >= MINUTE_START && row.table() != Table.NODES) { // who saw a node first, tables know
                byKey.put(RollupJson.key(told), RollupJson.json(told));
            }
        }

        @Override
        public void complete(long untilNanos) {}
    }

    /** As the journal has them. */
    private static List<byte[]> journal(Scenario scenario, long startNanos) {
        List<byte[]> envelopes = new ArrayList<>();
        ScenarioRun run = new ScenarioRun(
                scenario,
                1,
                WorldTime.from(startNanos),
                new ScenarioNodes(),
                LabListener.NOBODY,
                (time, address, port, destination, payload, from, end) -> {
                    ByteBuffer envelope = ByteBuffer.allocate(Envelope.LENGTH + end - from);
                    long here = ByteBuffer.wrap(InetAddress.getLoopbackAddress().getAddress())
                            .getInt();
                    int at = Envelope.encode(
                            envelope,
                            0,
                            0,
                            end - from,
                            time,
                            1,
                            envelopes.size(),
                            false,
                            0,
                            address & 0xFFFF_FFFFL,
                            port,
                            0,
                            here,
                            32_766);
                    envelope.put(at, payload, from, end - from);
                    envelopes.add(envelope.array());
                });
        for (long until = SECOND; run.runUntil(until); until += SECOND) {}
        return envelopes;
    }

    private static Map<String, String> read(Service service, List<byte[]> journal, long fromNanos) {
        Rows rows = new Rows();
        Rereading again = new Rereading(service, fromNanos, rows, 7);
        Envelope envelope = new Envelope();
        for (byte[] each : journal) {
            ByteBuffer octets = ByteBuffer.wrap(each);
            if (Envelope.receivedNanos(octets, 0) >= Rereading.leadIn(fromNanos)) {
                assertThat(envelope.wrap(octets, 0, each.length)).isTrue();
                again.add(envelope);
            }
        }
        again.end();
        return rows.byKey;
    }

    /** The first began longer ago than what is read for its sake only. */
    @ParameterizedTest
    @CsvSource({
        "demo, 28, 50, flows_1m hops_1m hops_1s links_1m paths",
        "report-loss, 6, 12, exporters_1m hops_1m hops_1s",
        "acl-drops, 6, 12, drops_1s flows_1m"
    })
    void isTheSameAsWithoutAStop(String name, int before, int seconds, String tables) throws IOException {
        Scenario scenario = ScenarioFiles.load(name, directory).withDuration(seconds * SECOND);
        Path inventory = Files.writeString(directory.resolve("inventory.yaml"), LabInventory.of(scenario, own -> own));
        Service service =
                new ConfigLoader(directory, directory, Map.of()).loadService(inventory, List.of("data=" + directory));
        List<byte[]> journal = journal(scenario, MINUTE_START - before * SECOND);

        Map<String, String> undisturbed = read(service, journal, Long.MIN_VALUE);

        assertThat(undisturbed.keySet().stream().map(key -> key.replaceAll("/.*", "")))
                .contains(tables.split(" "));
        assertThat(read(service, journal, MINUTE_START)).containsExactlyEntriesOf(undisturbed);
    }

    @Test
    void whatWasBeforeIsNotToldAgain() {
        assertThat(Rereading.leadIn(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(Rereading.leadIn(ReportRow.ABSENT)).isLessThan(0);
    }
}
