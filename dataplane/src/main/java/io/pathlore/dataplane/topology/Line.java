package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Tier;

/** Switches one behind the other, with hosts at the first and at the last. */
public record Line(int switches, int hostsPerEnd, LinkSpec hostLink, LinkSpec trunk) {
    public static Line of(int switches) {
        return new Line(switches, 1, LinkSpec.megabits(1_000, 1_000, 1500), LinkSpec.megabits(10_000, 5_000, 9000));
    }

    public Line {
        if (switches < 1 || hostsPerEnd < 1) {
            throw new IllegalArgumentException(switches + " switches with " + hostsPerEnd + " hosts at each end");
        }
    }

    public Topology build() {
        var cabling = new Cabling();
        for (int i = 0; i < switches; i++) {
            boolean end = i == 0 || i == switches - 1;
            cabling.addSwitch("s" + (i + 1), end ? Tier.EDGE : Tier.CORE, true);
        }
        for (int i = 1; i < switches; i++) {
            cabling.link(i - 1, i, trunk);
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < hostsPerEnd; i++) {
                String name = (side == 0 ? "a" : "b") + (i + 1);
                int host = cabling.addHost(name, side == 0 ? Kind.CLIENT : Kind.SERVER, side, i);
                cabling.link(side == 0 ? 0 : switches - 1, host, hostLink);
            }
        }
        return cabling.build("line-" + switches);
    }
}
