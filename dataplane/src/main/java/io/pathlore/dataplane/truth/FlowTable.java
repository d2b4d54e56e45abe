package io.pathlore.dataplane.truth;

import io.pathlore.model.FlowKey;
import io.pathlore.wire.net.FlowView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Flows by number, so that what happens per packet deals in integers. Hot path: finding a known flow allocates nothing. */
final class FlowTable {
    static final int UNKNOWN = -1;
    private static final int EMPTY = 0;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final List<FlowKey> keys = new ArrayList<>();
    private long[] hashes = new long[64];
    /** Number + 1. */
    private int[] slots = new int[128];

    int size() {
        return keys.size();
    }

    FlowKey key(int flow) {
        return keys.get(flow);
    }

    int add(FlowKey key) {
        long hash = hash(
                key.sourceHigh(),
                key.sourceLow(),
                key.destinationHigh(),
                key.destinationLow(),
                key.protocol(),
                key.sourcePort(),
                key.destinationPort(),
                key.icmpType(),
                key.icmpCode(),
                key.vni());
        int at = slot(hash);
        for (; slots[at] != EMPTY; at = next(at)) {
            int flow = slots[at] - 1;
            if (hashes[flow] == hash && keys.get(flow).equals(key)) {
                return flow;
            }
        }
        int flow = keys.size();
        keys.add(key);
        if (flow == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * flow);
        }
        hashes[flow] = hash;
        slots[at] = flow + 1;
        if (2 * keys.size() > slots.length) {
            grow();
        }
        return flow;
    }

    int add(FlowView view) {
        int flow = find(view);
        return flow != UNKNOWN
                ? flow
                : add(new FlowKey(
                        view.v6(),
                        view.sourceHigh(),
                        view.sourceLow(),
                        view.destinationHigh(),
                        view.destinationLow(),
                        view.protocol(),
                        view.sourcePort(),
                        view.destinationPort(),
                        view.icmpType(),
                        view.icmpCode(),
                        view.vni()));
    }

    int find(FlowView view) {
        long hash = hash(
                view.sourceHigh(),
                view.sourceLow(),
                view.destinationHigh(),
                view.destinationLow(),
                view.protocol(),
                view.sourcePort(),
                view.destinationPort(),
                view.icmpType(),
                view.icmpCode(),
                view.vni());
        for (int at = slot(hash); slots[at] != EMPTY; at = next(at)) {
            int flow = slots[at] - 1;
            if (hashes[flow] == hash && isSame(keys.get(flow), view)) {
                return flow;
            }
        }
        return UNKNOWN;
    }

    private static boolean isSame(FlowKey key, FlowView view) {
        return key.v6() == view.v6()
                && key.sourceHigh() == view.sourceHigh()
                && key.sourceLow() == view.sourceLow()
                && key.destinationHigh() == view.destinationHigh()
                && key.destinationLow() == view.destinationLow()
                && key.protocol() == view.protocol()
                && key.sourcePort() == view.sourcePort()
                && key.destinationPort() == view.destinationPort()
                && key.icmpType() == view.icmpType()
                && key.icmpCode() == view.icmpCode()
                && key.vni() == view.vni();
    }

    private void grow() {
        slots = new int[2 * slots.length];
        for (int flow = 0; flow < keys.size(); flow++) {
            int at = slot(hashes[flow]);
            while (slots[at] != EMPTY) {
                at = next(at);
            }
            slots[at] = flow + 1;
        }
    }

    private int slot(long hash) {
        return (int) hash & slots.length - 1;
    }

    private int next(int slot) {
        return slot + 1 & slots.length - 1;
    }

    private static long hash(
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int protocol,
            int sourcePort,
            int destinationPort,
            int icmpType,
            int icmpCode,
            int vni) {
        long hash = mix(sourceHigh, sourceLow);
        hash = mix(hash ^ destinationHigh, destinationLow);
        hash = mix(hash, (long) sourcePort << 32 ^ destinationPort & 0xFFFF_FFFFL);
        hash = mix(hash, (long) vni << 32 ^ (long) protocol << 16 ^ icmpType << 8 ^ icmpCode);
        return hash;
    }

    static long mix(long hash, long value) {
        long mixed = (hash ^ value) * MULTIPLIER;
        return (mixed ^ mixed >>> 29) * MULTIPLIER ^ hash >>> 32;
    }
}
