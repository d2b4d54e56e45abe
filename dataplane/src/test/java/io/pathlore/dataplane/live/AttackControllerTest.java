package io.pathlore.dataplane.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.report.AttackKey;
import io.pathlore.dataplane.scenario.AttackTable;
import io.pathlore.dataplane.topology.Line;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.model.IpText;
import io.pathlore.model.Prefix;
import io.pathlore.wire.net.AddressText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttackControllerTest {
    private final Topology topology =
            new Line(3, 2, Line.of(1).hostLink(), Line.of(1).trunk()).build();
    private final Lab lab = new Lab(
            topology,
            LabOptions.DEFAULT,
            1,
            1_000_000_000,
            _ -> null,
            List.of(),
            LabListener.NOBODY,
            (_, _, _, _, _, _, _) -> {});
    private final AttackTable table = new AttackTable(lab);
    private final AttackController controller =
            new AttackController(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final HttpClient client = HttpClient.newHttpClient();
    private final Topology.Host device = topology.hosts().get(0);
    private final Topology.Host victim = topology.hosts().get(2);
    private final String mac = AddressText.mac(device.mac() << 16);
    private final String address = IpText.of(false, 0, Integer.toUnsignedLong(victim.ipv4()));
    private final BlockRule rule =
            BlockRule.device(device.mac(), Prefix.address(false, 0, Integer.toUnsignedLong(victim.ipv4())), 53);

    AttackControllerTest() throws IOException {}

    @AfterEach
    void close() {
        controller.close();
        client.close();
    }

    private HttpResponse<String> call(String method, String path, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + controller.address().getPort() + path);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        controller.apply(table);
        return answer;
    }

    private String event(String version, String ip, String port) {
        return "{\"event\": {\"src_mac\": \"" + mac + "\", " + version + "\"dst_ip\": \"" + ip + "\", \"dst_port\": "
                + port + ", \"count\": 100}}";
    }

    private boolean blocked() {
        return lab.blocked(0, rule) >= 0;
    }

    @Test
    void blocksAndUnblocksADevice() throws Exception {
        HttpResponse<String> answer = call("POST", "/aggAttack", event("\"ip_ver\": 4, ", address, "53"));
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("\"{\\\"success\\\": true}\"\n");
        assertThat(blocked()).isTrue();
        call("POST", "/aggAttack", event("\"ip_ver\": 4, ", address, "53"));
        assertThat(table.size()).isEqualTo(1);
        assertThat(call("DELETE", "/aggAttack", event("\"ip_ver\": 4, ", address, "53"))
                        .statusCode())
                .isEqualTo(201);
        assertThat(blocked()).isFalse();
    }

    /** Their analytics sends the low half of the key and whatever follows it. */
    @Test
    void unblocksByKey() throws Exception {
        call("POST", "/aggAttack", event("\"ip_ver\": 4, ", address, "53"));
        String key =
                String.format("%016x", AttackKey.of(device.mac(), 53, false, 0, Integer.toUnsignedLong(victim.ipv4())));
        call(
                "DELETE",
                "/aggAttack",
                "{\"event\":{\"dropKey\":\"" + key + "1bbe0f5d00170000\",\"dropCount\":3,\"count\":3}}");
        assertThat(blocked()).isFalse();
    }

    @Test
    void saysYesToEverything() throws Exception {
        for (String body : List.of(
                event("\"ip_ver\": \"4\", ", address, "53"),
                event("\"ip_ver\": 4, ", "nowhere", "53"),
                event("\"ip_ver\": 4, ", address, "70000"),
                event("\"ip_ver\": 6, ", address, "53"),
                "{\"event\":{}}",
                "{\"event\":{\"src_mac\":\"0A:00:00:00:00:01\",\"ip_ver\":4,\"dst_ip\":\"10.0.0.1\",\"dst_port\":1}}",
                "{\"event\":{\"src_mac\":\"0a:0b:0c:0d:0e:0f\",\"ip_ver\":4,\"dst_ip\":\"10.0.0.1\",\"dst_port\":1}}")) {
            assertThat(call("POST", "/aggAttack", body).statusCode()).as(body).isEqualTo(201);
        }
        assertThat(table.size()).isZero();
        assertThat(controller.heard()).isEqualTo(7);
        assertThat(controller.lost()).isEqualTo(6);
    }

    @Test
    void anEntryWithoutAVersionCannotBeDeletedByKey() throws Exception {
        call("POST", "/aggAttack", event("", address, "53"));
        assertThat(blocked()).isTrue();
        String key =
                String.format("%016x", AttackKey.of(device.mac(), 53, false, 0, Integer.toUnsignedLong(victim.ipv4())));
        call("DELETE", "/aggAttack", "{\"event\":{\"dropKey\":\"" + key + "\",\"dropCount\":3,\"count\":3}}");
        assertThat(blocked()).isTrue();
        call("DELETE", "/aggAttack", event("", address, "53"));
        assertThat(blocked()).isFalse();
    }

    @Test
    void hasRoomForAThousandAndTwentyFour() {
        for (int port = 1; port <= AttackTable.CAPACITY + 10; port++) {
            table.install(device.mac(), Prefix.address(false, 0, 1), port, true);
        }
        assertThat(table.size()).isEqualTo(AttackTable.CAPACITY);
    }

    @Test
    void isNoOtherServer() throws Exception {
        assertThat(call("GET", "/aggAttack", "").statusCode()).isEqualTo(405);
        assertThat(call("POST", "/other", "{}").statusCode()).isEqualTo(404);
        for (String body : List.of(
                "", "{", "[]", "{\"event\":[]}", "{\"event\":{}} x", "{\"event\":{\"a\":tru}}", "{\"a\":".repeat(99))) {
            assertThat(call("POST", "/aggAttack", body).statusCode()).as(body).isEqualTo(400);
        }
    }
}
