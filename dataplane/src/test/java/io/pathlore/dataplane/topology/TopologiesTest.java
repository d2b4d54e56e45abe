package io.pathlore.dataplane.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.topology.Topology.End;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Link;
import io.pathlore.dataplane.topology.Topology.Switch;
import io.pathlore.dataplane.topology.Topology.Tier;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopologiesTest {
    private static final List<Topology> ALL = List.of(
            Line.of(1).build(),
            Line.of(5).build(),
            Ring.of(3).build(),
            Ring.of(9).build(),
            LeafSpine.of(4, 2, 8).build(),
            LeafSpine.of(32, 8, 16).build(),
            FatTree.of(2).build(),
            FatTree.of(4).build(),
            FatTree.of(8).build(),
            Access.of(2, 3, 4, 5).build(),
            Access.of(10, 60, 9, 508).build());

    @Test
    void everyDeviceIsReachedFromEveryOther() {
        for (Topology topology : ALL) {
            Set<Integer> reached = new HashSet<>(Set.of(0));
            var next = new ArrayDeque<>(List.of(0));
            while (!next.isEmpty()) {
                int at = next.remove();
                for (int i = 1; i <= topology.interfaces(at); i++) {
                    int peer = topology.peer(at, i).device();
                    if (reached.add(peer)) {
                        next.add(peer);
                    }
                }
            }
            assertThat(reached)
                    .as(topology.name())
                    .hasSize(topology.switches().size() + topology.hosts().size());
        }
    }

    @Test
    void nothingIsThereTwice() {
        for (Topology topology : ALL) {
            Set<Object> seen = new HashSet<>();
            for (Switch device : topology.switches()) {
                assertThat(device.device()).isEqualTo(topology.switches().indexOf(device));
                assertThat(seen.add("node " + device.nodeId())).isTrue();
                assertThat(seen.add(device.name())).isTrue();
                assertThat(seen.add("ip " + device.address())).isTrue();
                assertThat(seen.add("low 24 bits " + (device.address() & 0xFF_FFFF)))
                        .isTrue();
                assertThat(device.address() >>> 16).isEqualTo(0x0AFF);
            }
            for (Host host : topology.hosts()) {
                assertThat(host.device())
                        .isEqualTo(topology.switches().size() + topology.hosts().indexOf(host));
                assertThat(topology.host(host.device())).isEqualTo(host);
                assertThat(seen.add(host.name())).isTrue();
                assertThat(seen.add("ip " + host.ipv4())).isTrue();
                assertThat(seen.add("ip " + host.ipv6High() + ":" + host.ipv6Low()))
                        .isTrue();
                assertThat(seen.add("mac " + host.mac())).isTrue();
                assertThat(host.mac() >>> 40).isEqualTo(2);
                assertThat(topology.interfaces(host.device())).isEqualTo(1);
                assertThat(host.ipv4() >>> 24).isEqualTo(host.kind() == Kind.INTERNET ? host.ipv4() >>> 24 : 10);
            }
            for (Link link : topology.links()) {
                assertThat(seen.add(link.a())).isTrue();
                assertThat(seen.add(link.b())).isTrue();
                assertThat(topology.peer(link.a().device(), link.a().interfaceId()))
                        .isEqualTo(link.b());
            }
        }
    }

    @Test
    void addressesSayWhereAHostIs() {
        Topology topology = Access.of(2, 3, 4, 5).build();
        Host camera = topology.hosts().get(4 * 4);
        assertThat(camera).returns("camera-5", Host::name).returns(Kind.CAMERA, Host::kind);
        assertThat(camera.ipv4()).isEqualTo(0x0A00_0401);
        assertThat(camera.ipv6High()).isEqualTo(0xFD00_0000_0000_0004L);
        Host internet = topology.hosts().get(24 + 1);
        assertThat(internet.name()).isEqualTo("internet-2");
        assertThat(internet.ipv4()).isEqualTo(0xCB00_7101);
        assertThat(internet.ipv6High()).isEqualTo(0x2001_0DB8_0000_0002L);
    }

    @Test
    void theDomainEndsWhereIntDoes() {
        Topology access = Access.of(2, 3, 4, 5).build();
        assertThat(access.switches().stream().filter(Switch::speaksInt).map(Switch::tier))
                .containsExactly(Tier.CORE, Tier.AGGREGATION, Tier.AGGREGATION);
        // Core: two aggregation switches, then five hosts. Aggregation: the core, then three gateways.
        assertThat(access.edgeInterfaces(0)).containsExactly(3, 4, 5, 6, 7);
        assertThat(access.edgeInterfaces(1)).containsExactly(2, 3, 4);
        Topology line = Line.of(3).build().withoutInt(Set.of(1));
        assertThat(line.switches().get(1).speaksInt()).isFalse();
        assertThat(line.edgeInterfaces(0)).containsExactly(2);
        assertThat(line.edgeInterfaces(1)).isEmpty();
    }

    @Test
    void aFatTreeHasItsNumbers() {
        Topology topology = FatTree.of(4).build();
        assertThat(topology.switches()).hasSize(20);
        assertThat(topology.hosts()).hasSize(16);
        assertThat(topology.links()).hasSize(16 + 16 + 16);
        for (Switch device : topology.switches()) {
            assertThat(topology.interfaces(device.device())).isEqualTo(4);
        }
    }

    @Test
    void linksAreFoundByTheirDevices() {
        Topology topology = Ring.of(4).build();
        assertThat(topology.link(3, 0)).isEqualTo(3);
        assertThat(topology.link(0, 2)).isEqualTo(-1);
        assertThat(topology.interfaceTowards(0, 3)).isEqualTo(2);
        assertThat(topology.links().get(3).b()).isEqualTo(new End(0, 2));
    }

    @Test
    void refusesWhatCannotBeBuilt() {
        assertThatThrownBy(() -> FatTree.of(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Ring.of(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Line.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeafSpine.of(1, 1, 255).build()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Access.of(1, 1, 1, 509).build()).isInstanceOf(IllegalArgumentException.class);
    }
}
