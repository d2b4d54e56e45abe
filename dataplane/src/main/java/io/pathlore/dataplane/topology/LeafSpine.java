package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Tier;

/** Every leaf is cabled to every spine; hosts are at the leaves. */
public record LeafSpine(int leaves, int spines, int hostsPerLeaf, LinkSpec hostLink, LinkSpec fabricLink) {
    public static LeafSpine of(int leaves, int spines, int hostsPerLeaf) {
        return new LeafSpine(
                leaves,
                spines,
                hostsPerLeaf,
                LinkSpec.megabits(1_000, 500, 1500),
                LinkSpec.megabits(10_000, 1_000, 9000));
    }

    public LeafSpine {
        if (leaves < 1 || spines < 1 || hostsPerLeaf < 1) {
            throw new IllegalArgumentException(
                    leaves + " leaves, " + spines + " spines, " + hostsPerLeaf + " hosts per leaf");
        }
    }

    public Topology build() {
        var cabling = new Cabling();
        for (int i = 0; i < leaves; i++) {
            cabling.addSwitch("leaf-" + (i + 1), Tier.EDGE, true);
        }
        for (int i = 0; i < spines; i++) {
            cabling.addSwitch("spine-" + (i + 1), Tier.CORE, true);
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int spine = 0; spine < spines; spine++) {
                cabling.link(leaf, leaves + spine, fabricLink);
            }
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int i = 0; i < hostsPerLeaf; i++) {
                String name = "h" + (leaf + 1) + "-" + (i + 1);
                int host = cabling.addHost(name, i % 2 == 0 ? Kind.SERVER : Kind.CLIENT, leaf, i);
                cabling.link(leaf, host, hostLink);
            }
        }
        return cabling.build("leaf-spine-" + leaves + "x" + spines);
    }
}
