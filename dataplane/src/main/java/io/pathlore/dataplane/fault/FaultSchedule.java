package io.pathlore.dataplane.fault;

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
import io.pathlore.dataplane.lab.Act;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LossCause;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.Stage.Timer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Makes faults happen at their time. Of two that touch the same thing at once the one that ends first restores it, but delays
 * of {@link SlowHop} add up. Faults of the same time come in the order of the list.
 */
public record FaultSchedule(List<Fault> faults) implements Act {
    public FaultSchedule {
        faults = List.copyOf(faults);
        for (Fault fault : faults) {
            if (fault.startNanos() < 0 || fault.durationNanos() < 0) {
                throw new IllegalArgumentException("a fault at a time less than 0: " + fault);
            }
        }
    }

    /** Throws with a line for people where a fault names something the network does not have. */
    public void check(Topology topology) {
        for (Fault fault : faults) {
            switch (fault) {
                case LinkDown f -> checkLink(topology, f.link());
                case LinkLoss f -> checkLink(topology, f.link());
                case SlowHop f -> checkInterface(topology, f.device(), f.egressInterface(), 0);
                case QueueBuildup f -> {
                    checkInterface(topology, f.device(), f.egressInterface(), 1);
                    require(f.bitsPerSecond() > 0, "a rate of " + f.bitsPerSecond() + " bit/s");
                }
                case AclDrop f -> checkSwitch(topology, f.device());
                case DeviceBlocked f -> checkSwitch(topology, f.device());
                case RoutingLoop f -> {
                    checkSwitch(topology, f.device());
                    checkSwitch(topology, f.neighbour());
                    require(
                            topology.link(f.device(), f.neighbour()) >= 0,
                            "no link between devices " + f.device() + " and " + f.neighbour());
                    require(f.toHost() >= 0 && f.toHost() < topology.hosts().size(), "no host " + f.toHost());
                }
                case SmallMtu f -> {
                    checkLink(topology, f.link());
                    require(f.mtu() > 0, "an MTU of " + f.mtu());
                }
                case NodeRestart f -> checkDevice(topology, f.device());
                case SilentExporter f -> checkDevice(topology, f.device());
                case ReportLoss f -> checkDevice(topology, f.device());
                case ForgedReports f -> {}
            }
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static void checkLink(Topology topology, int link) {
        require(link >= 0 && link < topology.links().size(), "no link " + link);
    }

    private static void checkDevice(Topology topology, int device) {
        int devices = topology.switches().size() + topology.hosts().size();
        require(device >= 0 && device < devices, "no device " + device);
    }

    private static void checkSwitch(Topology topology, int device) {
        require(device >= 0 && device < topology.switches().size(), "no switch " + device);
    }

    private static void checkInterface(Topology topology, int device, int interfaceId, int least) {
        checkDevice(topology, device);
        require(
                interfaceId >= least && interfaceId <= topology.interfaces(device),
                "device " + device + " has no interface " + interfaceId);
    }

    @Override
    public void begin(Lab lab) {
        check(lab.topology());
        for (Fault fault : faults) {
            if (fault instanceof ForgedReports forged) {
                lab.start(new Forger(lab, forged), forged.startNanos());
            } else {
                lab.start(new Start(lab, fault), fault.startNanos());
            }
        }
    }

    private static final class Start extends Timer {
        private final Lab lab;
        private final Fault fault;

        Start(Lab lab, Fault fault) {
            this.lab = lab;
            this.fault = fault;
        }

        @Override
        protected void fire(long nowNanos) {
            set(lab, fault);
            if (fault.durationNanos() < Fault.FOREVER - nowNanos) {
                lab.start(new End(lab, fault), nowNanos + fault.durationNanos());
            }
        }
    }

    private static final class End extends Timer {
        private final Lab lab;
        private final Fault fault;

        End(Lab lab, Fault fault) {
            this.lab = lab;
            this.fault = fault;
        }

        @Override
        protected void fire(long nowNanos) {
            lift(lab, fault);
        }
    }

    private static void set(Lab lab, Fault fault) {
        switch (fault) {
            case LinkDown f -> lab.setLink(f.link(), false);
            case LinkLoss f -> lab.setLinkLoss(f.link(), f.lossPerBillion());
            case SlowHop f -> lab.addPipelineDelay(f.device(), f.egressInterface(), f.extraNanos());
            case QueueBuildup f -> lab.setRate(f.device(), f.egressInterface(), f.bitsPerSecond());
            case AclDrop f -> lab.block(f.device(), f.rule());
            case DeviceBlocked f -> lab.block(f.device(), f.rule());
            case RoutingLoop f -> loop(lab, f, true);
            case SmallMtu f -> lab.setMtu(f.link(), f.mtu());
            case NodeRestart f -> lab.silence(f.device(), LossCause.RESTART);
            case SilentExporter f -> lab.silence(f.device(), LossCause.SILENT);
            case ReportLoss f -> lab.setReportLoss(f.device(), f.lossPerBillion());
            case ForgedReports f -> throw new IllegalStateException("not at one time");
        }
    }

    private static void lift(Lab lab, Fault fault) {
        switch (fault) {
            case LinkDown f -> lab.setLink(f.link(), true);
            case LinkLoss f -> lab.setLinkLoss(f.link(), -1);
            case SlowHop f -> lab.addPipelineDelay(f.device(), f.egressInterface(), -f.extraNanos());
            case QueueBuildup f -> lab.setRate(f.device(), f.egressInterface(), 0);
            case AclDrop f -> lab.unblock(f.device(), f.rule());
            case DeviceBlocked f -> lab.unblock(f.device(), f.rule());
            case RoutingLoop f -> loop(lab, f, false);
            case SmallMtu f -> lab.setMtu(f.link(), 0);
            case NodeRestart f -> {
                lab.restart(f.device());
                lab.silence(f.device(), null);
            }
            case SilentExporter f -> lab.silence(f.device(), null);
            case ReportLoss f -> lab.setReportLoss(f.device(), -1);
            case ForgedReports f -> throw new IllegalStateException("not at one time");
        }
    }

    private static void loop(Lab lab, RoutingLoop f, boolean on) {
        int there = lab.topology().interfaceTowards(f.device(), f.neighbour());
        int back = lab.topology().interfaceTowards(f.neighbour(), f.device());
        lab.override(
                f.toHost(), new int[] {f.device(), f.neighbour()}, on ? new int[] {there, back} : new int[] {0, 0});
    }

    private static final class Forger extends Timer {
        private final Lab lab;
        private final ForgedReports forged;
        private final ByteBuffer payload = ByteBuffer.allocate(Forgery.CAPACITY);
        private int number;

        Forger(Lab lab, ForgedReports forged) {
            this.lab = lab;
            this.forged = forged;
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos - forged.startNanos() >= forged.durationNanos()) {
                return;
            }
            int end = forged.forgery().write(payload, number++, nowNanos);
            lab.forge(forged.sourceAddress(), forged.sourcePort(), forged.destination(), payload, 0, end);
            lab.start(this, nowNanos + forged.intervalNanos());
        }
    }
}
