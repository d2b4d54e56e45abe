package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.Enforcer;
import io.pathlore.mitigate.enforcer.Rules;
import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A ledger with time, disk and network in the hands of a test. */
final class Bench implements LedgerClock, Orders, LedgerListener {
    static final long SECOND = Ledger.SECOND;
    static final long NODE = 3;
    static final Operator ANN = Operator.named("ann");
    static final Operator BOB = Operator.named("bob");
    static final EventId ATTACK = new EventId(0xA77AC);

    /** What the network really has; takes rules of devices, and reports what they drop. */
    static class Network implements Enforcer {
        final String name;
        final Set<Rule> inForce = new HashSet<>();
        int installs;

        Network(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public @Nullable String cannot(Rule rule) {
            return rule.match().device() < 0 ? "no device" : null;
        }

        @Override
        public void install(Rule rule) {
            installs++;
            inForce.add(rule);
        }

        @Override
        public void withdraw(Rule rule) {
            inForce.remove(rule);
        }

        @Override
        public Long dropKey(Rule rule) {
            return key(rule);
        }

        @Override
        public void close() {}
    }

    static long key(Rule rule) {
        return rule.match().device() << 16 | rule.match().destinationPort();
    }

    final CrashFiles files;
    final Map<String, Enforcer> networks = new HashMap<>();
    final Network access = new Network("access");
    final Deque<Order> orders = new ArrayDeque<>();
    final List<String> acts = new ArrayList<>();
    final List<String> alerts = new ArrayList<>();
    final List<String> stopped = new ArrayList<>();
    final List<Long> keysWithdrawn = new ArrayList<>();
    Mode mode = Mode.AUTO;
    Limits limits = Limits.DEFAULT;
    Judge judge = (_, _) -> null;
    long nanos = 1_000 * SECOND;
    long epoch = 1_800_000_000L * SECOND;
    Ledger ledger;

    Bench() {
        this(new CrashFiles(new SplittableRandom(1)), Mode.AUTO);
    }

    Bench(CrashFiles files, Mode mode) {
        this.files = files;
        this.mode = mode;
        networks.put("access", access);
        ledger = open();
    }

    private Ledger open() {
        try {
            return new Ledger(files, this, limits, mode, networks, judge, this, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process dies, and another begins. */
    void restart() {
        orders.clear();
        ledger = open();
        ledger.tick();
    }

    /** Another process begins with other settings. */
    void restart(Mode mode, Limits limits) {
        this.mode = mode;
        this.limits = limits;
        restart();
    }

    static Rule rule(int number) {
        return Rules.device(0x0200_0000_0000L + number, 53);
    }

    static Proposal proposal(int number) {
        return proposal(number, "access", 1000 + number);
    }

    static Proposal proposal(int number, String enforcer, long impact) {
        return new Proposal(ATTACK, rule(number), enforcer, NODE, "a flood", impact, true);
    }

    /** Lets time pass, a second at a time, and the network do what it is told. */
    void pass(long seconds) {
        for (long i = 0; i < seconds; i++) {
            advance(SECOND);
            ledger.tick();
            work();
        }
    }

    void advance(long nanos) {
        this.nanos += nanos;
        epoch += nanos;
    }

    /** The network does all orders there are, and says so. */
    void work() {
        while (!orders.isEmpty()) {
            Order order = orders.removeFirst();
            perform(order);
            ledger.done(order.number(), order.id(), null);
        }
    }

    void perform(Order order) {
        Network network = (Network) networks.get(order.enforcer());
        if (network == null) {
            throw new AssertionError("an order to nobody: " + order);
        }
        if (order.install()) {
            network.install(order.rule());
        } else {
            network.withdraw(order.rule());
        }
    }

    /** All orders there are fail; whether they were carried out is another matter. */
    void fail(boolean applied) {
        int count = orders.size();
        for (int i = 0; i < count; i++) {
            Order order = orders.removeFirst();
            if (applied) {
                perform(order);
            }
            ledger.done(order.number(), order.id(), "controller refuses the connection");
        }
    }

    Mitigation only() {
        List<Mitigation> shown = ledger.shown();
        if (shown.size() != 1) {
            throw new AssertionError("one was expected: " + shown);
        }
        return shown.getFirst();
    }

    Mitigation of(Rule rule) {
        return ledger.shown().stream()
                .filter(mitigation -> mitigation.rule().equals(rule))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    /** A drop report of that total, ten seconds after the one before. */
    void report(Rule rule, long count) {
        pass(10);
        ledger.dropReport(NODE, key(rule), count, true);
        work();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long epochNanos() {
        return epoch;
    }

    @Override
    public void order(Order order) {
        orders.addLast(order);
    }

    @Override
    public void list(String enforcer) {}

    @Override
    public void blastRadius(String id, Rule rule) {}

    @Override
    public void withdrawKey(String enforcer, long key) {
        keysWithdrawn.add(key);
    }

    @Override
    public void onAct(Operator by, String what, String why, @Nullable Mitigation about) {
        acts.add(by.name() + " " + what + (by.comment().isEmpty() ? "" : ": " + by.comment()));
    }

    @Override
    public void onStopped(Mitigation about, long fromNanos, long untilNanos, long packets) {
        long ago = epoch - untilNanos;
        stopped.add(packets + " in " + (untilNanos - fromNanos) / SECOND + " s" + (ago == 0 ? "" : " until " + ago));
    }

    @Override
    public void onAlert(Alert alert, String text, @Nullable Mitigation about) {
        alerts.add(alert + " " + text);
    }
}
