package io.pathlore.dataplane.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.truth.InventoryWriter.Interface;
import io.pathlore.dataplane.truth.InventoryWriter.Node;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import java.util.List;
import org.junit.jupiter.api.Test;

class InventoryWriterTest {
    @Test
    void writesWhatTheCollectorNeeds() {
        Node leaf = new Node(
                3,
                "leaf-3",
                List.of("10.0.0.3"),
                "auto",
                "datagram",
                100,
                "ns",
                false,
                1_000_000,
                List.of(new Interface(1, "eth1", 100_000_000_000L), new Interface(2, "to: home", 1_500_000)));
        Node bare = new Node(0xFFFF_FFFFL, "no", List.of(), "spec", "auto", 0, "us", true, 0, List.of());
        assertThat(InventoryWriter.write("leaf-spine\n2", Codepoints.DEFAULT.decodeOptions(false), List.of(leaf, bare)))
                .isEqualTo("""
                # leaf-spine 2
                decode:
                  int:
                    udp-ports: [555]
                    dscp: [0x17/0x3F]
                    probe-marker: 0x0123456789ABCDEF
                    geneve-classes: [0x0103, 0x00AB]
                    gpe-new: [0x82]
                    gpe-old: [0x08]
                    gre-ethertype: 0x88B6
                    tcp-options: after
                    june-2016: false
                  domains:
                    0x5453: [{ bit: 0, words: 2, source-only: true, name: device }]
                inventory:
                  - node: 3
                    name: leaf-3
                    addresses: ["10.0.0.3"]
                    profile: auto
                    sequence: datagram
                    sampling: 100
                    timestamp-unit: ns
                    clock: free
                    queue: { unit: bytes, capacity: 1000000 }
                    interfaces:
                      1: { name: eth1, speed: 100G }
                      2: { name: "to: home", speed: 1500K }
                    drop-reasons: fabric-tna
                  - node: 4294967295
                    name: "no"
                    addresses: []
                    profile: spec
                    sequence: auto
                    sampling: null
                    timestamp-unit: us
                    clock: synchronised
                    queue: { unit: bytes }
                    drop-reasons: fabric-tna
                """);
    }

    @Test
    void writesAnEmptyNetwork() {
        assertThat(InventoryWriter.write("none", DecodeOptions.strictly().withDomains(Domains.NONE), List.of()))
                .contains("probe-marker: null")
                .contains("gre-ethertype: null")
                .doesNotContain("domains")
                .endsWith("inventory: []\n");
    }

    @Test
    void writesSpeedsWithoutFractions() {
        assertThat(InventoryWriter.speed(2_000_000_000_000L)).isEqualTo("2T");
        assertThat(InventoryWriter.speed(2_500_000_000L)).isEqualTo("2500M");
        assertThat(InventoryWriter.speed(999)).isEqualTo("999");
        assertThat(InventoryWriter.speed(0)).isEqualTo("0");
    }
}
