package io.pathlore.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A scenario and a seed are all there is to a run: the same datagrams and the same truth, today, tomorrow and elsewhere. */
class DeterminismTest {
    private static final Path DIGESTS = Path.of("src", "test", "resources", "lab", "digests.txt");
    private static final long SEED = 1;
    private static final long OTHER_SEED = 2;
    private static final long STEP_NANOS = 10_000_000;

    /** All that leaves a run, in short. */
    private record Outcome(String datagrams, String truth, String inventory) {
        String digest() {
            return hex(Ids.sha256().digest((datagrams + truth + inventory).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    /** {@code stepNanos}: how far it is let run at a time, which must not matter. */
    private static Outcome run(String name, long seed, long stepNanos) {
        Scenario scenario = Shipped.load(name);
        MessageDigest datagrams = Ids.sha256();
        ByteBuffer head = ByteBuffer.allocate(64);
        ScenarioRun run =
                Shipped.begin(scenario, seed, LabListener.NOBODY, (time, address, port, to, payload, from, end) -> {
                    head.clear().putLong(time).putInt(address).putInt(port);
                    put(head, to).putInt(end - from);
                    datagrams.update(head.flip());
                    datagrams.update(payload.duplicate().clear().position(from).limit(end));
                });
        long until = stepNanos;
        while (run.runUntil(until)) {
            until += stepNanos;
        }
        return new Outcome(
                hex(datagrams.digest()),
                Shipped.truth(scenario, seed, run.facts()),
                LabInventory.of(scenario, address -> address));
    }

    private static ByteBuffer put(ByteBuffer head, ReportDestination to) {
        return head.put((byte) (to.v6() ? 6 : 4))
                .putLong(to.addressHigh())
                .putLong(to.addressLow())
                .putInt(to.port());
    }

    static List<String> scenarios() {
        return Shipped.names();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void aSeedIsARun(String name) {
        Outcome first = run(name, SEED, Long.MAX_VALUE);
        assertThat(run(name, SEED, STEP_NANOS)).isEqualTo(first);

        Outcome other = run(name, OTHER_SEED, Long.MAX_VALUE);
        assertThat(other.datagrams).isNotEqualTo(first.datagrams);
        assertThat(other.inventory).isEqualTo(first.inventory);
    }

    /** Who changes what scenarios give, by intent, rewrites the file; who does not has found out. */
    @Test
    void givesWhatItGaveBefore() throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (String name : Shipped.names()) {
            digests.put(name, run(name, SEED, Long.MAX_VALUE).digest());
        }
        String text = digests.entrySet().stream()
                .map(entry -> entry.getValue() + "  " + entry.getKey() + "\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("pathlore.rewrite")) {
            Files.writeString(DIGESTS, text);
        }
        assertThat(Files.readString(DIGESTS))
                .as("rewrite it with -Dpathlore.rewrite=true")
                .isEqualTo(text);
    }
}
