package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.fault.Fault;
import io.pathlore.dataplane.fault.FaultSchedule;
import io.pathlore.dataplane.lab.Act;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.ReportSink;
import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.AttackFact;
import io.pathlore.dataplane.traffic.Stage;
import io.pathlore.dataplane.traffic.TrafficSource;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.TruthOptions;
import io.pathlore.dataplane.truth.TruthRecorder;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.tr20.TransparentSecurityReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario at work: its network, traffic and faults in a lab, and beside them the truth. The same scenario, seed and world time give
 * the same datagrams and the same truth. Belongs to one thread.
 */
public final class ScenarioRun {
    /** Makes the node of a switch that speaks INT. */
    @FunctionalInterface
    public interface NodeFactory {
        IntProcessor node(Scenario scenario, Topology.Switch at);
    }

    private final Scenario scenario;
    private final WorldTime world;
    private final TruthRecorder truth;
    private final TruthListener listener;
    private final ReportTally tally;
    private final Lab lab;

    /**
     * A run that has not begun.
     *
     * @param more hears what happens too; see {@link LabListener#NOBODY}
     * @param sink gets every datagram that reaches the collector, at the time of the world
     */
    public ScenarioRun(
            Scenario scenario, long seed, WorldTime world, NodeFactory nodes, LabListener more, ReportSink sink) {
        this.scenario = scenario;
        this.world = world;
        Topology topology = scenario.topology();
        DecodeOptions decode = decodeOptions(scenario);
        truth = new TruthRecorder(TruthOptions.of(decode));
        listener = new TruthListener(scenario, world, truth);
        tally = new ReportTally(decode, topology.switches().size());
        DropCounts drops = new DropCounts(scenario, world);
        List<Act> acts = new ArrayList<>();
        acts.add(drops);
        AttackTruth attacks =
                new AttackTruth(topology, scenario.telemetry().reporting().transparentSecurity());
        for (TrafficEntry entry : scenario.traffic()) {
            TrafficSource source = entry.source(topology);
            long own = TrafficSource.seed(seed, entry.name());
            acts.add(lab -> source.begin(lab, own, 0, scenario.durationNanos()));
            for (AttackFact attack : source.attacks(topology, 0, scenario.durationNanos())) {
                acts.add(lab -> lab.start(new AttackTimer(lab, attacks, attack), attack.startNanos()));
            }
        }
        acts.add(new FaultSchedule(faults()));
        lab = new Lab(
                topology,
                scenario.options().withEpoch(world.epochNanos()),
                seed,
                scenario.durationNanos(),
                device -> processor(nodes, device),
                acts,
                new Listeners(listener, tally, drops, more),
                (time, address, port, destination, payload, from, end) -> {
                    truth.onReport(world.at(time), Integer.toUnsignedLong(address), payload, from, end);
                    sink.onDatagram(world.at(time), address, port, destination, payload, from, end);
                });
        if (scenario.telemetry().reporting().transparentSecurity()) {
            lab.setBlockReason(TransparentSecurityReport.DROP_REASON);
        }
        listener.attach(lab);
    }

    /** How the collector finds INT in this scenario's reports. */
    public static DecodeOptions decodeOptions(Scenario scenario) {
        Telemetry telemetry = scenario.telemetry();
        return telemetry.codepoints().decodeOptions(telemetry.june2016());
    }

    private @Nullable IntProcessor processor(NodeFactory nodes, int device) {
        List<Topology.Switch> switches = scenario.topology().switches();
        return device < switches.size() && switches.get(device).speaksInt()
                ? nodes.node(scenario, switches.get(device))
                : null;
    }

    private List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(scenario.faults());
        Reporting reporting = scenario.telemetry().reporting();
        for (Forging forging : scenario.forgings()) {
            long node = scenario.topology().switches().get(forging.device()).nodeId();
            faults.add(new Fault.ForgedReports(
                    forging.startNanos(),
                    forging.durationNanos(),
                    forging.sourceAddress(),
                    reporting.transparentSecurity() ? 0 : ForgedReport.SOURCE_PORT,
                    reporting.destination(),
                    forging.intervalNanos(),
                    new ForgedReport(reporting, node)));
        }
        return faults;
    }

    /** Runs on; true while the end has not been reached. */
    public boolean runUntil(long virtualNanos) {
        return lab.runUntil(virtualNanos);
    }

    public Lab lab() {
        return lab;
    }

    public Scenario scenario() {
        return scenario;
    }

    public WorldTime world() {
        return world;
    }

    public ReportTally reports() {
        return tally;
    }

    /** When the run is over. */
    public List<Fact> facts() {
        listener.end(lab.nowNanos());
        return truth.facts(world.at(lab.nowNanos()));
    }

    /** Says when an attack begins and ends. */
    private final class AttackTimer extends Stage.Timer {
        private final Lab lab;
        private final AttackTruth words;
        private final AttackFact attack;
        private int handle = -1;

        AttackTimer(Lab lab, AttackTruth words, AttackFact attack) {
            this.lab = lab;
            this.words = words;
            this.attack = attack;
        }

        @Override
        protected void fire(long nowNanos) {
            if (handle >= 0) {
                truth.end(world.at(nowNanos), handle);
                return;
            }
            handle = truth.attack(
                    world.at(nowNanos),
                    attack.vector().label(),
                    words.victim(attack),
                    words.from(attack),
                    words.sources(attack),
                    attack.packetsPerSecond());
            if (attack.endNanos() < scenario.durationNanos()) {
                lab.start(this, attack.endNanos());
            }
        }
    }
}
