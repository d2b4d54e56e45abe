package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Tier;

/** k pods of k/2 edge and k/2 aggregation switches, (k/2)² core switches, k/2 hosts at every edge switch. */
public record FatTree(int k, LinkSpec hostLink, LinkSpec fabricLink) {
    public static FatTree of(int k) {
        return new FatTree(k, LinkSpec.megabits(1_000, 500, 1500), LinkSpec.megabits(10_000, 1_000, 9000));
    }

    public FatTree {
        if (k < 2 || k % 2 != 0) {
            throw new IllegalArgumentException("a fat tree of " + k + " ports per switch: an even number is needed");
        }
    }

    public Topology build() {
        var cabling = new Cabling();
        int half = k / 2;
        for (int pod = 0; pod < k; pod++) {
            for (int i = 0; i < half; i++) {
                cabling.addSwitch("edge-" + (pod + 1) + "-" + (i + 1), Tier.EDGE, true);
            }
        }
        int firstAggregation = k * half;
        for (int pod = 0; pod < k; pod++) {
            for (int i = 0; i < half; i++) {
                cabling.addSwitch("agg-" + (pod + 1) + "-" + (i + 1), Tier.AGGREGATION, true);
            }
        }
        int firstCore = 2 * k * half;
        for (int i = 0; i < half * half; i++) {
            cabling.addSwitch("core-" + (i + 1), Tier.CORE, true);
        }
        for (int pod = 0; pod < k; pod++) {
            for (int aggregation = 0; aggregation < half; aggregation++) {
                int upper = firstAggregation + pod * half + aggregation;
                for (int edge = 0; edge < half; edge++) {
                    cabling.link(pod * half + edge, upper, fabricLink);
                }
                for (int i = 0; i < half; i++) {
                    cabling.link(upper, firstCore + aggregation * half + i, fabricLink);
                }
            }
        }
        for (int edge = 0; edge < k * half; edge++) {
            for (int i = 0; i < half; i++) {
                String name = "h" + (edge / half + 1) + "-" + (edge % half + 1) + "-" + (i + 1);
                int host = cabling.addHost(name, i % 2 == 0 ? Kind.SERVER : Kind.CLIENT, edge, i);
                cabling.link(edge, host, hostLink);
            }
        }
        return cabling.build("fat-tree-" + k);
    }
}
