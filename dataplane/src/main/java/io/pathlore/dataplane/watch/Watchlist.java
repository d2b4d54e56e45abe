package io.pathlore.dataplane.watch;

import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one node watches. Report datagrams on their way are excluded: a report of a report would breed without end.
 *
 * <p>Hot path: a scan over few entries, no allocation. Owned by one node, as its samplers count.
 */
public final class Watchlist {
    private static final int UDP = 17;
    private static final WatchEntry OWN_REPORTS = new WatchEntry(
            "reports on their way", Integer.MAX_VALUE, Match.EVERYTHING, Sampling.EVERY_PACKET, false, false, null);

    private final WatchEntry[] entries;
    private final Sampler[] samplers;
    private final ReportDestination[] destinations;
    private final PacketIdentity identity;

    /** @param beforeTcpOptions where sources of this network put INT in TCP, see {@link PacketIdentity} */
    public Watchlist(List<WatchEntry> entries, List<ReportDestination> destinations, boolean beforeTcpOptions) {
        // The sort is stable: entries of one priority keep their order.
        this.entries = entries.stream()
                .sorted(Comparator.comparingInt(WatchEntry::priority).reversed())
                .toArray(WatchEntry[]::new);
        samplers = new Sampler[this.entries.length];
        for (int i = 0; i < samplers.length; i++) {
            samplers[i] = new Sampler(this.entries[i].sampling());
        }
        this.destinations = destinations.toArray(ReportDestination[]::new);
        identity = new PacketIdentity(beforeTcpOptions);
    }

    /**
     * The entry that counts, or null; it may be an exclusion.
     *
     * @param dscp before a source of INT marked the packet
     */
    public @Nullable WatchEntry match(PacketView view, int dscp, int ingressInterface) {
        if (isReport(view)) {
            return OWN_REPORTS;
        }
        for (WatchEntry entry : entries) {
            if (entry.match().matches(view, dscp, ingressInterface)) {
                return entry;
            }
        }
        return null;
    }

    /** Whether this packet of an entry is one of those to take. Call it once per packet: some entries count. */
    @SuppressWarnings("ReferenceEquality") // entries are handed out by match
    public boolean takes(WatchEntry entry, PacketView view) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] == entry) {
                return samplers[i].takes(samplers[i].needsIdentity() ? identity.of(view) : 0);
            }
        }
        throw new IllegalArgumentException("no entry of this watchlist: " + entry.name());
    }

    private boolean isReport(PacketView view) {
        if (destinations.length == 0 || !view.flow().known()) {
            return false;
        }
        return isReport(view.flow()) || isReport(Match.tunnelOf(view, view.flow()));
    }

    private boolean isReport(FlowView flow) {
        if (flow.protocol() != UDP) {
            return false;
        }
        for (ReportDestination destination : destinations) {
            if (destination.port() == flow.destinationPort()
                    && destination.v6() == flow.v6()
                    && destination.addressLow() == flow.destinationLow()
                    && destination.addressHigh() == flow.destinationHigh()) {
                return true;
            }
        }
        return false;
    }
}
