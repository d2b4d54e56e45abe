package io.pathlore.dataplane.truth;

import io.pathlore.model.EventId;
import io.pathlore.model.EventIdentity;
import io.pathlore.model.EventKind;
import io.pathlore.model.FlowKey;
import io.pathlore.model.IpText;
import io.pathlore.model.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that really happened, in the shape in which a collector would tell of it. */
public sealed interface Fact {
    /** Not known, or not part of it. */
    int ABSENT = EventIdentity.ABSENT;

    Span span();

    EventKind kind();

    /** What tells it from other facts of its kind, start aside. */
    String identity();

    default EventId id() {
        return EventId.of(kind(), identity(), span().startNanos());
    }

    default Severity severity() {
        return kind().severity();
    }

    /** Nodes that do not speak INT are in neither list. */
    record PathChange(Span span, FlowKey flow, List<Long> before, List<Long> after) implements Fact {
        public PathChange {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }

        @Override
        public EventKind kind() {
            return EventKind.PATH_CHANGE;
        }

        @Override
        public String identity() {
            return EventIdentity.pathChange(flow.id(), after);
        }
    }

    /** {@code path}: the nodes up to and with the first one that is met again. */
    record Loop(Span span, FlowKey flow, List<Long> path) implements Fact {
        public Loop {
            path = List.copyOf(path);
        }

        @Override
        public EventKind kind() {
            return EventKind.LOOP;
        }

        @Override
        public String identity() {
            return EventIdentity.loop(flow.id());
        }
    }

    /** Part of what stood in a queue, in ten-thousandths. */
    record Culprit(FlowKey flow, int share) {}

    /**
     * A queue that was too long.
     *
     * @param octets that entered it meanwhile, of which the culprits have their shares
     */
    record Congestion(
            Span span,
            long node,
            int interfaceId,
            int queue,
            long peakOccupancy,
            long octets,
            List<Culprit> culprits,
            List<FlowKey> victims)
            implements Fact {
        public Congestion {
            culprits = List.copyOf(culprits);
            victims = List.copyOf(victims);
        }

        @Override
        public EventKind kind() {
            return EventKind.CONGESTION;
        }

        @Override
        public String identity() {
            return EventIdentity.congestion(node, interfaceId, queue);
        }
    }

    /** {@code queue} may be {@link #ABSENT}: all of the interface. */
    record Latency(Span span, long node, int interfaceId, int queue, long baselineNanos, long observedNanos)
            implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.LATENCY;
        }

        @Override
        public String identity() {
            return EventIdentity.latency(node, interfaceId);
        }
    }

    /** {@code count}: packets. {@code flows}: those that lost most. */
    record Drops(Span span, long node, int reason, @Nullable String reasonName, List<FlowKey> flows, long count)
            implements Fact {
        public Drops {
            flows = List.copyOf(flows);
        }

        @Override
        public EventKind kind() {
            return EventKind.DROPS;
        }

        @Override
        public String identity() {
            return EventIdentity.drops(node, reason);
        }
    }

    /** Where a link is plugged in. */
    record LinkEnd(long node, int interfaceId) {}

    /** One direction of a link. */
    record LinkDown(Span span, LinkEnd from, LinkEnd to) implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.LINK_DOWN;
        }

        @Override
        public String identity() {
            return EventIdentity.link(from.node, from.interfaceId, to.node, to.interfaceId);
        }
    }

    record LinkUp(Span span, LinkEnd from, LinkEnd to) implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.LINK_UP;
        }

        @Override
        public String identity() {
            return EventIdentity.link(from.node, from.interfaceId, to.node, to.interfaceId);
        }
    }

    /** {@code lost}: datagrams, which is what sequence numbers count. */
    record ReportLoss(Span span, long node, int hwId, long lost) implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.REPORT_LOSS;
        }

        @Override
        public String identity() {
            return EventIdentity.stream(Long.toString(node), hwId);
        }
    }

    record ExporterRestart(Span span, long node, int hwId) implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.EXPORTER_RESTART;
        }

        @Override
        public String identity() {
            return EventIdentity.stream(Long.toString(node), hwId);
        }
    }

    /** Begins with the last datagram before the silence. */
    record ExporterSilent(Span span, long node, int hwId) implements Fact {
        @Override
        public EventKind kind() {
            return EventKind.EXPORTER_SILENT;
        }

        @Override
        public String identity() {
            return EventIdentity.stream(Long.toString(node), hwId);
        }
    }

    /** {@code addresses}: those that spoke for the node without being its own. */
    record SpoofSuspected(Span span, long node, List<String> addresses) implements Fact {
        public SpoofSuspected {
            addresses = List.copyOf(addresses);
        }

        @Override
        public EventKind kind() {
            return EventKind.SPOOF_SUSPECTED;
        }

        @Override
        public String identity() {
            return EventIdentity.spoof(node);
        }
    }

    /** An IP prefix, or an address, which is the longest one. An IPv4 address is in the lower 32 bits of {@code low}. */
    record Prefix(boolean v6, long high, long low, int length) {
        public static Prefix ipv4(int address, int length) {
            return new Prefix(false, 0, Integer.toUnsignedLong(address), length);
        }

        public boolean isAddress() {
            return length == (v6 ? 128 : 32);
        }

        public boolean contains(boolean otherV6, long otherHigh, long otherLow) {
            if (v6 != otherV6) {
                return false;
            }
            if (!v6) {
                return length == 0 || (low ^ otherLow) >>> 32 - length == 0;
            }
            if (length <= 64) {
                return length == 0 || (high ^ otherHigh) >>> 64 - length == 0;
            }
            return high == otherHigh && (low ^ otherLow) >>> 128 - length == 0;
        }

        @Override
        public String toString() {
            String address = IpText.of(v6, high, low);
            return isAddress() ? address : address + "/" + length;
        }
    }

    /** Whom an attack is meant for; {@code port} and {@code protocol} may be {@link #ABSENT}. */
    record Victim(Prefix prefix, int port, int protocol) {}

    /** {@code device}: MAC address, or {@code NODE/INGRESS-INTERFACE}. {@code share} in ten-thousandths. */
    record AttackSource(String device, long firstNode, int share) {}

    record Attack(Span span, String vector, Victim victim, List<AttackSource> sources, long packetsPerSecond)
            implements Fact {
        public Attack {
            sources = List.copyOf(sources);
        }

        @Override
        public EventKind kind() {
            return EventKind.ATTACK;
        }

        @Override
        public String identity() {
            return EventIdentity.attack(vector, victim.prefix.toString(), victim.port, victim.protocol);
        }
    }
}
