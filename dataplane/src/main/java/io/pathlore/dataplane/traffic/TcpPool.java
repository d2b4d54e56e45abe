package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Kind;
import java.util.ArrayDeque;
import java.util.List;

/** The TCP connections of one source, used again once they are closed. */
final class TcpPool {
    private static final int FIRST_PORT = 0x8000;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int BITS = 8;

    final Stage stage;
    final TcpPlan plan;
    final Conditions conditions;
    final PacketWriter writer;
    final long untilNanos;

    private final long seed;
    private final List<Host> hosts;
    private final long[] linkRates;
    private final ArrayDeque<TcpConnection> free = new ArrayDeque<>();
    private long opened;

    TcpPool(Stage stage, TcpPlan plan, Conditions conditions, long seed, long untilNanos) {
        this.stage = stage;
        this.plan = plan;
        this.conditions = conditions;
        this.seed = seed;
        this.untilNanos = untilNanos;
        writer = conditions.writer();
        Topology topology = stage.topology();
        hosts = topology.hosts();
        linkRates = new long[hosts.size()];
    }

    /** What the connection does depends on its number and not on what the network did to those before it. */
    void open(int client, int server, long nowNanos) {
        TcpConnection connection = free.poll();
        if (connection == null) {
            connection = new TcpConnection(this);
        }
        long number = opened++;
        connection.dice.reseed(Dice.seed(seed, number));
        connection.open(client, server, FIRST_PORT + (int) (number & 0x7FFF), nowNanos);
    }

    void recycle(TcpConnection connection) {
        free.push(connection);
    }

    Host host(int index) {
        return hosts.get(index);
    }

    /** An Internet host stands for many clients; which one it is now is up to the dice. */
    void chooseClient(Endpoints forward, Endpoints backward, int client, Dice dice) {
        if (plan.addresses() == 0 || host(client).kind() != Kind.INTERNET) {
            return;
        }
        Dice identity = Dice.of(seed + client, dice.below(plan.addresses()));
        Addresses.forgeSource(forward, identity);
        backward.destinationHigh = forward.sourceHigh;
        backward.destinationLow = forward.sourceLow;
    }

    /** How long the sender takes over a frame of that length. */
    long gapNanos(int sender, int frameBytes) {
        long rate = plan.bitsPerSecond();
        if (rate == 0) {
            if (linkRates[sender] == 0) {
                linkRates[sender] = AccessLinks.bitsPerSecond(stage.topology(), sender);
            }
            rate = linkRates[sender];
        }
        return Math.max(1, (long) frameBytes * BITS * NANOS_PER_SECOND / rate);
    }
}
