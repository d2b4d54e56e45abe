package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.ServedCollector;
import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.ingest.pcap.CapturedDatagrams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One packet of a network of postcards, from the reports that the lab sends of it. */
class ExplainPacketTest {
    private static final int DATAGRAMS = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final List<byte[]> datagrams = new ArrayList<>();

    @BeforeEach
    void reports() throws IOException {
        Ended lab = new Program()
                .in(directory)
                .with("lab", "run", "postcard", "--duration", "2s", "--seed", "3", "--pcap", "lab.pcap");
        assertThat(lab.status()).as(lab.err()).isZero();
        try (CaptureReader reader = CaptureReader.open(directory.resolve("lab.pcap"))) {
            CapturedDatagrams captured = CapturedDatagrams.toAnyPort(reader);
            while (captured.next() && datagrams.size() < DATAGRAMS) {
                byte[] bytes = new byte[captured.end() - captured.offset()];
                captured.buffer().get(captured.offset(), bytes);
                datagrams.add(bytes);
            }
        }
    }

    private static void send(ServedCollector collector, List<byte[]> all) throws IOException {
        for (int i = 0; i < all.size(); i += 20) {
            collector.send(all.subList(i, Math.min(all.size(), i + 20)).toArray(byte[][]::new));
        }
    }

    private static List<String> ids(JsonNode list) {
        List<String> ids = new ArrayList<>();
        list.forEach(item ->
                ids.add(item.isTextual() ? item.asText() : item.path("id").asText()));
        return ids;
    }

    /** A packet that three nodes told of: leaf, spine and leaf. */
    private static JsonNode packetOfThree(ServedCollector collector) throws Exception {
        for (String id : ids(collector.get("/api/v1/reports?since=1m").path("items"))) {
            JsonNode packet = collector.get("/api/v1/reports/" + id + "/packet");
            if (packet.path("hops").size() == 3) {
                return packet;
            }
        }
        throw new AssertionError("no packet over a spine");
    }

    private static int position(String report) {
        return Integer.parseInt(report.split("-", -1)[1]);
    }

    @Test
    void whatEachNodeSaidIsInOrderAndWhoIsMissingIsNamed() throws Exception {
        String first;
        String last;
        long spine;
        int lost;
        try (ServedCollector collector = new ServedCollector(directory.resolve("one"))) {
            send(collector, datagrams);
            JsonNode packet = packetOfThree(collector);
            assertThat(packet.path("whole").asBoolean()).isTrue();
            assertThat(packet.path("missing")).isEmpty();
            assertThat(packet.path("reports")).hasSize(3);
            JsonNode hops = packet.path("hops");
            assertThat(hops.path(0).path("ttl").asInt())
                    .isEqualTo(hops.path(2).path("ttl").asInt() + 2);
            first = hops.path(0).path("report").asText();
            last = hops.path(2).path("report").asText();
            spine = hops.path(1).path("node").asLong();
            lost = position(hops.path(1).path("report").asText());
            // From each of its reports it is the same packet.
            for (String id : ids(packet.path("reports"))) {
                assertThat(ids(collector
                                .get("/api/v1/reports/" + id + "/packet")
                                .path("reports")))
                        .isEqualTo(ids(packet.path("reports")));
            }
        }
        List<byte[]> without = new ArrayList<>(datagrams);
        without.remove(lost);
        try (ServedCollector collector = new ServedCollector(directory.resolve("two"))) {
            send(collector, without);
            String edge = ids(collector.get("/api/v1/reports?since=1m&limit=1").path("items"))
                    .getFirst()
                    .split("-", -1)[0];
            int at = position(first) - (position(first) > lost ? 1 : 0);
            String id = edge + "-" + at + "-" + first.substring(first.lastIndexOf('-') + 1);
            JsonNode packet = collector.get("/api/v1/reports/" + id + "/packet");
            assertThat(packet.path("whole").asBoolean()).isFalse();
            assertThat(packet.path("hops")).hasSize(2);
            assertThat(packet.path("missing")).hasSize(1);
            JsonNode missing = packet.path("missing").path(0);
            assertThat(missing.path("count").asInt()).isEqualTo(1);
            assertThat(missing.path("nodes").path(0).asLong()).isEqualTo(spine);
            assertThat(missing.path("after").asLong())
                    .isEqualTo(packet.path("hops").path(0).path("node").asLong());
            assertThat(position(last)).isNotEqualTo(lost);

            Ended told = new Program().in(directory).with("explain", "packet", id, "--server", collector.url());
            assertThat(told.status()).as(told.err()).isZero();
            assertThat(told.out())
                    .contains("in 2 reports")
                    .contains("1 node said nothing: " + spine)
                    .contains("Reports are missing");
        }
    }

    @Test
    void aReportThatNamesNoPacketStandsForItself() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory.resolve("one"))) {
            byte[] broken = Arrays.copyOf(datagrams.getFirst(), 12);
            collector.send(broken);
            String id =
                    ids(collector.get("/api/v1/reports?since=1m").path("items")).getFirst();
            JsonNode packet = collector.get("/api/v1/reports/" + id + "/packet");
            assertThat(packet.path("hops")).isEmpty();
            assertThat(packet.path("whole").asBoolean()).isFalse();
        }
    }

    @Test
    void whatThereIsNotIsSaidInALine() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory.resolve("one"))) {
            Ended none = new Program()
                    .in(directory)
                    .with("explain", "packet", "0123456789abcdef-7-0", "--server", collector.url());
            assertThat(none.status()).isEqualTo(1);
            assertThat(none.err()).contains("there is no report 0123456789abcdef-7-0");
        }
        Ended wrong = new Program().in(directory).with("explain", "packet", "seven");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("is no id of a report");
    }
}
