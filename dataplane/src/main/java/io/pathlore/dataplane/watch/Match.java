package io.pathlore.dataplane.watch;

import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * Which packets an entry of a watchlist is about. Null or {@link #ANY} leaves a field open; a field that a packet does not
 * show is not matched by any value.
 *
 * @param dscp before a source of INT marked the packet
 * @param vni of the innermost overlay
 * @param outer addresses, ports and protocol are those of the outermost packet of a tunnel, not of the innermost
 */
public record Match(
        @Nullable PrefixMatch source,
        @Nullable PrefixMatch destination,
        @Nullable PortRange sourcePorts,
        @Nullable PortRange destinationPorts,
        int protocol,
        int dscp,
        int ingressInterface,
        int vni,
        boolean outer) {
    public static final int ANY = -1;

    /** Every packet of an IP flow, and everything else. */
    public static final Match EVERYTHING = new Match(null, null, null, null, ANY, ANY, ANY, ANY, false);

    public Match withSource(PrefixMatch source) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withDestination(PrefixMatch destination) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withSourcePorts(PortRange sourcePorts) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withDestinationPorts(PortRange destinationPorts) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withProtocol(int protocol) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withDscp(int dscp) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withIngressInterface(int ingressInterface) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withVni(int vni) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    public Match withOuter(boolean outer) {
        return new Match(
                source, destination, sourcePorts, destinationPorts, protocol, dscp, ingressInterface, vni, outer);
    }

    /** Hot path. */
    public boolean matches(PacketView view, int dscp, int ingressInterface) {
        if (this.ingressInterface != ANY && this.ingressInterface != ingressInterface) {
            return false;
        }
        FlowView inner = view.flow();
        if (!inner.known()) {
            return asksForNoFlow();
        }
        if (this.dscp != ANY && this.dscp != dscp || vni != ANY && vni != inner.vni()) {
            return false;
        }
        FlowView flow = outer ? tunnelOf(view, inner) : inner;
        return (protocol == ANY || protocol == flow.protocol())
                && (destinationPorts == null || destinationPorts.contains(flow.destinationPort()))
                && (sourcePorts == null || sourcePorts.contains(flow.sourcePort()))
                && (destination == null
                        || destination.contains(flow.v6(), flow.destinationHigh(), flow.destinationLow()))
                && (source == null || source.contains(flow.v6(), flow.sourceHigh(), flow.sourceLow()));
    }

    private boolean asksForNoFlow() {
        return source == null
                && destination == null
                && sourcePorts == null
                && destinationPorts == null
                && protocol == ANY
                && dscp == ANY
                && vni == ANY;
    }

    /** The outer flow, unless it is the same packet with the UDP header of an INT source in front of its L4. */
    static FlowView tunnelOf(PacketView view, FlowView inner) {
        FlowView outer = view.outerFlow();
        if (outer == null
                || outer.v6() == inner.v6()
                        && outer.sourceLow() == inner.sourceLow()
                        && outer.sourceHigh() == inner.sourceHigh()
                        && outer.destinationLow() == inner.destinationLow()
                        && outer.destinationHigh() == inner.destinationHigh()) {
            return inner;
        }
        return outer;
    }
}
