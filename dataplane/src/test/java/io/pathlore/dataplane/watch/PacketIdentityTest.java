package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.watch.Shape.Carrier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class PacketIdentityTest {
    private static final byte[] TIMESTAMPS = {1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2};

    private static long identity(Consumer<Shape> change) {
        Shape shape = new Shape();
        change.accept(shape);
        return shape.identity();
    }

    /** The function is part of what nodes agree on: a change of it is a change of the network. */
    @Test
    void isTheSameNumberEverywhere() {
        assertThat(new Shape().identity()).isEqualTo(0xF895_E2F3_F544_65F8L);
    }

    @Test
    void leavesOutWhatRoutersChange() {
        long original = new Shape().identity();
        assertThat(identity(shape -> shape.ttl = 3)).isEqualTo(original);
        assertThat(identity(shape -> shape.trafficClass = 0xB9)).isEqualTo(original);
        assertThat(identity(shape -> shape.checksums = false)).isEqualTo(original);
        assertThat(identity(shape -> shape.padding = 9)).isEqualTo(original);
    }

    @ParameterizedTest
    @EnumSource(
            value = Carrier.class,
            mode = Mode.EXCLUDE,
            names = {"NONE", "UDP_PORT_MX", "VXLAN", "VXLAN_GPE_MD"})
    void isThatOfTheTcpPacketWithoutInt(Carrier carrier) {
        for (boolean v6 : List.of(false, true)) {
            for (byte[] options : List.of(new byte[0], TIMESTAMPS)) {
                Consumer<Shape> original = shape -> {
                    shape.v6 = v6;
                    shape.options = options;
                };
                assertThat(identity(original.andThen(shape -> shape.carrier(carrier))))
                        .isEqualTo(identity(original));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Carrier.class,
            names = {"DSCP_MD", "PROBE_MD"})
    void isThatOfThePacketWithoutIntBeforeItsTcpOptions(Carrier carrier) {
        Consumer<Shape> original = shape -> {
            shape.options = TIMESTAMPS;
            shape.beforeTcpOptions = true;
        };
        assertThat(identity(original.andThen(shape -> shape.carrier(carrier)))).isEqualTo(identity(original));
    }

    @ParameterizedTest
    @EnumSource(
            value = Carrier.class,
            mode = Mode.EXCLUDE,
            names = {"NONE", "VXLAN", "VXLAN_GPE_MD"})
    void isThatOfTheUdpPacketWithoutInt(Carrier carrier) {
        Consumer<Shape> original = shape -> shape.protocol = Shape.UDP;
        assertThat(identity(original.andThen(shape -> shape.carrier(carrier)))).isEqualTo(identity(original));
    }

    @Test
    void isThatOfTheOverlayPacketWithoutInt() {
        assertThat(new Shape().carrier(Carrier.VXLAN_GPE_MD).identity())
                .isEqualTo(new Shape().carrier(Carrier.VXLAN).identity());
    }

    @ParameterizedTest
    @EnumSource(
            value = Carrier.class,
            names = {"NEW_UDP_MX", "GRE_MD"})
    void isThatOfThePingWithoutInt(Carrier carrier) {
        Consumer<Shape> original = shape -> shape.protocol = Shape.ICMP;
        assertThat(identity(original.andThen(shape -> shape.carrier(carrier)))).isEqualTo(identity(original));
    }

    @Test
    void differsBetweenPackets() {
        Set<Long> seen = new HashSet<>();
        List<Consumer<Shape>> changes = List.of(
                shape -> {},
                shape -> shape.v6 = true,
                shape -> shape.protocol = Shape.UDP,
                shape -> shape.protocol = Shape.ICMP,
                shape -> shape.id = 8,
                shape -> shape.source = 1,
                shape -> shape.destination = 1,
                shape -> shape.sourcePort = 1,
                shape -> shape.destinationPort = 1,
                shape -> shape.sequence = 1_001,
                shape -> shape.acknowledgement = 2_001,
                shape -> shape.flags = 0x19,
                shape -> shape.payload[31] ^= 1,
                shape -> shape.payload = new byte[] {1},
                shape -> shape.payload = new byte[] {1, 2},
                shape -> shape.payload = new byte[0],
                shape -> shape.carrier(Carrier.VXLAN));
        changes.forEach(change -> seen.add(identity(change)));
        assertThat(seen).hasSize(changes.size());
    }

    @Test
    void spreadsPacketsEvenly() {
        Sampler sampler = new Sampler(new Sampling(Sampling.Method.IDENTITY, 16));
        Shape shape = new Shape();
        int taken = 0;
        for (int i = 0; i < 16_000; i++) {
            shape.sequence = 1_000L * i;
            shape.id = i;
            taken += sampler.takes(shape.identity()) ? 1 : 0;
        }
        assertThat(taken).isBetween(900, 1_100);
    }
}
