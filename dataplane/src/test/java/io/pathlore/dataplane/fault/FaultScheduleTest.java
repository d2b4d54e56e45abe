package io.pathlore.dataplane.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.fault.Fault.AclDrop;
import io.pathlore.dataplane.fault.Fault.DeviceBlocked;
import io.pathlore.dataplane.fault.Fault.ForgedReports;
import io.pathlore.dataplane.fault.Fault.LinkDown;
import io.pathlore.dataplane.fault.Fault.LinkLoss;
import io.pathlore.dataplane.fault.Fault.NodeRestart;
import io.pathlore.dataplane.fault.Fault.QueueBuildup;
import io.pathlore.dataplane.fault.Fault.ReportLoss;
import io.pathlore.dataplane.fault.Fault.RoutingLoop;
import io.pathlore.dataplane.fault.Fault.SilentExporter;
import io.pathlore.dataplane.fault.Fault.SlowHop;
import io.pathlore.dataplane.fault.Fault.SmallMtu;
import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Chatter;
import io.pathlore.dataplane.lab.Dice;
import io.pathlore.dataplane.lab.Journal;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.lab.Postcards;
import io.pathlore.dataplane.topology.Ring;
import io.pathlore.dataplane.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final long MILLI = 1_000_000;
    private final Topology topology = Ring.of(4).build();

    /** Host 0 at switch 0 to host 2 at switch 1, a packet each millisecond from 0.5 ms on, for 100 ms. */
    private Journal run(Fault... faults) {
        Journal journal = new Journal();
        Lab lab = new Lab(
                topology,
                LabOptions.DEFAULT.withConvergence(5 * MILLI),
                1,
                200 * MILLI,
                device -> topology.isHost(device) ? null : new Postcards(),
                List.of(new FaultSchedule(List.of(faults)), Chatter.flow(0, 2, 5000, 100, MILLI / 2, MILLI, 1000)),
                journal,
                journal);
        lab.run();
        return journal;
    }

    @Test
    void aLinkGoesDownAndComesBack() {
        Journal journal = run(new LinkDown(20 * MILLI, 30 * MILLI, 0));
        assertThat(journal.of("down")).containsExactly("20000000 0");
        assertThat(journal.of("up")).containsExactly("50000000 0");
        assertThat(journal.of("lost")).hasSize(5);
        assertThat(journal.of("route")).hasSize(2);
        assertThat(journal.of("delivered")).hasSize(95);
    }

    @Test
    void whatStaysIsNotLifted() {
        Journal journal = run(new LinkDown(20 * MILLI, Fault.FOREVER, 0));
        assertThat(journal.of("up")).isEmpty();
        assertThat(journal.of("route")).hasSize(1);
    }

    @Test
    void aLinkLosesPackets() {
        assertThat(run(new LinkLoss(20 * MILLI, 30 * MILLI, 0, Dice.CERTAIN)).of("lost"))
                .hasSize(30);
    }

    @Test
    void aHopIsSlow() {
        assertThat(run(new SlowHop(20 * MILLI, 30 * MILLI, 1, 0, MILLI)).of("pipeline"))
                .containsExactly(
                        "20000000 1 1 1000800",
                        "20000000 1 2 1000800",
                        "20000000 1 3 1000800",
                        "20000000 1 4 1000800",
                        "50000000 1 1 800",
                        "50000000 1 2 800",
                        "50000000 1 3 800",
                        "50000000 1 4 800");
    }

    @Test
    void aQueueGrowsBeforeASlowInterface() {
        // 1024 octets need 2 ms at 4.096 Mb/s: every second packet has to wait, one more each time.
        Journal journal = run(new QueueBuildup(20 * MILLI, 30 * MILLI, 0, 1, 4_096_000));
        assertThat(journal.of("rate")).containsExactly("20000000 0 1 4096000", "50000000 0 1 10000000000");
        assertThat(journal.of("queue")).anyMatch(line -> line.contains(" 0 1 0 14000 in "));
        assertThat(journal.of("delivered")).hasSize(100);
    }

    @Test
    void aRuleDrops() {
        BlockRule rule = new BlockRule(null, null, null, 17, 9);
        assertThat(run(new AclDrop(20 * MILLI, 30 * MILLI, 1, rule)).of("dropped"))
                .hasSize(30)
                .allMatch(line -> line.contains(" 1 1 0 0 80 "));
        assertThat(run(new DeviceBlocked(20 * MILLI, 30 * MILLI, 0, rule)).of("unblock"))
                .containsExactly("50000000 0 30");
    }

    @Test
    void packetsGoRoundInALoop() {
        Journal journal = run(new RoutingLoop(20 * MILLI, 30 * MILLI, 0, 1, 2));
        assertThat(journal.of("route")).containsExactly("20000000 1 [0, 1] [0, 1, 0]", "50000000 1 [0, 1, 0] [0, 1]");
        // The last of them are still going round when the loop is over, and then arrive.
        assertThat(journal.of("dropped")).hasSizeBetween(24, 30).allMatch(line -> line.contains(" 26 "));
        assertThat(journal.of("delivered").size() + journal.of("dropped").size())
                .isEqualTo(100);
    }

    @Test
    void aLinkCarriesShorterPacketsOnly() {
        Journal journal = run(new SmallMtu(20 * MILLI, 30 * MILLI, 0, 900));
        assertThat(journal.of("mtu")).containsExactly("20000000 0 900", "50000000 0 9000");
        assertThat(journal.of("dropped")).hasSize(30).allMatch(line -> line.contains(" 0 3 1 0 0 "));
    }

    @Test
    void aNodeStartsToCountAgain() {
        Journal journal = run(new NodeRestart(20 * MILLI, 5 * MILLI, 0));
        assertThat(journal.of("restarted")).containsExactly("25000000 0");
        assertThat(journal.of("report-lost")).hasSize(5).allMatch(line -> line.endsWith(" RESTART"));
        assertThat(journal.of("silent")).isEmpty();
        assertThat(journal.of("speaks")).isEmpty();
        List<String> numbers = new ArrayList<>();
        for (String line : journal.of("report")) {
            if (line.split(" ", -1)[1].equals("0")) {
                numbers.add(line.substring(line.indexOf('[')));
            }
        }
        assertThat(numbers.get(24)).isEqualTo("[0, 0, 0, 24]");
        assertThat(numbers.get(25)).isEqualTo("[0, 0, 0, 0]");
    }

    @Test
    void anExporterIsSilent() {
        Journal journal = run(new SilentExporter(20 * MILLI, 30 * MILLI, 0));
        assertThat(journal.of("silent")).containsExactly("20000000 0");
        assertThat(journal.of("speaks")).containsExactly("50000000 0");
        assertThat(journal.of("report-lost")).hasSize(30).allMatch(line -> line.endsWith(" SILENT"));
    }

    @Test
    void reportsAreLost() {
        Journal journal = run(new ReportLoss(20 * MILLI, 30 * MILLI, 1, Dice.CERTAIN));
        assertThat(journal.of("report-loss")).containsExactly("20000000 1 1000000000", "50000000 1 0");
        assertThat(journal.of("report-lost")).hasSize(30).allMatch(line -> line.endsWith(" CHANCE"));
    }

    @Test
    void reportsAreForged() {
        Journal journal = run(new ForgedReports(
                20 * MILLI, 30 * MILLI, 0x0AFF_0001, 7, Postcards.COLLECTOR, 10 * MILLI, (out, number, now) -> {
                    out.putInt(0, 100 + number);
                    return 4;
                }));
        assertThat(journal.of("forged"))
                .hasSize(3)
                .last()
                .asString()
                .startsWith("40000000")
                .endsWith("[0, 0, 0, 102]");
        assertThat(journal.of("datagram").stream().filter(line -> line.contains(" 184483841 7 ")))
                .hasSize(3);
    }

    @Test
    void refusesTimesBeforeTheBeginning() {
        List<Fault> early = List.of(new LinkDown(-1, 1, 0));
        assertThatThrownBy(() -> new FaultSchedule(early)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatTheNetworkDoesNotHave() {
        List<Fault> wrong = List.of(
                new LinkDown(0, 1, topology.links().size()),
                new LinkLoss(0, 1, -1, 5),
                new SlowHop(0, 1, 0, 5, 5),
                new QueueBuildup(0, 1, 0, 0, 5),
                new QueueBuildup(0, 1, 0, 1, 0),
                new AclDrop(0, 1, 4, BlockRule.device(null, null, null)),
                new DeviceBlocked(0, 1, -1, BlockRule.device(null, null, null)),
                new RoutingLoop(0, 1, 0, 2, 0),
                new RoutingLoop(0, 1, 0, 1, 8),
                new SmallMtu(0, 1, 0, 0),
                new NodeRestart(0, 1, 12),
                new SilentExporter(0, 1, 12),
                new ReportLoss(0, 1, 12, 5));
        for (Fault fault : wrong) {
            var schedule = new FaultSchedule(List.of(fault));
            assertThatThrownBy(() -> schedule.check(topology))
                    .as(fault.toString())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
