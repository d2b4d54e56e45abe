package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.lab.LabOptions.Management;
import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The way of one exporter's datagrams to the collector. Every datagram throws the dice the same number of times, so that a
 * changed chance changes the fate of those datagrams only that it is about.
 */
final class ManagementPath {
    private final ManagementNetwork network;
    private final int device;
    private final int address;
    private final Management settings;
    private final Dice dice;
    private int lossPerBillion;
    private @Nullable LossCause silence;
    private long lastArrival;

    ManagementPath(ManagementNetwork network, int device, int address, Management settings, Dice dice) {
        this.network = network;
        this.device = device;
        this.address = address;
        this.settings = settings;
        this.dice = dice;
        lossPerBillion = settings.lossPerBillion();
    }

    void setLoss(int perBillion) {
        lossPerBillion = perBillion;
    }

    int usualLoss() {
        return settings.lossPerBillion();
    }

    /** Null: it speaks. Returns what was before. */
    @Nullable
    LossCause silence(@Nullable LossCause cause) {
        LossCause before = silence;
        silence = cause;
        return before;
    }

    /** Hot path. */
    void send(ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end) {
        long now = network.simulation.nowNanos();
        network.sent++;
        long number = ++network.numbers;
        network.listener.onReport(now, device, number, destination, sourcePort, payload, from, end);
        boolean lost = dice.hits(lossPerBillion);
        boolean twice = dice.hits(settings.duplicatePerBillion());
        boolean late = dice.hits(settings.reorderPerBillion());
        long jitter = dice.below(settings.jitterNanos() + 1);
        long lateness = 1 + dice.below(Math.max(1, settings.reorderNanos()));
        if (silence != null || lost) {
            network.lost++;
            network.listener.onReportLost(now, device, number, silence != null ? silence : LossCause.CHANCE);
            return;
        }
        long arrival = Math.max(lastArrival, now + settings.delayNanos() + jitter);
        if (late) {
            network.reordered++;
            network.carry(arrival + lateness, device, number, address, sourcePort, destination, payload, from, end);
        } else {
            lastArrival = arrival;
            network.carry(arrival, device, number, address, sourcePort, destination, payload, from, end);
        }
        if (twice) {
            network.duplicated++;
            network.listener.onReportDuplicated(now, device, number);
            network.carry(arrival + lateness, device, number, address, sourcePort, destination, payload, from, end);
        }
    }
}
