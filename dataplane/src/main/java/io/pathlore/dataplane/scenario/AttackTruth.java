package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.AttackFact;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.wire.net.AddressText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attack as traffic knows it, in the words of the truth. */
final class AttackTruth {
    private static final int MILLIONTHS_PER_SHARE = 100;

    private final Topology topology;
    private final boolean namesDevices;

    /** @param namesDevices reports carry the MAC address of the device that sent a packet */
    AttackTruth(Topology topology, boolean namesDevices) {
        this.topology = topology;
        this.namesDevices = namesDevices;
    }

    Fact.Victim victim(AttackFact attack) {
        AttackFact.Victim victim = attack.victim();
        return new Fact.Victim(
                new Fact.Prefix(victim.v6(), victim.high(), victim.low(), victim.prefixLength()),
                victim.port() == AttackFact.ABSENT ? Fact.ABSENT : victim.port(),
                victim.protocol() == AttackFact.ABSENT ? Fact.ABSENT : victim.protocol());
    }

    /** Where its packets say they come from; empty where they say anything. */
    List<Fact.Prefix> from(AttackFact attack) {
        List<Fact.Prefix> from = new ArrayList<>();
        if (attack.spoofedPercent() > 0) {
            return from;
        }
        for (AttackFact.Share share : attack.sources()) {
            Topology.Host host = topology.hosts().get(share.host());
            from.add(
                    attack.victim().v6()
                            ? new Fact.Prefix(true, host.ipv6High(), host.ipv6Low(), 128)
                            : Fact.Prefix.ipv4(host.ipv4(), 32));
        }
        return from;
    }

    List<Fact.AttackSource> sources(AttackFact attack) {
        List<Fact.AttackSource> sources = new ArrayList<>();
        for (AttackFact.Share share : attack.sources()) {
            Topology.Host host = topology.hosts().get(share.host());
            Topology.End entry = entry(topology, host.device());
            long node = entry == null
                    ? Fact.ABSENT
                    : topology.switches().get(entry.device()).nodeId();
            String device = namesDevices
                    ? AddressText.mac(host.mac() << 16)
                    : node + "/" + (entry == null ? 0 : entry.interfaceId());
            sources.add(new Fact.AttackSource(device, node, share.millionths() / MILLIONTHS_PER_SHARE));
        }
        return sources;
    }

    /** Where the host's packets first meet a switch that speaks INT: it, and its interface; null if nowhere near. */
    static Topology.@Nullable End entry(Topology topology, int hostDevice) {
        Topology.End first = topology.peer(hostDevice, 1);
        if (topology.switches().get(first.device()).speaksInt()) {
            return first;
        }
        for (int i = 1; i <= topology.interfaces(first.device()); i++) {
            Topology.End next = topology.peer(first.device(), i);
            if (!topology.isHost(next.device())
                    && topology.switches().get(next.device()).speaksInt()) {
                return next;
            }
        }
        return null;
    }
}
