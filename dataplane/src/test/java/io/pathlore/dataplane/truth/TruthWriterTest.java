package io.pathlore.dataplane.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.FlowId;
import io.pathlore.model.FlowKey;
import io.pathlore.testkit.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines are written by hand; ids are SHA-256 by another implementation over the texts of docs/reference/events.md. */
class TruthWriterTest {
    private static final long START = 1_794_765_600_123_456_789L;
    private static final Span OPEN = new Span(START, Span.ABSENT, Span.ABSENT);
    private static final FlowKey TCP = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 6, 45_678, 80);
    private static final String FLOW =
            "{\"id\":\"63d04c9c1d4df139\",\"source\":\"10.0.1.1\",\"destination\":\"10.0.2.2\","
                    + "\"protocol\":6,\"sourcePort\":45678,\"destinationPort\":80}";

    private final TruthWriter writer = new TruthWriter();

    private static String head(String kind, String id) {
        return "{\"kind\":\"" + kind + "\",\"id\":\"" + id + "\",\"start\":\"2026-11-15T18:00:00.123456789Z\",";
    }

    @Test
    void writesTheRunFirst() {
        assertThat(writer.run(new TruthWriter.Run("a \"quoted\" \\ name\n", -7, "md", "2.0", 0)))
                .isEqualTo("{\"kind\":\"lab\",\"scenario\":\"a \\\"quoted\\\" \\\\ name\\u000a\",\"seed\":-7,"
                        + "\"mode\":\"md\",\"reportVersion\":\"2.0\",\"start\":\"1970-01-01T00:00:00.000000000Z\"}\n");
    }

    @Test
    void writesAPathChange() {
        Span span = new Span(START, START, START + 1_000);
        assertThat(writer.fact(new Fact.PathChange(span, TCP, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L))))
                .isEqualTo(head("path-change", "4657b714e69adfa2")
                        + "\"end\":\"2026-11-15T18:00:00.123456789Z\",\"visibleAt\":\"2026-11-15T18:00:00.123457789Z\","
                        + "\"severity\":\"info\",\"flow\":" + FLOW + ",\"before\":[1,2,3],\"after\":[1,4,3]}\n");
    }

    @Test
    void writesALoop() {
        assertThat(writer.fact(new Fact.Loop(OPEN, TCP, List.of(1L, 2L, 1L))))
                .isEqualTo(head("loop", "1d966a60948e2427") + "\"severity\":\"critical\",\"flow\":" + FLOW
                        + ",\"path\":[1,2,1]}\n");
    }

    @Test
    void writesACongestion() {
        Fact fact = new Fact.Congestion(
                OPEN, 3, 2, 0, 123_456, 1_000_000, List.of(new Fact.Culprit(TCP, 4050)), List.of(TCP, TCP));
        assertThat(writer.fact(fact))
                .isEqualTo(head("congestion", "584ae378ddf2b9dc")
                        + "\"severity\":\"warning\",\"node\":3,\"interface\":2,\"queue\":0,\"peakOccupancy\":123456,"
                        + "\"culprits\":[{\"flow\":" + FLOW + ",\"share\":0.405}],\"victims\":[" + FLOW + "," + FLOW
                        + "]}\n");
    }

    @Test
    void writesALatency() {
        assertThat(writer.fact(new Fact.Latency(OPEN, 3, 2, Fact.ABSENT, 700, 90_000)))
                .isEqualTo(
                        head("latency", "d98887f527ad89b5")
                                + "\"severity\":\"warning\",\"node\":3,\"interface\":2,\"baselineNs\":700,\"observedNs\":90000}\n");
    }

    @Test
    void writesDrops() {
        String head = head("drops", "5c1292fc35afe2db") + "\"severity\":\"warning\",\"node\":3,\"reason\":26,";
        assertThat(writer.fact(new Fact.Drops(OPEN, 3, 26, "IP TTL zero", List.of(TCP), 5)))
                .isEqualTo(head + "\"reasonName\":\"IP TTL zero\",\"flow\":" + FLOW + ",\"count\":5}\n");
        assertThat(writer.fact(new Fact.Drops(OPEN, 3, 26, null, List.of(TCP, TCP), 5)))
                .isEqualTo(head + "\"flows\":[" + FLOW + "," + FLOW + "],\"count\":5}\n");
        assertThat(writer.fact(new Fact.Drops(OPEN, 3, 26, null, List.of(), 5))).isEqualTo(head + "\"count\":5}\n");
    }

    @Test
    void writesLinks() {
        assertThat(writer.fact(new Fact.LinkDown(OPEN, new Fact.LinkEnd(1, 2), new Fact.LinkEnd(4, 1))))
                .isEqualTo(
                        head("link-down", "a4a8a6fc0b8ada49")
                                + "\"severity\":\"critical\",\"from\":{\"node\":1,\"interface\":2},\"to\":{\"node\":4,\"interface\":1}}\n");
    }

    @Test
    void writesStreams() {
        assertThat(writer.fact(new Fact.ReportLoss(OPEN, 3, 0, 17)))
                .isEqualTo(head("report-loss", "f75b0388221a7a5b")
                        + "\"severity\":\"warning\",\"node\":3,\"hwId\":0,\"lost\":17}\n");
    }

    @Test
    void writesASpoof() {
        assertThat(writer.fact(new Fact.SpoofSuspected(OPEN, 0xFFFF_FFFFL, List.of("203.0.113.7"))))
                .isEqualTo(head("spoof-suspected", "65f09f9fbd6b0e9d")
                        + "\"severity\":\"critical\",\"node\":4294967295,\"addresses\":[\"203.0.113.7\"]}\n");
    }

    @Test
    void writesAnAttack() {
        Fact.Victim victim = new Fact.Victim(Fact.Prefix.ipv4(0xCB00_7107, 32), 80, 17);
        List<Fact.AttackSource> sources =
                List.of(new Fact.AttackSource("02:00:00:00:00:01", 1, 10_000), new Fact.AttackSource("4/2", 4, 1));
        assertThat(writer.fact(new Fact.Attack(OPEN, "udp-flood", victim, sources, 50_000)))
                .isEqualTo(head("attack", "abb8d4f53dfc5494")
                        + "\"severity\":\"critical\",\"vector\":\"udp-flood\","
                        + "\"victim\":{\"address\":\"203.0.113.7\",\"port\":80,\"protocol\":17},"
                        + "\"sources\":[{\"device\":\"02:00:00:00:00:01\",\"firstNode\":1,\"share\":1},"
                        + "{\"device\":\"4/2\",\"firstNode\":4,\"share\":0.0001}],\"packetsPerSecond\":50000}\n");
        Fact.Victim net = new Fact.Victim(Fact.Prefix.ipv4(0xCB00_7100, 24), Fact.ABSENT, Fact.ABSENT);
        assertThat(writer.fact(new Fact.Attack(OPEN, "carpet-bombing", net, List.of(), 1)))
                .isEqualTo(head("attack", "3c7d34bb321fd61f")
                        + "\"severity\":\"critical\",\"vector\":\"carpet-bombing\","
                        + "\"victim\":{\"prefix\":\"203.0.113.0/24\"},\"sources\":[],\"packetsPerSecond\":1}\n");
    }

    @Test
    void writesPackets() {
        FlowId flow = TCP.id();
        assertThat(writer.delivered(0, 1_500, flow, new long[] {1, 2, 9}, 2, 3))
                .isEqualTo(
                        "{\"kind\":\"packet\",\"time\":\"1970-01-01T00:00:00.000000000Z\",\"flow\":\"63d04c9c1d4df139\","
                                + "\"path\":[1,2],\"reports\":3,\"delivered\":true,\"arrived\":\"1970-01-01T00:00:00.000001500Z\"}\n");
        assertThat(writer.dropped(0, 1_500, flow, new long[] {1}, 1, 0, 1, 26))
                .isEqualTo(
                        "{\"kind\":\"packet\",\"time\":\"1970-01-01T00:00:00.000000000Z\",\"flow\":\"63d04c9c1d4df139\","
                                + "\"path\":[1],\"reports\":0,\"delivered\":false,"
                                + "\"dropped\":{\"time\":\"1970-01-01T00:00:00.000001500Z\",\"node\":1,\"reason\":26}}\n");
    }

    @Test
    void ordersFactsByStartThenId() {
        Fact early = new Fact.SpoofSuspected(new Span(1, Span.ABSENT, Span.ABSENT), 3, List.of());
        Fact one = new Fact.LinkUp(OPEN, new Fact.LinkEnd(1, 2), new Fact.LinkEnd(4, 1));
        Fact two = new Fact.ReportLoss(OPEN, 3, 0, 17);
        TruthWriter.Run run = new TruthWriter.Run("quiet", 1, "md", "2.0", 0);
        String all = writer.write(run, List.of(one, two, early));
        assertThat(writer.write(run, List.of(two, early, one))).isEqualTo(all);
        List<String> ids = all.lines()
                .skip(1)
                .map(line -> String.valueOf(Json.object(line).get("id")))
                .toList();
        assertThat(ids.getFirst()).isEqualTo(early.id().toString());
        assertThat(ids.subList(1, 3)).isSorted();
    }
}
