package io.pathlore.dataplane.traffic;

import java.util.List;

/**
 * TCP connections between hosts: long and short flows, requests and responses, backups, downloads, crowds. They come one by
 * one as a Poisson process, or a number of them at the start.
 *
 * @param clients by index, as {@code servers}
 * @param connectionsPerThousandSeconds of the Poisson process; 0 for none
 * @param rampNanos over which it rises from nothing
 * @param atStart connections opened at once, clients in turn
 */
public record TcpFlows(
        Conditions conditions,
        List<Integer> clients,
        List<Integer> servers,
        long connectionsPerThousandSeconds,
        long rampNanos,
        int atStart,
        TcpPlan plan)
        implements TrafficSource {
    private static final long THOUSAND_SECONDS = 1_000_000_000_000L;
    /** People and programs are not that punctual. */
    private static final long STAGGER_NANOS = 1_000_000;

    public TcpFlows {
        clients = List.copyOf(clients);
        servers = List.copyOf(servers);
        if (connectionsPerThousandSeconds < 0 || connectionsPerThousandSeconds > THOUSAND_SECONDS) {
            throw new IllegalArgumentException("flows: must be from 0 to 1000000000 a second");
        }
        if (rampNanos < 0) {
            throw new IllegalArgumentException("ramp: must not be negative");
        }
        if (atStart < 0) {
            throw new IllegalArgumentException("count: must not be negative");
        }
        Pairs.check(clients, servers);
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long from = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        if (from >= until) {
            return;
        }
        TcpPool pool = new TcpPool(stage, plan, conditions, Dice.seed(seed, "connections"), until);
        if (atStart > 0) {
            stage.start(new Start(this, pool, new Dice(Dice.seed(seed, "start"))), from);
        }
        if (connectionsPerThousandSeconds > 0) {
            Dice dice = new Dice(Dice.seed(seed, "arrivals"));
            Arrivals arrivals = new Arrivals(this, pool, dice, from);
            arrivals.startNext(from);
        }
    }

    private static final class Start extends Stage.Timer {
        private final TcpFlows flows;
        private final TcpPool pool;
        private final Dice dice;
        private int opened;

        Start(TcpFlows flows, TcpPool pool, Dice dice) {
            this.flows = flows;
            this.pool = pool;
            this.dice = dice;
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos >= pool.untilNanos) {
                return;
            }
            int client = flows.clients.get(opened % flows.clients.size());
            pool.open(client, Pairs.inTurn(flows.servers, client, opened), nowNanos);
            if (++opened < flows.atStart) {
                pool.stage.start(this, nowNanos + dice.below(STAGGER_NANOS));
            }
        }
    }

    private static final class Arrivals extends Stage.Timer {
        private final TcpFlows flows;
        private final TcpPool pool;
        private final Dice dice;
        private final long fromNanos;
        private final long meanNanos;

        Arrivals(TcpFlows flows, TcpPool pool, Dice dice, long fromNanos) {
            this.flows = flows;
            this.pool = pool;
            this.dice = dice;
            this.fromNanos = fromNanos;
            meanNanos = THOUSAND_SECONDS / flows.connectionsPerThousandSeconds;
        }

        void startNext(long nowNanos) {
            long next = nowNanos + dice.exponentialNanos(meanNanos);
            if (next < pool.untilNanos) {
                pool.stage.start(this, next);
            }
        }

        @Override
        protected void fire(long nowNanos) {
            int client = Pairs.anyOf(flows.clients, dice);
            int server = Pairs.other(flows.servers, client, dice);
            // A rising process is a steady one that loses as many as it has not yet risen by.
            if (flows.rampNanos == 0 || dice.below(flows.rampNanos) < nowNanos - fromNanos) {
                pool.open(client, server, nowNanos);
            }
            startNext(nowNanos);
        }
    }
}
