package io.pathlore.analysis.event;

import io.pathlore.model.AttackVector;
import io.pathlore.model.EventId;
import io.pathlore.model.EventIdentity;
import io.pathlore.model.EventKind;
import io.pathlore.model.FlowKey;
import io.pathlore.model.Prefix;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in the network, as far as reports tell. One that grows or ends is told again with the same id; what was
 * told last counts.
 *
 * @param startNanos receive time of the first report that shows it
 * @param endNanos {@link #OPEN} while it goes on
 * @param detectedAtNanos in stream time
 * @param completeness share of the numbered reports it was made from that arrived; not a number where they are not numbered
 */
public record Event(long startNanos, long endNanos, long detectedAtNanos, double completeness, Details details) {
    public static final long OPEN = Long.MIN_VALUE;
    public static final int ABSENT = EventIdentity.ABSENT;

    /** How complete its input was, is not known here. */
    public Event(long startNanos, long endNanos, long detectedAtNanos, Details details) {
        this(startNanos, endNanos, detectedAtNanos, Double.NaN, details);
    }

    public Event withCompleteness(double share) {
        return new Event(startNanos, endNanos, detectedAtNanos, share, details);
    }

    /** At this time at the latest, where nobody saw more of it. */
    public Event endedBy(long nanos) {
        long end = Math.max(nanos, Math.max(startNanos, detectedAtNanos));
        return new Event(startNanos, end, detectedAtNanos, completeness, details);
    }

    /** One side of a link. */
    public record LinkEnd(long node, long interfaceId) {}

    /** A flow that filled a queue. {@code share} in ten-thousandths of the octets. */
    public record Culprit(FlowKey flow, int share) {}

    /** Who reports: a node, or where none is named the address. */
    public record Reporter(long node, @Nullable String address) {
        /** As it stands in the identity. */
        public String text() {
            return node == ABSENT && address != null ? address : Long.toString(node);
        }
    }

    /** What belongs to one kind of event. */
    public sealed interface Details {
        record PathChange(FlowKey flow, List<Long> before, List<Long> after) implements Details {
            public PathChange {
                before = List.copyOf(before);
                after = List.copyOf(after);
            }
        }

        record Loop(FlowKey flow, List<Long> path) implements Details {
            public Loop {
                path = List.copyOf(path);
            }
        }

        /** {@code packets} were kept for the replay, which is told when it is over. */
        record Congestion(
                long node,
                long interfaceId,
                long queue,
                long peakOccupancy,
                List<Culprit> culprits,
                List<FlowKey> victims,
                int packets)
                implements Details {
            public Congestion {
                culprits = List.copyOf(culprits);
                victims = List.copyOf(victims);
            }

            /** Without a replay. */
            public Congestion(
                    long node,
                    long interfaceId,
                    long queue,
                    long peakOccupancy,
                    List<Culprit> culprits,
                    List<FlowKey> victims) {
                this(node, interfaceId, queue, peakOccupancy, culprits, victims, 0);
            }
        }

        record Latency(long node, long interfaceId, long queue, long baselineNanos, long observedNanos)
                implements Details {}

        /** {@code flows} are those that lost most. */
        record Drops(long node, int reason, List<FlowKey> flows, long count) implements Details {
            public Drops {
                flows = List.copyOf(flows);
            }
        }

        record LinkDown(LinkEnd from, LinkEnd to) implements Details {}

        record LinkUp(LinkEnd from, LinkEnd to) implements Details {}

        record ReportLoss(Reporter reporter, int hwId, long lost) implements Details {}

        record ExporterRestart(Reporter reporter, int hwId) implements Details {}

        record ExporterSilent(Reporter reporter, int hwId) implements Details {}

        record SpoofSuspected(long node, List<String> addresses) implements Details {
            public SpoofSuspected {
                addresses = List.copyOf(addresses);
            }
        }

        /**
         * Somebody is attacked.
         *
         * @param victim an address, or the prefix that all its addresses are in
         * @param port or {@link #ABSENT} where there is no one port
         * @param sources those that send most, the largest first
         * @param devices that were seen to send, in all
         * @param perSecond packets; reports, where the sampling of who reports is not known
         * @param packets whether it is packets
         * @param bytesPerSecond or {@link #ABSENT}
         * @param flowsPerSecond as many as were told apart
         * @param windows of a second that were above the limit, a tenth of a second apart
         * @param reporters whose reports showed it, the first few
         * @param hops nodes that its packets met, the first few
         * @param confidence in the devices, in ten-thousandths
         * @param lastNanos when it was last seen to be above the limit
         */
        record Attack(
                AttackVector vector,
                Prefix victim,
                int port,
                int protocol,
                List<AttackSource> sources,
                int devices,
                long perSecond,
                boolean packets,
                long bytesPerSecond,
                long flowsPerSecond,
                int windows,
                List<Long> reporters,
                List<Long> hops,
                int confidence,
                long lastNanos)
                implements Details {
            /** So many windows above the limit are no accident. */
            public static final int SUSTAINED = 3;

            public Attack {
                sources = List.copyOf(sources);
                reporters = List.copyOf(reporters);
                hops = List.copyOf(hops);
            }
        }
    }

    public EventKind kind() {
        return switch (details) {
            case Details.PathChange ignored -> EventKind.PATH_CHANGE;
            case Details.Loop ignored -> EventKind.LOOP;
            case Details.Congestion ignored -> EventKind.CONGESTION;
            case Details.Latency ignored -> EventKind.LATENCY;
            case Details.Drops ignored -> EventKind.DROPS;
            case Details.LinkDown ignored -> EventKind.LINK_DOWN;
            case Details.LinkUp ignored -> EventKind.LINK_UP;
            case Details.ReportLoss ignored -> EventKind.REPORT_LOSS;
            case Details.ExporterRestart ignored -> EventKind.EXPORTER_RESTART;
            case Details.ExporterSilent ignored -> EventKind.EXPORTER_SILENT;
            case Details.SpoofSuspected ignored -> EventKind.SPOOF_SUSPECTED;
            case Details.Attack ignored -> EventKind.ATTACK;
        };
    }

    /** The keys that tell it from others of its kind. */
    public String identity() {
        return switch (details) {
            case Details.PathChange change -> EventIdentity.pathChange(change.flow.id(), change.after);
            case Details.Loop loop -> EventIdentity.loop(loop.flow.id());
            case Details.Congestion queue -> EventIdentity.congestion(queue.node, queue.interfaceId, queue.queue);
            case Details.Latency slow -> EventIdentity.latency(slow.node, slow.interfaceId);
            case Details.Drops drops -> EventIdentity.drops(drops.node, drops.reason);
            case Details.LinkDown down -> link(down.from, down.to);
            case Details.LinkUp up -> link(up.from, up.to);
            case Details.ReportLoss loss -> EventIdentity.stream(loss.reporter.text(), loss.hwId);
            case Details.ExporterRestart restart -> EventIdentity.stream(restart.reporter.text(), restart.hwId);
            case Details.ExporterSilent silent -> EventIdentity.stream(silent.reporter.text(), silent.hwId);
            case Details.SpoofSuspected spoof -> EventIdentity.spoof(spoof.node);
            case Details.Attack attack ->
                EventIdentity.attack(attack.vector.label(), attack.victim.toString(), attack.port, attack.protocol);
        };
    }

    /** Nodes whose hops it was made from; empty where it is about who reports. */
    public List<Long> nodes() {
        return switch (details) {
            case Details.PathChange change ->
                Stream.concat(change.before.stream(), change.after.stream())
                        .distinct()
                        .toList();
            case Details.Loop loop -> loop.path.stream().distinct().toList();
            case Details.Congestion queue -> List.of(queue.node);
            case Details.Latency slow -> List.of(slow.node);
            case Details.Drops drops -> List.of(drops.node);
            case Details.LinkDown down -> List.of(down.from.node, down.to.node);
            case Details.LinkUp up -> List.of(up.from.node, up.to.node);
            case Details.ReportLoss ignored -> List.of();
            case Details.ExporterRestart ignored -> List.of();
            case Details.ExporterSilent ignored -> List.of();
            case Details.SpoofSuspected ignored -> List.of();
            case Details.Attack attack -> attack.reporters;
        };
    }

    private static String link(LinkEnd from, LinkEnd to) {
        return EventIdentity.link(from.node, from.interfaceId, to.node, to.interfaceId);
    }

    public EventId id() {
        return EventId.of(kind(), identity(), startNanos);
    }
}
