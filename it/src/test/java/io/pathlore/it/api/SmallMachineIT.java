package io.pathlore.it.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Half a gigabyte and one processor: the demo starts, shows what it should, and what is too much for it is counted. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class SmallMachineIT {
    private static final long KB = 1_024;
    private static final long ROOM = 512 * KB * KB;
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final int FLOOD = 200_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void theDemoRunsAndShedsWithCounts() throws Exception {
        // What the launcher takes where a container has so little.
        List<String> jvm = new ArrayList<>(RunningCollector.JVM);
        jvm.remove("-Xmx512m");
        jvm.add("-Xmx128m");
        jvm.add("-XX:ActiveProcessorCount=1");
        try (ServedDemo demo = ServedDemo.start(temp, List.of("taskset", "-c", "0"), jvm)) {
            RunningCollector.until("it shows nodes", () -> {
                ServedDemo.Answer nodes = demo.get("/api/v1/nodes");
                return nodes.status() == 200 && nodes.body().contains("leaf");
            });
            flood(port(demo));
            RunningCollector.until("all of it is accounted for", () -> unaccounted(demo) == 0);
            assertThat(demo.get("/healthz").status()).isEqualTo(200);
            assertThat(demo.get("/").status()).isEqualTo(200);
            assertThat(peak(demo)).isLessThan(ROOM);
        }
    }

    private static int port(ServedDemo demo) throws IOException {
        Matcher matcher = Pattern.compile("\"socket\":\"127.0.0.1:(\\d+)\"")
                .matcher(demo.get("/api/v1/status").body());
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    /** As fast as it goes: reports of ever other flows. */
    private static void flood(int port) throws IOException {
        byte[] report = GoldenVectors.bytes("R7");
        ByteBuffer bytes = ByteBuffer.wrap(report);
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.3"), 0))) {
            for (int i = 0; i < FLOOD; i++) {
                bytes.putInt(0, 0x2000_0000 | i & 0x3F_FFFF);
                bytes.putInt(32, 0x0A00_0000 | i);
                socket.send(new DatagramPacket(report, report.length, InetAddress.ofLiteral("127.0.0.1"), port));
            }
        }
    }

    /** Of the flood; the equations of the ledger hold. */
    private static long unaccounted(ServedDemo demo) throws IOException {
        Map<String, Object> ledger = Json.object(demo.get("/api/v1/ledger").body());
        long read = number(ledger, "datagramsRead");
        long decoded = number(ledger, "reportsDecoded");
        long rejected = sum(ledger, "rejected");
        long flight = number(ledger, "inFlight");
        assertThat(Math.abs(read - number(ledger, "accepted") - number(ledger, "queueDropped") - rejected))
                .isLessThanOrEqualTo(flight);
        assertThat(Math.abs(decoded - number(ledger, "analysed") - number(ledger, "duplicates") - sum(ledger, "shed")))
                .isLessThanOrEqualTo(flight);
        return Math.max(0, FLOOD - read - sum(ledger, "kernelDropped")) + flight;
    }

    private static long number(Map<String, Object> in, String name) {
        return ((Number) Objects.requireNonNull(in.get(name))).longValue();
    }

    private static long sum(Map<String, Object> in, String name) {
        return Document.object(in, name).values().stream()
                .mapToLong(each -> ((Number) each).longValue())
                .sum();
    }

    private static long peak(ServedDemo demo) throws IOException {
        Matcher matcher = PEAK.matcher(
                Files.readString(Path.of("/proc/" + demo.process().process().pid() + "/status")));
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1)) * KB;
    }
}
