package io.pathlore.dataplane.fault;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.report.ReportDestination;

/**
 * Something that goes wrong from a virtual time on, for a while. Devices are numbers of the topology; hosts and links are
 * places in its lists. Bursts of traffic and packets with too few hops to live are not here: traffic sends them.
 */
public sealed interface Fault {
    /** A fault that stays. */
    long FOREVER = Long.MAX_VALUE;

    long startNanos();

    long durationNanos();

    /** A link goes down and comes back; both times routes follow when they have converged. */
    record LinkDown(long startNanos, long durationNanos, int link) implements Fault {}

    /** A link loses packets by chance. */
    record LinkLoss(long startNanos, long durationNanos, int link, int lossPerBillion) implements Fault {}

    /** Packets need longer through a device, to one interface or, with 0, to all; its queues stay as they are. */
    record SlowHop(long startNanos, long durationNanos, int device, int egressInterface, long extraNanos)
            implements Fault {}

    /** An interface sends slower than its link could, so that a queue grows before it. */
    record QueueBuildup(long startNanos, long durationNanos, int device, int egressInterface, long bitsPerSecond)
            implements Fault {}

    /** A switch drops what a rule matches: an access list that is wrong. */
    record AclDrop(long startNanos, long durationNanos, int device, BlockRule rule) implements Fault {}

    /** A device is blocked at a switch: the mitigation. The switch does the same as with {@link AclDrop}. */
    record DeviceBlocked(long startNanos, long durationNanos, int device, BlockRule rule) implements Fault {}

    /** Two neighbours send packets for a host to each other until their hop limit is used up. */
    record RoutingLoop(long startNanos, long durationNanos, int device, int neighbour, int toHost) implements Fault {}

    /** A link carries only shorter packets than its neighbours. */
    record SmallMtu(long startNanos, long durationNanos, int link, int mtu) implements Fault {}

    /**
     * A node restarts: what it says between start and end is lost, then it begins anew with sequence numbers from the start.
     * It forwards all the time.
     */
    record NodeRestart(long startNanos, long durationNanos, int device) implements Fault {}

    /** Nothing of what a node says leaves it; it goes on counting. */
    record SilentExporter(long startNanos, long durationNanos, int device) implements Fault {}

    /** More reports of a node get lost on the way to the collector than usual. */
    record ReportLoss(long startNanos, long durationNanos, int device, int lossPerBillion) implements Fault {}

    /**
     * Somebody sends reports in the name of others.
     *
     * @param sourceAddress they seem to come from
     * @param intervalNanos from one to the next
     */
    record ForgedReports(
            long startNanos,
            long durationNanos,
            int sourceAddress,
            int sourcePort,
            ReportDestination destination,
            long intervalNanos,
            Forgery forgery)
            implements Fault {
        public ForgedReports {
            if (intervalNanos <= 0) {
                throw new IllegalArgumentException("forged reports " + intervalNanos + " ns apart");
            }
        }
    }
}
