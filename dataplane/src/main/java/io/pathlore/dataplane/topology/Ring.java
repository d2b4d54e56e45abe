package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Tier;

/** Switches in a ring, each with hosts: two ways to everywhere, of which one is left when a link breaks. */
public record Ring(int switches, int hostsPerSwitch, LinkSpec hostLink, LinkSpec trunk) {
    public static Ring of(int switches) {
        return new Ring(switches, 2, LinkSpec.megabits(1_000, 1_000, 1500), LinkSpec.megabits(10_000, 50_000, 9000));
    }

    public Ring {
        if (switches < 3 || hostsPerSwitch < 1) {
            throw new IllegalArgumentException(
                    "a ring of " + switches + " switches with " + hostsPerSwitch + " hosts each");
        }
    }

    public Topology build() {
        var cabling = new Cabling();
        for (int i = 0; i < switches; i++) {
            cabling.addSwitch("r" + (i + 1), Tier.EDGE, true);
        }
        for (int i = 0; i < switches; i++) {
            cabling.link(i, (i + 1) % switches, trunk);
        }
        for (int i = 0; i < switches; i++) {
            for (int h = 0; h < hostsPerSwitch; h++) {
                int host = cabling.addHost("h" + (i + 1) + "-" + (h + 1), h % 2 == 0 ? Kind.SERVER : Kind.CLIENT, i, h);
                cabling.link(i, host, hostLink);
            }
        }
        return cabling.build("ring-" + switches);
    }
}
