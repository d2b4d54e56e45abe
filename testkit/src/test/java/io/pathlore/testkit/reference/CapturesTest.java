package io.pathlore.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.vectors.Captures;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of other people's switches: every value their makers vouch for. */
class CapturesTest {
    /** Names of the expectations, and of the decoded report. */
    private static final Map<String, String> HOP = Map.ofEntries(
            Map.entry("switch_id", "nodeId"),
            Map.entry("ingress_port", "ingressInterface"),
            Map.entry("egress_port", "egressInterface"),
            Map.entry("hop_latency", "hopLatency"),
            Map.entry("queue_id", "queueId"),
            Map.entry("queue_occupancy", "queueOccupancy"),
            Map.entry("ingress_tstamp", "ingressTimestamp"),
            Map.entry("egress_tstamp", "egressTimestamp"),
            Map.entry("l2_ingress_port", "l2IngressInterface"),
            Map.entry("l2_egress_port", "l2EgressInterface"),
            Map.entry("tx_util", "txUtilization"));

    private static final Map<String, String> NODE = Map.of(
            "hop_limit", "hopLimit",
            "node_id", "nodeId",
            "ingress_if", "ingressInterface",
            "egress_if", "egressInterface",
            "ts_seconds", "timestampSeconds",
            "ts_fraction", "timestampFraction");

    /** One frame of a capture: what was decoded and what was expected. */
    private record Case(Decoded got, Decoded want) {
        void same(String gotPath, String wantPath) {
            assertThat(got.at(gotPath)).as("%s of %s", gotPath, got).isEqualTo(want.at(wantPath));
        }

        void sameIfSaid(String gotPath, String wantPath) {
            if (want.at(wantPath) != null) {
                same(gotPath, wantPath);
            }
        }

        void sameFlag(String gotPath, String wantPath) {
            assertThat(got.at(gotPath))
                    .as("%s of %s", gotPath, got)
                    .isEqualTo(Long.valueOf(1).equals(want.at(wantPath)));
        }

        void sameHex(String gotPath, String wantPath) {
            assertThat(got.at(gotPath)).as(gotPath).isEqualTo(Long.decode(String.valueOf(want.at(wantPath))));
        }

        void sameFlow(String path) {
            Map<String, Object> flow = new LinkedHashMap<>();
            put(flow, "source", want.at(path + ".src"));
            put(flow, "destination", want.at(path + ".dst"));
            put(flow, "protocol", want.at(path + ".proto"));
            put(flow, "sourcePort", want.at(path + ".sport"));
            put(flow, "destinationPort", want.at(path + ".dport"));
            Map<Object, Object> decoded = new LinkedHashMap<>((Map<?, ?>) some(got.at("flow")));
            decoded.remove("icmpType");
            decoded.remove("icmpCode");
            assertThat(decoded).as(got.toString()).isEqualTo(flow);
        }
    }

    private static void put(Map<String, Object> map, String key, @Nullable Object value) {
        if (value != null) {
            map.put(key, value);
        }
    }

    private static Object some(@Nullable Object value) {
        assertThat(value).isNotNull();
        if (value == null) {
            throw new AssertionError();
        }
        return value;
    }

    private static List<Case> cases(String name) {
        List<Case> cases = new ArrayList<>();
        Decoded expected = new Decoded(Captures.expected(name));
        ReferenceDecoder decoder = new ReferenceDecoder(ReferenceOptions.lenientDefaults());
        List<Captures.Frame> frames = Captures.frames(name);
        for (int i = 0; i < frames.size(); i++) {
            Decoded want = new Decoded(expected.at("packets." + i));
            assertThat(want.at("index")).isEqualTo((long) i);
            if (name.startsWith("linux_ioam")) {
                Map<String, Object> packet = decoder.decodePacket(frames.get(i).bytes(), PacketStart.ETHERNET);
                cases.add(new Case(new Decoded(packet), want));
            } else {
                List<Map<String, Object>> reports = decoder.decode(frames.get(i).datagram());
                assertThat(reports).hasSize(1);
                cases.add(new Case(new Decoded(reports.getFirst()), want));
            }
        }
        return cases;
    }

    /** Wire order is newest first, ours is path order. */
    private static List<Object> hops(@Nullable Object wireOrder, Map<String, String> names) {
        List<Object> hops = new ArrayList<>();
        for (Object expected : (List<?>) some(wireOrder)) {
            Map<String, Object> hop = new LinkedHashMap<>();
            if (expected instanceof Map<?, ?> items) {
                items.forEach((name, value) -> {
                    String ours = some(names.get(String.valueOf(name))).toString();
                    hop.put(ours, ours.endsWith("Timestamp") ? String.valueOf(value) : some(value));
                });
            } else {
                hop.put("nodeId", some(expected));
            }
            hops.add(hop);
        }
        Collections.reverse(hops);
        return hops;
    }

    @Test
    void fabricReports() {
        for (Case frame : cases("fabric_v05_reports")) {
            frame.got.says("""
                    report.version "0.5"
                    report.dialect absent
                    warnings absent
                    int absent""");
            frame.same("report.nodeId", "report.switch_id");
            frame.same("report.hwId", "report.hw_id");
            frame.same("report.sequence", "report.sequence");
            frame.sameFlag("report.dropped", "report.d");
            frame.sameFlag("report.congested", "report.q");
            frame.sameFlag("report.tracked", "report.f");
            frame.same("metadata.ingressInterface", "report.ingress_port");
            frame.same("metadata.egressInterface", "report.egress_port");
            boolean drop = "drop".equals(frame.want.at("report.kind"));
            frame.same(drop ? "metadata.dropQueueId" : "metadata.queueId", "report.queue_id");
            frame.same("metadata.queueOccupancy", "report.queue_occupancy");
            frame.same("metadata.dropReason", "report.drop_reason");
            assertThat(frame.got.at("metadata.ingressTimestamp"))
                    .isEqualTo(String.valueOf(frame.want.at("report.ingress_tstamp")));
            if (!drop) {
                assertThat(frame.got.at("metadata.egressTimestamp"))
                        .isEqualTo(String.valueOf(frame.want.at("report.egress_tstamp")));
            }
            frame.sameFlow("flow");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"geant_int10_reports", "onos_basic_int10_reports", "p4int_md_v20_reports", "p4int_mx_v20_reports"
            })
    void bmv2Reports(String name) {
        for (Case frame : cases(name)) {
            boolean v10 = frame.want.at("report.switch_id") != null;
            frame.got.says("report.version \"%s\"".formatted(v10 ? "1.0" : "2.0"));
            frame.same("report.nodeId", v10 ? "report.switch_id" : "report.node_id");
            frame.same("report.hwId", "report.hw_id");
            frame.same("report.sequence", v10 ? "report.sequence" : "report.sequence_22bit");
            String flags = v10 ? "report." : "report.individual.";
            frame.sameFlag("report.dropped", flags + "d");
            frame.sameFlag("report.congested", flags + "q");
            frame.sameFlag("report.tracked", flags + "f");
            if (!v10) {
                frame.sameFlag("report.intermediate", flags + "i");
            }
            frame.sameFlow("flow");
            frame.sameHex("int.0.instructions", "int.instruction");
            frame.sameIfSaid("int.0.hopMl", "int.hop_ml");
            frame.sameIfSaid("int.0.remainingHops", "int.remaining_hop_cnt");
            frame.sameIfSaid("int.0.originalDscp", "int.original_dscp");
            frame.sameIfSaid("int.0.originalDscp", "original_dscp");
            assertThat(frame.got.at("int.0.hops")).isEqualTo(hops(frame.want.at("hops_wire_order"), HOP));
            Object missing = frame.want.at("stack_bytes_missing_at_end");
            assertThat(frame.got.at("int.0.truncated")).isEqualTo(missing != null && !missing.equals(0L));
            assertThat(frame.got.at("int.1")).isNull();
            Object afterOptions = frame.want.at("int.tcp_data_offset_words");
            boolean hasTcpOptions = afterOptions != null && !afterOptions.equals(5L);
            assertThat(frame.got.faults().contains("A-56")).isEqualTo(hasTcpOptions);
        }
    }

    @Test
    void bmv2ReportsNameTheirDialect() {
        Map<String, List<String>> warnings = Map.of(
                "geant_int10_reports", List.of("geant", "[A-41]"),
                "onos_basic_int10_reports", List.of("onos-basic", "[A-47, A-48]"),
                "p4int_md_v20_reports", List.of("p4-int", "[A-59]"),
                "p4int_mx_v20_reports", List.of("p4-int", "[A-57, A-59, A-29, A-62]"));
        warnings.forEach((name, expected) -> {
            Case first = cases(name).getFirst();
            assertThat(first.got.at("report.dialect")).isEqualTo(expected.get(0));
            assertThat(first.got.faults()).hasToString(expected.get(1));
        });
    }

    @Test
    void transparentSecurityReports() {
        for (Case frame : cases("transparent_security_reports")) {
            frame.got.says("""
                    report.version "2.0"
                    report.dialect "transparent-security"
                    report.inner "ethernet"
                    int.0.truncated false""");
            frame.same("report.nodeId", "report.node_id");
            frame.same("report.hwId", "report.hw_id");
            frame.same("report.sequence", "report.sequence_16bit");
            frame.same("domain.id", "report.domain_id");
            frame.sameFlow("flow");
            frame.same("int.0.hopMl", "int.hop_ml");
            frame.same("int.0.remainingHops", "int.remaining_hop_cnt");
            frame.same("int.0.domainId", "int.domain_id");
            frame.sameHex("int.0.instructions", "int.instruction");
            frame.sameHex("int.0.dsInstructions", "int.ds_instruction");
            frame.sameHex("int.0.dsFlags", "int.ds_flags");
            frame.same("int.0.sourceDevice", "orig_mac");
            frame.same("outerFlow.destinationPort", "int.udp_int_dport");
            assertThat(frame.got.at("int.0.hops")).isEqualTo(hops(frame.want.at("stack_wire_order"), HOP));
            assertThat(frame.got.faults())
                    .contains("A-28", "A-29", "A-31", "A-32")
                    .doesNotContain("A-30");
        }
    }

    @Test
    void transparentSecurityOnTofino() {
        List<Case> cases = cases("transparent_security_tofino");
        for (Case frame : cases.subList(0, 4)) {
            frame.same("report.nodeId", "wire_reading.node_id");
            frame.same("report.hwId", "wire_reading.hw_id");
            frame.same("report.sequence", "wire_reading.sequence_16bit_as_this_emitter_defines_it");
            frame.sameFlow("flow_original");
            frame.same("ethernet.source", "wire_reading.inner.eth_src");
            frame.same("ethernet.destination", "wire_reading.inner.eth_dst");
            frame.same("int.0.sourceDevice", "wire_reading.inner.source_only_orig_mac");
            frame.same("int.0.remainingHops", "wire_reading.inner.int_md.remaining_hop_cnt");
            frame.sameHex("domain.bits", "wire_reading.ds_md_bits");
            frame.sameHex("domain.status", "wire_reading.ds_md_status");
            assertThat(frame.got.at("int.0.hops"))
                    .isEqualTo(hops(frame.want.at("wire_reading.inner.stack_words_in_wire_order"), HOP));
            BigInteger flags = BigInteger.valueOf((Long) some(frame.want.at("wire_reading.flags_dqfi")));
            assertThat(frame.got.at("report.dropped")).isEqualTo(flags.testBit(3));
            assertThat(frame.got.at("report.congested")).isEqualTo(flags.testBit(2));
            assertThat(frame.got.at("report.tracked")).isEqualTo(flags.testBit(1));
            assertThat(frame.got.at("report.intermediate")).isEqualTo(flags.testBit(0));
        }
        // IP says TCP already in the IPv6 one only
        assertThat(cases.get(1).got.faults()).doesNotContain("A-30");
        assertThat(cases.get(3).got.faults()).contains("A-30");

        Case drop = cases.get(4);
        drop.same("report.nodeId", "wire_reading.node_id");
        drop.same("drop.timestamp", "wire_reading.drop.timestamp");
        drop.same("drop.count", "wire_reading.drop.drop_count");
        drop.same("drop.key", "drop_key_bytes_32_47");
        drop.got.says("metadata {\"dropQueueId\":0,\"dropReason\":15}");
    }

    @Test
    void linuxIoamPackets() {
        for (Case frame : cases("linux_ioam_packets")) {
            frame.sameFlow("flow");
            frame.got.says("""
                    ioam.0.type "preallocated-trace"
                    ioam.1 absent
                    report absent
                    warnings absent""");
            frame.same("ioam.0.namespace", "namespace");
            frame.sameHex("ioam.0.traceType", "trace_type");
            frame.same("ioam.0.nodeLen", "node_len_words");
            frame.same("ioam.0.remainingLen", "remaining_len_words");
            frame.sameFlag("ioam.0.overflow", "overflow");
            assertThat(frame.got.at("ioam.0.hops")).isEqualTo(hops(frame.want.at("nodes_wire_order"), NODE));
        }
    }
}
