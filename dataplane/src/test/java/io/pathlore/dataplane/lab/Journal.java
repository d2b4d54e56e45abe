package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Everything a lab tells, as lines of text: time, word, values. */
public final class Journal implements LabListener, ReportSink {
    private final List<String> lines = new ArrayList<>();

    public List<String> lines() {
        return lines;
    }

    /** The lines with that word, without it. */
    public List<String> of(String word) {
        return lines.stream()
                .filter(line -> line.split(" ", 3)[1].equals(word))
                .map(line -> line.replaceFirst(" " + word, ""))
                .toList();
    }

    private void note(long nowNanos, String word, Object... values) {
        StringBuilder line = new StringBuilder().append(nowNanos).append(' ').append(word);
        for (Object value : values) {
            line.append(' ').append(value);
        }
        lines.add(line.toString());
    }

    private static String octets(ByteBuffer payload, int from, int end) {
        byte[] octets = new byte[end - from];
        payload.get(from, octets);
        return Arrays.toString(octets);
    }

    @Override
    public void onDatagram(
            long timeNanos,
            int sourceAddress,
            int sourcePort,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end) {
        note(timeNanos, "datagram", sourceAddress, sourcePort, destination, octets(payload, from, end));
    }

    @Override
    public void onFlowStarted(long nowNanos, Frame frame) {
        note(nowNanos, "flow", frame.flow());
    }

    @Override
    public void onFlowEnded(long nowNanos, int flow) {
        note(nowNanos, "end", flow);
    }

    @Override
    public void onSent(long nowNanos, Frame frame) {
        note(nowNanos, "sent", frame.number());
    }

    @Override
    public void onDelivered(long nowNanos, int host, Frame frame) {
        StringBuilder way = new StringBuilder();
        for (int i = 0; i < frame.hops(); i++) {
            way.append(i == 0 ? "" : ",").append(frame.hopDevice(i));
        }
        note(nowNanos, "delivered", host, frame.number(), way);
    }

    @Override
    public void onDropped(
            long nowNanos, int device, int ingressInterface, int egressInterface, int queue, int reason, Frame frame) {
        note(nowNanos, "dropped", device, ingressInterface, egressInterface, queue, reason, frame.number());
    }

    @Override
    public void onLost(long nowNanos, int device, int egressInterface, LossCause cause, Frame frame) {
        note(nowNanos, "lost", device, egressInterface, cause, frame.number());
    }

    @Override
    public void onDiscarded(long nowNanos, int device, Frame frame) {
        note(nowNanos, "discarded", device, frame.number());
    }

    @Override
    public void onQueue(
            long nowNanos, int device, int egressInterface, int queue, long bytes, boolean entered, Frame frame) {
        note(nowNanos, "queue", device, egressInterface, queue, bytes, entered ? "in" : "out", frame.number());
    }

    @Override
    public void onRoute(long nowNanos, int flow, int[] before, int[] after) {
        note(nowNanos, "route", flow, Arrays.toString(before), Arrays.toString(after));
    }

    @Override
    public void onLinkDown(long nowNanos, int link) {
        note(nowNanos, "down", link);
    }

    @Override
    public void onLinkUp(long nowNanos, int link) {
        note(nowNanos, "up", link);
    }

    @Override
    public void onPipelineDelay(long nowNanos, int device, int egressInterface, long delayNanos) {
        note(nowNanos, "pipeline", device, egressInterface, delayNanos);
    }

    @Override
    public void onRate(long nowNanos, int device, int egressInterface, long bitsPerSecond) {
        note(nowNanos, "rate", device, egressInterface, bitsPerSecond);
    }

    @Override
    public void onMtu(long nowNanos, int link, int mtu) {
        note(nowNanos, "mtu", link, mtu);
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
        note(nowNanos, "report", device, number, octets(payload, from, end));
    }

    @Override
    public void onReportLost(long nowNanos, int device, long number, LossCause cause) {
        note(nowNanos, "report-lost", device, number, cause);
    }

    @Override
    public void onReportDuplicated(long nowNanos, int device, long number) {
        note(nowNanos, "report-twice", device, number);
    }

    @Override
    public void onReportDelivered(long nowNanos, int device, long number) {
        note(nowNanos, "report-delivered", device, number);
    }

    @Override
    public void onNodeRestarted(long nowNanos, int device) {
        note(nowNanos, "restarted", device);
    }

    @Override
    public void onExporterSilent(long nowNanos, int device) {
        note(nowNanos, "silent", device);
    }

    @Override
    public void onExporterSpeaks(long nowNanos, int device) {
        note(nowNanos, "speaks", device);
    }

    @Override
    public void onReportLossChanged(long nowNanos, int device, int lossPerBillion) {
        note(nowNanos, "report-loss", device, lossPerBillion);
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
        note(nowNanos, "forged", sourceAddress, number, octets(payload, from, end));
    }

    @Override
    public void onBlockInstalled(long nowNanos, int device, BlockRule rule) {
        note(nowNanos, "block", device);
    }

    @Override
    public void onBlockRemoved(long nowNanos, int device, BlockRule rule, long dropped) {
        note(nowNanos, "unblock", device, dropped);
    }
}
