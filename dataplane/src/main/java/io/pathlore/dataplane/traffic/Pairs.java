package io.pathlore.dataplane.traffic;

import java.util.List;

/** Who talks to whom, never to itself. */
final class Pairs {
    private Pairs() {}

    /** Every sender needs somebody else to send to. */
    static void check(List<Integer> from, List<Integer> to) {
        if (from.isEmpty()) {
            throw new IllegalArgumentException("from: no host");
        }
        if (to.isEmpty()) {
            throw new IllegalArgumentException("to: no host");
        }
        if (to.stream().distinct().count() == 1 && from.contains(to.get(0))) {
            throw new IllegalArgumentException("to: a host must not send to itself");
        }
    }

    static int anyOf(List<Integer> hosts, Dice dice) {
        return hosts.get(dice.below(hosts.size()));
    }

    /** Any of them but that one. */
    static int other(List<Integer> hosts, int than, Dice dice) {
        int at = dice.below(hosts.size());
        return inTurn(hosts, than, at);
    }

    /** The one whose turn it is, or the next that is not {@code than}. */
    static int inTurn(List<Integer> hosts, int than, int turn) {
        int at = turn % hosts.size();
        while (hosts.get(at) == than) {
            at = (at + 1) % hosts.size();
        }
        return hosts.get(at);
    }
}
