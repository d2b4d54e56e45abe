package io.pathlore.analysis.ddos;

import io.pathlore.model.ReportRow;
import java.util.Arrays;

/**
 * How closely packets are looked at. Each of the widest networks with somebody in it who is suspected has so many looks in a tick, and more where he is near to
 * what is too much; of the packets that follow, one in some is looked at and stands for all. So an attack on one network takes no looks from another, and it makes no difference which of them
 * are counted together. Hot path.
 */
final class Looks {
    static final int NOBODY = -1;

    private static final int MOST = 200;
    private static final int FAR = 50;
    /** A prime: who sends by turns is seen by turns. */
    private static final int SOME = 17;

    // Of the networks, where they are looked for: 0 where there is none.
    private final long[] networks;
    private final int[] places;

    // Of a network, by its place.
    private final long[] names;
    private final int[] inside;
    private final int[] taken;
    private final int[] most;
    private final int[] turns;
    private final int[] answers;
    /** Suspects of each role. */
    private final int[] roles;
    /** One more than who is the whole of it, where it is suspected itself. */
    private final int[] whole;

    Looks(int most) {
        int size = Integer.highestOneBit(Math.max(1, most)) << 2;
        networks = new long[size];
        places = new int[size];
        names = new long[most];
        inside = new int[most];
        taken = new int[most];
        this.most = new int[most];
        turns = new int[most];
        answers = new int[most];
        roles = new int[most * Role.COUNT];
        whole = new int[most];
    }

    /** What suspects of a network may be asked for; where nobody is one, nobody has to be looked for. */
    enum Role {
        UDP_ADDRESS,
        UDP_PORT,
        REFLECTED_ADDRESS,
        REFLECTED_PORT,
        ICMP_ADDRESS,
        /** Smaller than the network, larger than an address. */
        NARROWER,
        OTHER;

        static final int COUNT = values().length;
    }

    private int home(long network) {
        return (int) (ReportRow.mix(network) >>> 32) & networks.length - 1;
    }

    /** The place of a network in which somebody is suspected, or {@link #NOBODY}. */
    int find(long network) {
        for (int at = home(network); networks[at] != 0; at = at + 1 & networks.length - 1) {
            if (networks[at] == network) {
                return places[at];
            }
        }
        return NOBODY;
    }

    boolean areLeft(int place) {
        return taken[place] < most[place];
    }

    /** For so many packets this one stands that is sent there, or 0 where it is not looked at. */
    int standing(int place) {
        return areLeft(place) ? 1 : ++turns[place] % SOME == 0 ? SOME : 0;
    }

    /** As {@link #standing}, of a packet from there. */
    int standingOfAnswer(int place) {
        return areLeft(place) ? 1 : ++answers[place] % SOME == 0 ? SOME : 0;
    }

    void take(int place) {
        taken[place]++;
    }

    boolean has(int place, Role role) {
        return roles[place * Role.COUNT + role.ordinal()] > 0;
    }

    /** Who is the network itself, or {@link #NOBODY}. */
    int whole(int place) {
        return whole[place] - 1;
    }

    // ---- per tick

    void settle() {
        Arrays.fill(taken, 0);
        Arrays.fill(most, FAR);
    }

    /** For the tick that begins: somebody there may soon have too much, or has. */
    void near(int place) {
        most[place] = MOST;
    }

    /** Somebody there is suspected; its place. There is room for as many as may be. */
    int enter(long network) {
        int place = find(network);
        if (place == NOBODY) {
            place = 0;
            while (inside[place] > 0) {
                place++;
            }
            names[place] = network;
            taken[place] = 0;
            most[place] = FAR;
            turns[place] = 0;
            answers[place] = 0;
            put(network, place);
        }
        inside[place]++;
        return place;
    }

    private void put(long network, int place) {
        int at = home(network);
        while (networks[at] != 0) {
            at = at + 1 & networks.length - 1;
        }
        networks[at] = network;
        places[at] = place;
    }

    /** Who was entered there, by what may be asked for. */
    void count(int place, Role role, int by) {
        roles[place * Role.COUNT + role.ordinal()] += by;
    }

    /** Who is the network itself, or {@link #NOBODY} from now on. */
    void whole(int place, int index) {
        whole[place] = index + 1;
    }

    /** One of those is no longer suspected. */
    void leave(int place) {
        if (--inside[place] == 0) {
            Arrays.fill(networks, 0);
            for (int i = 0; i < inside.length; i++) {
                if (inside[i] > 0) {
                    put(names[i], i);
                }
            }
        }
    }
}
