package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Frame;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LossCause;
import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;

/** The truth, the tally of reports, the controller, and one more. */
record Listeners(TruthListener truth, ReportTally tally, DropCounts drops, LabListener more) implements LabListener {
    @Override
    public void onFlowStarted(long nowNanos, Frame frame) {
        truth.onFlowStarted(nowNanos, frame);
        more.onFlowStarted(nowNanos, frame);
    }

    @Override
    public void onFlowEnded(long nowNanos, int flow) {
        truth.onFlowEnded(nowNanos, flow);
        more.onFlowEnded(nowNanos, flow);
    }

    @Override
    public void onSent(long nowNanos, Frame frame) {
        more.onSent(nowNanos, frame);
    }

    @Override
    public void onDelivered(long nowNanos, int host, Frame frame) {
        more.onDelivered(nowNanos, host, frame);
    }

    @Override
    public void onDropped(
            long nowNanos, int device, int ingressInterface, int egressInterface, int queue, int reason, Frame frame) {
        truth.onDropped(nowNanos, device, ingressInterface, egressInterface, queue, reason, frame);
        more.onDropped(nowNanos, device, ingressInterface, egressInterface, queue, reason, frame);
    }

    @Override
    public void onLost(long nowNanos, int device, int egressInterface, LossCause cause, Frame frame) {
        more.onLost(nowNanos, device, egressInterface, cause, frame);
    }

    @Override
    public void onDiscarded(long nowNanos, int device, Frame frame) {
        more.onDiscarded(nowNanos, device, frame);
    }

    @Override
    public void onQueue(
            long nowNanos, int device, int egressInterface, int queue, long bytes, boolean entered, Frame frame) {
        truth.onQueue(nowNanos, device, egressInterface, queue, bytes, entered, frame);
        more.onQueue(nowNanos, device, egressInterface, queue, bytes, entered, frame);
    }

    @Override
    public void onRoute(long nowNanos, int flow, int[] before, int[] after) {
        truth.onRoute(nowNanos, flow, before, after);
        more.onRoute(nowNanos, flow, before, after);
    }

    @Override
    public void onLinkDown(long nowNanos, int link) {
        truth.onLinkDown(nowNanos, link);
        more.onLinkDown(nowNanos, link);
    }

    @Override
    public void onLinkUp(long nowNanos, int link) {
        truth.onLinkUp(nowNanos, link);
        more.onLinkUp(nowNanos, link);
    }

    @Override
    public void onPipelineDelay(long nowNanos, int device, int egressInterface, long delayNanos) {
        truth.onPipelineDelay(nowNanos, device, egressInterface, delayNanos);
        more.onPipelineDelay(nowNanos, device, egressInterface, delayNanos);
    }

    @Override
    public void onRate(long nowNanos, int device, int egressInterface, long bitsPerSecond) {
        more.onRate(nowNanos, device, egressInterface, bitsPerSecond);
    }

    @Override
    public void onMtu(long nowNanos, int link, int mtu) {
        more.onMtu(nowNanos, link, mtu);
    }

    @Override
    public void onReport(
            long nowNanos,
            int device,
            long number,
            ReportDestination destination,
            int sourcePort,
            ByteBuffer payload,
            int from,
            int end) {
        truth.onReport(nowNanos, device, number, destination, sourcePort, payload, from, end);
        tally.datagram(device, payload, from, end);
        more.onReport(nowNanos, device, number, destination, sourcePort, payload, from, end);
    }

    @Override
    public void onReportLost(long nowNanos, int device, long number, LossCause cause) {
        truth.onReportLost(nowNanos, device, number, cause);
        more.onReportLost(nowNanos, device, number, cause);
    }

    @Override
    public void onReportDuplicated(long nowNanos, int device, long number) {
        more.onReportDuplicated(nowNanos, device, number);
    }

    @Override
    public void onReportDelivered(long nowNanos, int device, long number) {
        more.onReportDelivered(nowNanos, device, number);
    }

    @Override
    public void onNodeRestarted(long nowNanos, int device) {
        truth.onNodeRestarted(nowNanos, device);
        more.onNodeRestarted(nowNanos, device);
    }

    @Override
    public void onExporterSilent(long nowNanos, int device) {
        truth.onExporterSilent(nowNanos, device);
        more.onExporterSilent(nowNanos, device);
    }

    @Override
    public void onExporterSpeaks(long nowNanos, int device) {
        truth.onExporterSpeaks(nowNanos, device);
        more.onExporterSpeaks(nowNanos, device);
    }

    @Override
    public void onReportLossChanged(long nowNanos, int device, int lossPerBillion) {
        more.onReportLossChanged(nowNanos, device, lossPerBillion);
    }

    @Override
    public void onForgedReport(
            long nowNanos,
            int sourceAddress,
            long number,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end) {
        truth.onForgedReport(nowNanos, sourceAddress, number, destination, payload, from, end);
        more.onForgedReport(nowNanos, sourceAddress, number, destination, payload, from, end);
    }

    @Override
    public void onBlockInstalled(long nowNanos, int device, BlockRule rule) {
        drops.onBlockInstalled(nowNanos, device, rule);
        more.onBlockInstalled(nowNanos, device, rule);
    }

    @Override
    public void onBlockRemoved(long nowNanos, int device, BlockRule rule, long dropped) {
        drops.onBlockRemoved(nowNanos, device, rule, dropped);
        more.onBlockRemoved(nowNanos, device, rule, dropped);
    }
}
