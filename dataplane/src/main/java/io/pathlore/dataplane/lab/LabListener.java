package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;

/**
 * Hears of everything that happens in the lab, at the virtual time it happens. Frames and payloads are borrowed. Devices are
 * numbers of the topology, interfaces are the device's own; hosts and links are places in the topology's lists of them.
 */
public interface LabListener {
    LabListener NOBODY = new LabListener() {};

    /** The first packet of a flow is about to leave its host. */
    default void onFlowStarted(long nowNanos, Frame frame) {}

    /** The flow will send no more; packets of it may still be on their way. */
    default void onFlowEnded(long nowNanos, int flow) {}

    /** A host sends a packet, into its queue. */
    default void onSent(long nowNanos, Frame frame) {}

    /** A packet has reached its host, as it was sent or with INT still in it. */
    default void onDelivered(long nowNanos, int host, Frame frame) {}

    /**
     * A device dropped a packet.
     *
     * @param egressInterface 0 where the packet was dropped before its way was known
     */
    default void onDropped(
            long nowNanos, int device, int ingressInterface, int egressInterface, int queue, int reason, Frame frame) {}

    /** A packet vanished on the link behind that interface. */
    default void onLost(long nowNanos, int device, int egressInterface, LossCause cause, Frame frame) {}

    /** An INT node took a packet out that must go no further. */
    default void onDiscarded(long nowNanos, int device, Frame frame) {}

    /**
     * A packet began to wait in a queue, or to leave it.
     *
     * @param bytes that wait now; the packet being sent is not among them, and one that is sent at once never waits
     */
    default void onQueue(
            long nowNanos, int device, int egressInterface, int queue, long bytes, boolean entered, Frame frame) {}

    /**
     * Packets of a flow will take another way from now on, or those of a new flow run in circles, and {@code before} is empty. Ways
     * are switches in travel order. One that ends early reaches no
     * host; in a loop the last switch is one that stands in the list before. Flows whose packets differ in their 5-tuples have
     * no one way, and nothing is told of them.
     */
    default void onRoute(long nowNanos, int flow, int[] before, int[] after) {}

    default void onLinkDown(long nowNanos, int link) {}

    default void onLinkUp(long nowNanos, int link) {}

    /** What packets need through the device to that interface, without any queue. */
    default void onPipelineDelay(long nowNanos, int device, int egressInterface, long delayNanos) {}

    default void onRate(long nowNanos, int device, int egressInterface, long bitsPerSecond) {}

    default void onMtu(long nowNanos, int link, int mtu) {}

    /** A node handed a datagram to the management network. Numbers count from 1 over the whole lab. */
    default void onReport(
            long nowNanos,
            int device,
            long number,
            ReportDestination destination,
            int sourcePort,
            ByteBuffer payload,
            int from,
            int end) {}

    default void onReportLost(long nowNanos, int device, long number, LossCause cause) {}

    /** It will arrive twice. */
    default void onReportDuplicated(long nowNanos, int device, long number) {}

    /** Before the sink hears of it. The device of a forged one is -1. */
    default void onReportDelivered(long nowNanos, int device, long number) {}

    default void onNodeRestarted(long nowNanos, int device) {}

    default void onExporterSilent(long nowNanos, int device) {}

    default void onExporterSpeaks(long nowNanos, int device) {}

    default void onReportLossChanged(long nowNanos, int device, int lossPerBillion) {}

    /** Somebody else's datagram enters the management network; it is delivered after the usual delay, if not lost. */
    default void onForgedReport(
            long nowNanos,
            int sourceAddress,
            long number,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end) {}

    default void onBlockInstalled(long nowNanos, int device, BlockRule rule) {}

    /** With how many packets it dropped. */
    default void onBlockRemoved(long nowNanos, int device, BlockRule rule, long dropped) {}
}
