package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.lab.Act;
import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.report.AttackKey;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.report.ReportStream;
import io.pathlore.dataplane.traffic.Stage.Timer;
import io.pathlore.model.Prefix;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The controller's part in a Transparent Security network: of every rule in force it tells the total of dropped packets, every
 * ten seconds, because switches of the dialect only count. Elsewhere nodes report drops themselves.
 */
final class DropCounts implements LabListener, Act {
    private static final long INTERVAL_NANOS = 10_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MASK_32 = 0xFFFF_FFFFL;

    private final Scenario scenario;
    private final WorldTime world;
    private final Map<Integer, Map<BlockRule, Report>> reports = new HashMap<>();
    private @Nullable Lab lab;

    DropCounts(Scenario scenario, WorldTime world) {
        this.scenario = scenario;
        this.world = world;
    }

    @Override
    public void begin(Lab lab) {
        this.lab = lab;
    }

    @Override
    public void onBlockInstalled(long nowNanos, int device, BlockRule rule) {
        Lab running = lab;
        // The controller counts what its own table can hold; what routers drop of their own is not in it.
        boolean counted = rule.source() == null && rule.protocol() == null;
        if (running != null && counted && scenario.telemetry().reporting().transparentSecurity()) {
            Report report = new Report(running, device, rule);
            reports.computeIfAbsent(device, key -> new HashMap<>()).put(rule, report);
            running.start(report, nowNanos + INTERVAL_NANOS);
        }
    }

    @Override
    public void onBlockRemoved(long nowNanos, int device, BlockRule rule, long dropped) {
        Report report = reports.getOrDefault(device, Map.of()).get(rule);
        if (report != null) {
            report.over = true;
        }
    }

    private final class Report extends Timer {
        private final Lab lab;
        private final int device;
        private final BlockRule rule;
        private final ReportStream stream;
        private boolean over;

        Report(Lab lab, int device, BlockRule rule) {
            this.lab = lab;
            this.device = device;
            this.rule = rule;
            long node = scenario.topology().switches().get(device).nodeId();
            stream = new ReportStream(scenario.telemetry().reporting().format(node));
        }

        @Override
        protected void fire(long nowNanos) {
            if (over) {
                return;
            }
            ReportDestination to = scenario.telemetry().reporting().destination();
            stream.addDrops(
                    world.at(nowNanos) / NANOS_PER_SECOND,
                    lab.blocked(device, rule) & MASK_32,
                    key(rule),
                    (buffer, from, end, sourcePort) -> lab.say(device, to, sourcePort, buffer, from, end));
            lab.start(this, nowNanos + INTERVAL_NANOS);
        }
    }

    /** What a rule leaves open is 0, as the reference controller has it. */
    private static long key(BlockRule rule) {
        Prefix to = rule.destination();
        return AttackKey.of(
                rule.sourceMac() == null ? 0 : rule.sourceMac(),
                rule.destinationPort() == null ? 0 : rule.destinationPort(),
                to != null && to.v6(),
                to == null ? 0 : to.high(),
                to == null ? 0 : to.low());
    }
}
