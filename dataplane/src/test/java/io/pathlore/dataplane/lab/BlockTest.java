package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.topology.Line;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.model.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockTest {
    private final Journal journal = new Journal();
    private final Topology topology =
            new Line(3, 2, Line.of(1).hostLink(), Line.of(1).trunk()).build();
    private final Lab lab = new Lab(
            topology,
            LabOptions.DEFAULT,
            1,
            1_000_000_000,
            device -> null,
            List.of(Chatter.flow(0, 2, 5000, 100, 0, 1_000_000, 100), Chatter.flow(1, 2, 5000, 100, 0, 1_000_000, 100)),
            journal,
            journal);

    private static Prefix v4(int address) {
        return v4(address, 32);
    }

    private static Prefix v4(int address, int length) {
        return new Prefix(false, 0, Integer.toUnsignedLong(address), length);
    }

    private static Prefix v6(long high, long low) {
        return v6(high, low, 128);
    }

    private static Prefix v6(long high, long low, int length) {
        return new Prefix(true, high, low, length);
    }

    private BlockRule firstHost(int port) {
        return BlockRule.device(
                topology.hosts().get(0).mac(), v4(topology.hosts().get(2).ipv4()), port);
    }

    @Test
    void dropsAndCountsWhatTheRuleMatches() {
        BlockRule rule = firstHost(9);
        lab.runUntil(10_500_000);
        assertThat(lab.block(0, rule)).isTrue();
        assertThat(lab.block(0, rule)).isFalse();
        lab.runUntil(30_500_000);
        assertThat(lab.blocked(0, rule)).isEqualTo(20);
        assertThat(lab.unblock(0, rule)).isTrue();
        assertThat(lab.unblock(0, rule)).isFalse();
        assertThat(lab.blocked(0, rule)).isEqualTo(-1);
        lab.run();
        assertThat(journal.of("block")).containsExactly("10500000 0");
        assertThat(journal.of("unblock")).containsExactly("30500000 0 20");
        assertThat(journal.of("dropped")).hasSize(20).allMatch(line -> line.matches("\\d+ 0 2 0 0 80 \\d+"));
        assertThat(journal.of("delivered")).hasSize(180);
    }

    @Test
    void letsThroughWhatDiffersInOnePart() {
        lab.block(0, firstHost(10));
        lab.block(1, BlockRule.device(0x0200_0000_0099L, null, null));
        lab.block(2, new BlockRule(null, null, null, 6, null));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(200);
    }

    @Test
    void anEmptyRuleDropsAll() {
        lab.block(1, BlockRule.device(null, null, null));
        lab.run();
        assertThat(journal.of("dropped")).hasSize(200);
    }

    @Test
    void prefixesHoldTheirAddresses() {
        Prefix subnet = v4(0x0A01_0200, 24);
        assertThat(BlockRule.holds(subnet, false, 0, 0x0A01_02FFL)).isTrue();
        assertThat(BlockRule.holds(subnet, false, 0, 0x0A01_0300L)).isFalse();
        assertThat(BlockRule.holds(subnet, true, 0, 0x0A01_0201L)).isFalse();
        assertThat(BlockRule.holds(v4(0, 0), false, 0, 0xFFFF_FFFFL)).isTrue();
        assertThat(BlockRule.holds(v4(0xFFFF_FFFF), false, 0, 0xFFFF_FFFFL)).isTrue();
        assertThat(BlockRule.holds(v4(0xFFFF_FFFF), false, 0, 0xFFFF_FFFEL)).isFalse();
        long documentation = 0x2001_0DB8_0000_0000L;
        assertThat(BlockRule.holds(v6(documentation, 0, 32), true, documentation + 77, 5))
                .isTrue();
        assertThat(BlockRule.holds(v6(documentation, 0, 64), true, documentation + 77, 5))
                .isFalse();
        assertThat(BlockRule.holds(v6(documentation, 0, 64), true, documentation, -1))
                .isTrue();
        assertThat(BlockRule.holds(v6(documentation, 4, 126), true, documentation, 7))
                .isTrue();
        assertThat(BlockRule.holds(v6(documentation, 4, 126), true, documentation, 8))
                .isFalse();
        assertThat(BlockRule.holds(v6(documentation, 4), true, documentation, 4))
                .isTrue();
        assertThat(BlockRule.holds(v6(documentation, 4), true, documentation + 1, 4))
                .isFalse();
        assertThat(BlockRule.holds(v6(0, 0, 0), true, -1, -1)).isTrue();
    }
}
