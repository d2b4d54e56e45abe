package io.pathlore.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Expected digests were made with another implementation of SHA-256 (Python's hashlib) over the texts shown. */
class IdentityTest {
    private static final long START = 1_794_765_600_123_456_789L; // 2026-11-15T18:00:00.123456789Z
    private static final FlowKey TCP = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 6, 45_678, 80);
    private static final long DOCUMENTATION = 0x2001_0DB8_0000_0000L;

    @Test
    void namesATcpFlow() {
        assertThat(TCP.canonical()).isEqualTo("10.0.1.1,10.0.2.2,6,45678,80,");
        assertThat(TCP.id()).hasToString("63d04c9c1d4df139");
    }

    @Test
    void usesIcmpTypeAndCodeInPlaceOfPorts() {
        FlowKey ping = new FlowKey(true, DOCUMENTATION, 1, DOCUMENTATION, 2, 58, -1, -1, 128, 0, -1);
        assertThat(ping.canonical()).isEqualTo("2001:db8::1,2001:db8::2,58,128,0,");
        assertThat(ping.id()).hasToString("56709befee3f1ff7");
    }

    @Test
    void leavesAbsentPortsEmptyAndKeepsTheOverlay() {
        FlowKey fragment = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 17, -1, -1).withVni(5000);
        assertThat(fragment.canonical()).isEqualTo("10.0.1.1,10.0.2.2,17,,,5000");
        assertThat(fragment.id()).hasToString("9155c0fe445dbff0");
    }

    @Test
    void namesEventsOfEveryShapeOfIdentity() {
        FlowId flow = TCP.id();
        check(EventKind.CONGESTION, EventIdentity.congestion(3, 2, 0), "3|2|0", "584ae378ddf2b9dc");
        check(
                EventKind.PATH_CHANGE,
                EventIdentity.pathChange(flow, List.of(1L, 4L, 3L)),
                "63d04c9c1d4df139|1,4,3",
                "4657b714e69adfa2");
        check(EventKind.LOOP, EventIdentity.loop(flow), "63d04c9c1d4df139", "1d966a60948e2427");
        check(EventKind.LATENCY, EventIdentity.latency(3, 2), "3|2", "d98887f527ad89b5");
        check(EventKind.DROPS, EventIdentity.drops(3, 26), "3|26", "5c1292fc35afe2db");
        check(EventKind.LINK_DOWN, EventIdentity.link(1, 2, 4, 1), "1/2|4/1", "a4a8a6fc0b8ada49");
        check(EventKind.REPORT_LOSS, EventIdentity.stream("3", 0), "3|0", "f75b0388221a7a5b");
        check(EventKind.EXPORTER_SILENT, EventIdentity.stream("10.0.0.3", 1), "10.0.0.3|1", "49283bcaf7906107");
        check(EventKind.SPOOF_SUSPECTED, EventIdentity.spoof(0xFFFF_FFFFL), "4294967295", "65f09f9fbd6b0e9d");
        check(
                EventKind.ATTACK,
                EventIdentity.attack("udp-flood", "203.0.113.7", 80, 17),
                "udp-flood|203.0.113.7,80,17",
                "abb8d4f53dfc5494");
        check(
                EventKind.ATTACK,
                EventIdentity.attack("carpet-bombing", "203.0.113.0/24", -1, -1),
                "carpet-bombing|203.0.113.0/24,,",
                "3c7d34bb321fd61f");
    }

    private static void check(EventKind kind, String identity, String expected, String id) {
        assertThat(identity).isEqualTo(expected);
        assertThat(EventId.canonical(kind, identity, START))
                .isEqualTo(kind.label() + "|" + expected + "|2026-11-15T18:00:00.123456789Z");
        assertThat(EventId.of(kind, identity, START)).hasToString(id);
        assertThat(EventId.parse(id)).isEqualTo(EventId.of(kind, identity, START));
    }

    @Test
    void rejectsAnIdOfAnotherLength() {
        assertThatThrownBy(() -> EventId.parse("584ae378")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ordersIdsAsTheirText() {
        assertThat(FlowId.parse("8000000000000000")).isGreaterThan(FlowId.parse("7fffffffffffffff"));
    }

    @Test
    void writesAndReadsTimes() {
        for (long nanos : new long[] {0, 1, -1, START, 1_799_999_999_000_000_000L, Long.MAX_VALUE}) {
            assertThat(TimeText.parse(TimeText.of(nanos))).isEqualTo(nanos);
        }
        assertThat(TimeText.of(0)).isEqualTo("1970-01-01T00:00:00.000000000Z");
        assertThat(TimeText.of(-1)).isEqualTo("1969-12-31T23:59:59.999999999Z");
        assertThat(TimeText.parse("2026-11-15T19:00:00.123456789+01:00")).isEqualTo(START);
        assertThat(TimeText.parse("yesterday")).isNull();
        assertThat(TimeText.parse("9999-01-01T00:00:00Z")).isNull();
    }

    @Test
    void findsKindsByLabel() {
        for (EventKind kind : EventKind.values()) {
            assertThat(EventKind.ofLabel(kind.label())).contains(kind);
        }
        assertThat(EventKind.ofLabel("lab")).isEmpty();
    }
}
