package io.pathlore.cli;

import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.live.AttackController;
import io.pathlore.dataplane.live.LiveSenders;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.scenario.AttackTable;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A virtual network that goes on until it is stopped: a scenario over and over, each time with the next seed. */
final class LiveLab implements Runnable {
    private static final long STEP_NANOS = 10_000_000L;
    private static final int LOOPBACK = 0x7F00_0001;
    private static final long SECOND = 1_000_000_000L;

    private final Scenario scenario;
    private final InetSocketAddress collector;
    private final double speed;
    private final long seed;
    private final @Nullable AttackController controller;
    private @Nullable LiveSenders sending;
    private boolean stopped;
    private volatile long round;
    private volatile long nowNanos;
    private volatile @Nullable Throwable failure;

    /**
     * Nothing is sent before it runs.
     *
     * @param port of a collector on this machine
     * @param controller whose orders this network follows
     */
    LiveLab(Scenario scenario, int port, double speed, long seed, @Nullable AttackController controller) {
        var reporting = scenario.telemetry().reporting().withDestination(ReportDestination.ipv4(LOOPBACK, port));
        this.scenario = scenario.withTelemetry(scenario.telemetry().withReporting(reporting));
        this.speed = speed;
        this.seed = seed;
        this.controller = controller;
        collector = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /** What a collector can be told of these networks: a configuration file. */
    static String inventory(List<Scenario> scenarios) {
        return LabInventory.of(scenarios, LiveSenders::loopback);
    }

    @Override
    public void run() {
        try {
            for (long next = 1; runOnce(seed + round); next++) {
                round = next;
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private boolean runOnce(long ofRound) throws IOException {
        try (LiveSenders senders = new LiveSenders(scenario, List.of(collector), true)) {
            if (!begin(senders)) {
                return false;
            }
            Instant now = Instant.now();
            WorldTime world = new WorldTime(now.getEpochSecond() * SECOND + now.getNano(), speed);
            senders.begin(world.epochNanos());
            ScenarioRun run = new ScenarioRun(
                    scenario,
                    ofRound,
                    world,
                    new ScenarioNodes(),
                    LabListener.NOBODY,
                    (time, address, port, destination, payload, from, end) ->
                            senders.send(time, address, payload, from, end));
            AttackTable blocked = new AttackTable(run.lab());
            long until = STEP_NANOS;
            while (!isStopped() && run.runUntil(until)) {
                until += STEP_NANOS;
                nowNanos = run.lab().nowNanos();
                if (controller != null) {
                    // Time may not run ahead of who wants to act in it.
                    senders.keepPace(world.at(nowNanos));
                    controller.apply(blocked);
                }
            }
            senders.finish();
        }
        return !isStopped();
    }

    private synchronized boolean begin(LiveSenders senders) {
        sending = senders;
        return !stopped;
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    /** From any thread. */
    synchronized void stop() {
        stopped = true;
        if (sending != null) {
            sending.stop();
        }
    }

    /** Counted from 0. */
    long round() {
        return round;
    }

    /** Of the round, in the time of the network. */
    long nowNanos() {
        return nowNanos;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
