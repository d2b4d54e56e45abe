package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Tier;
import java.util.Locale;

/**
 * The Transparent Security network: homes with devices behind gateways that know nothing of INT, aggregation switches where INT
 * begins and attacks are stopped, core switches where it ends, and the internet behind them.
 */
public record Access(
        int aggregations,
        int homesPerAggregation,
        int devicesPerHome,
        int cores,
        int internetHosts,
        LinkSpec homeLink,
        LinkSpec accessLink,
        LinkSpec trunk,
        LinkSpec internetLink) {
    /** In every home, in this order, over and over. */
    private static final Kind[] DEVICES = {Kind.CAMERA, Kind.CLIENT, Kind.SENSOR, Kind.SPEAKER};

    public static Access of(int aggregations, int homesPerAggregation, int devicesPerHome, int internetHosts) {
        return new Access(
                aggregations,
                homesPerAggregation,
                devicesPerHome,
                1,
                internetHosts,
                LinkSpec.megabits(100, 10_000, 1500),
                LinkSpec.megabits(200, 1_000_000, 2000),
                LinkSpec.megabits(10_000, 500_000, 9000),
                LinkSpec.megabits(1_000, 5_000_000, 1500));
    }

    public Access {
        if (aggregations < 1 || homesPerAggregation < 1 || devicesPerHome < 1 || cores < 1 || internetHosts < 1) {
            throw new IllegalArgumentException("a part of the access network is missing");
        }
    }

    public Topology build() {
        var cabling = new Cabling();
        int homes = aggregations * homesPerAggregation;
        for (int i = 0; i < cores; i++) {
            cabling.addSwitch("core-" + (i + 1), Tier.CORE, true);
        }
        for (int i = 0; i < aggregations; i++) {
            cabling.addSwitch("agg-" + (i + 1), Tier.AGGREGATION, true);
        }
        int firstGateway = cores + aggregations;
        for (int i = 0; i < homes; i++) {
            cabling.addSwitch("gw-" + (i + 1), Tier.GATEWAY, false);
        }
        for (int i = 1; i < cores; i++) {
            cabling.link(i - 1, i, trunk);
        }
        for (int i = 0; i < aggregations; i++) {
            for (int core = 0; core < cores; core++) {
                cabling.link(core, cores + i, trunk);
            }
        }
        for (int i = 0; i < homes; i++) {
            cabling.link(cores + i / homesPerAggregation, firstGateway + i, accessLink);
        }
        for (int home = 0; home < homes; home++) {
            for (int i = 0; i < devicesPerHome; i++) {
                Kind kind = DEVICES[i % DEVICES.length];
                int round = i / DEVICES.length;
                String name =
                        kind.name().toLowerCase(Locale.ROOT) + "-" + (home + 1) + (round == 0 ? "" : "-" + (round + 1));
                cabling.link(firstGateway + home, cabling.addHost(name, kind, home, i), homeLink);
            }
        }
        for (int i = 0; i < internetHosts; i++) {
            cabling.link(i % cores, cabling.addInternetHost("internet-" + (i + 1)), internetLink);
        }
        return cabling.build("access-" + homes);
    }
}
