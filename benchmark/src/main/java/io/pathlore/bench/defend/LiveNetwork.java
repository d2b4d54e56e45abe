package io.pathlore.bench.defend;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Lab;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A virtual network of homes on the wall clock: its switches send to a collector on this machine, each from a loopback address of its
 * own, and its controller answers over HTTP. Remembers when rules began and ceased to hold in it.
 */
public final class LiveNetwork implements AutoCloseable {
    private static final int LOOPBACK = 0x7F00_0001;
    private static final long STEP_NANOS = 10_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int CORE = 0;

    /**
     * A rule holds, or does not hold any more.
     *
     * @param nanos of the world
     * @param dropped packets, when it ends
     */
    public record Change(long nanos, boolean begins, BlockRule rule, long dropped) {}

    private final Scenario scenario;
    private final long seed;
    private final double speed;
    private final Supplier<Set<BlockRule>> routes;
    private final AttackController controller;
    private final InetSocketAddress collector;
    private final Thread thread;
    private final List<Change> changes = new ArrayList<>();
    private final CompletableFuture<WorldTime> time = new CompletableFuture<>();
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /**
     * Listens, and sends nothing yet.
     *
     * @param port of the collector, on 127.0.0.1
     * @param speed virtual seconds in a real one
     */
    public LiveNetwork(Scenario scenario, int port, long seed, double speed) throws IOException {
        this(scenario, port, seed, speed, Set::of);
    }

    /** @param routes what its first core switch drops besides, as a router tells it: asked all the time */
    public LiveNetwork(Scenario scenario, int port, long seed, double speed, Supplier<Set<BlockRule>> routes)
            throws IOException {
        this.routes = routes;
        var reporting = scenario.telemetry().reporting().withDestination(ReportDestination.ipv4(LOOPBACK, port));
        this.scenario = scenario.withTelemetry(scenario.telemetry().withReporting(reporting));
        this.seed = seed;
        this.speed = speed;
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        collector = new InetSocketAddress(here, port);
        controller = new AttackController(new InetSocketAddress(here, 0));
        thread = Thread.ofPlatform().name("pathlore-bench-network").unstarted(this::run);
    }

    /** What a collector has to know of it: the beginning of a configuration file. */
    public static String inventory(Scenario scenario) {
        return LabInventory.of(scenario, LiveSenders::loopback);
    }

    public String controller() {
        return "http://127.0.0.1:" + controller.address().getPort();
    }

    /** Returns when its time has begun. */
    public void start() {
        thread.start();
        time.join();
    }

    /** The time of the world at which the virtual time was that. */
    public long at(long virtualNanos) {
        return time.join().at(virtualNanos);
    }

    private void run() {
        try (LiveSenders senders = new LiveSenders(scenario, List.of(collector), true)) { // which belong to this thread
            Instant now = Instant.now();
            WorldTime world = new WorldTime(now.getEpochSecond() * SECOND + now.getNano(), speed);
            senders.begin(world.epochNanos());
            time.complete(world);
            ScenarioRun run = new ScenarioRun(
                    scenario,
                    seed,
                    world,
                    new ScenarioNodes(),
                    watching(world),
                    (time, address, port, destination, payload, from, end) ->
                            senders.send(time, address, payload, from, end));
            AttackTable table = new AttackTable(run.lab());
            Set<BlockRule> routed = Set.of();
            for (long until = STEP_NANOS; !stopped && run.runUntil(until); until += STEP_NANOS) {
                senders.keepPace(world.at(run.lab().nowNanos()));
                controller.apply(table);
                routed = follow(run.lab(), routed);
            }
            senders.finish();
        } catch (IOException | RuntimeException e) {
            failure = e;
            time.completeExceptionally(e);
        }
    }

    private Set<BlockRule> follow(Lab lab, Set<BlockRule> before) {
        Set<BlockRule> now = routes.get();
        if (!now.equals(before)) {
            before.stream().filter(rule -> !now.contains(rule)).forEach(rule -> lab.unblock(CORE, rule));
            now.stream().filter(rule -> !before.contains(rule)).forEach(rule -> lab.block(CORE, rule));
        }
        return now;
    }

    private LabListener watching(WorldTime world) {
        return new LabListener() {
            @Override
            public void onBlockInstalled(long nowNanos, int device, BlockRule rule) {
                note(new Change(world.at(nowNanos), true, rule, 0));
            }

            @Override
            public void onBlockRemoved(long nowNanos, int device, BlockRule rule, long dropped) {
                note(new Change(world.at(nowNanos), false, rule, dropped));
            }
        };
    }

    private void note(Change change) {
        synchronized (changes) {
            changes.add(change);
        }
    }

    /** What held and what did not, in order. */
    public List<Change> changes() {
        synchronized (changes) {
            return List.copyOf(changes);
        }
    }

    /** Rules that hold now. */
    public long inForce() {
        return changes().stream().mapToInt(one -> one.begins() ? 1 : -1).sum();
    }

    public boolean isRunning() {
        return thread.isAlive();
    }

    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        controller.close();
    }
}
