package io.pathlore.wire.inband;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/**
 * The metadata tables of the specifications as tables [INT 2.1 §5.8, TR 1.0 §3.2, TR 2.0 §3.3.1]: what {@link HopLayout}
 * works out, said a second time and in another way.
 */
final class HopTable {
    /** The fields of a hop; one that no table names is RESERVED. */
    @SuppressWarnings("ImmutableEnumChecker") // its lambdas capture nothing
    enum Name {
        NODE_ID(v -> v.nodeId, (v, x) -> v.nodeId = x),
        INGRESS_INTERFACE(v -> v.ingressInterface, (v, x) -> v.ingressInterface = x),
        EGRESS_INTERFACE(v -> v.egressInterface, (v, x) -> v.egressInterface = x),
        HOP_LATENCY(v -> v.hopLatency, (v, x) -> v.hopLatency = x),
        QUEUE_ID(v -> v.queueId, (v, x) -> v.queueId = x),
        QUEUE_OCCUPANCY(v -> v.queueOccupancy, (v, x) -> v.queueOccupancy = x),
        QUEUE_CONGESTION(v -> v.queueCongestion, (v, x) -> v.queueCongestion = x),
        INGRESS_TIMESTAMP(v -> v.ingressTimestamp, (v, x) -> v.ingressTimestamp = x),
        EGRESS_TIMESTAMP(v -> v.egressTimestamp, (v, x) -> v.egressTimestamp = x),
        LEVEL2_INGRESS_INTERFACE(v -> v.level2IngressInterface, (v, x) -> v.level2IngressInterface = x),
        LEVEL2_EGRESS_INTERFACE(v -> v.level2EgressInterface, (v, x) -> v.level2EgressInterface = x),
        TX_UTILIZATION(v -> v.txUtilization, (v, x) -> v.txUtilization = x),
        BUFFER_ID(v -> v.bufferId, (v, x) -> v.bufferId = x),
        BUFFER_OCCUPANCY(v -> v.bufferOccupancy, (v, x) -> v.bufferOccupancy = x),
        DROP_QUEUE_ID(v -> v.dropQueueId, (v, x) -> v.dropQueueId = x),
        DROP_REASON(v -> v.dropReason, (v, x) -> v.dropReason = x),
        CHECKSUM_COMPLEMENT(v -> v.checksumComplement, (v, x) -> v.checksumComplement = x),
        /** Zero where the item is known. */
        PADDING(v -> 0, (v, x) -> {}),
        RESERVED(v -> HopView.ABSENT, (v, x) -> {});

        private final ToLongFunction<HopValues> getter;
        private final ObjLongConsumer<HopValues> setter;

        Name(ToLongFunction<HopValues> getter, ObjLongConsumer<HopValues> setter) {
            this.getter = getter;
            this.setter = setter;
        }

        long of(HopValues values) {
            return getter.applyAsLong(values);
        }

        void set(HopValues values, long value) {
            setter.accept(values, value);
        }

        boolean isValue() {
            return this != PADDING && this != RESERVED;
        }
    }

    record Field(Name name, int bits) {}

    /** One instruction bit and what it stands for, of 32 or 64 bits. */
    record Item(int mask, List<Field> fields) {
        static Item of(int mask, Name name, int bits) {
            return new Item(mask, List.of(new Field(name, bits)));
        }

        static Item of(int mask, Name first, int firstBits, Name second, int secondBits) {
            return new Item(mask, List.of(new Field(first, firstBits), new Field(second, secondBits)));
        }

        int bits() {
            return fields.stream().mapToInt(Field::bits).sum();
        }
    }

    private HopTable() {}

    static List<Item> june2016() {
        List<Item> items = new ArrayList<>(List.of(
                Item.of(0x8000, Name.NODE_ID, 32),
                Item.of(0x4000, Name.INGRESS_INTERFACE, 32),
                Item.of(0x2000, Name.HOP_LATENCY, 32),
                Item.of(0x1000, Name.QUEUE_OCCUPANCY, 32),
                Item.of(0x0800, Name.INGRESS_TIMESTAMP, 32),
                Item.of(0x0400, Name.EGRESS_INTERFACE, 32),
                Item.of(0x0200, Name.QUEUE_CONGESTION, 32),
                Item.of(0x0100, Name.TX_UTILIZATION, 32)));
        reserve(items, 0x0080, 0x0001);
        return items;
    }

    private static List<Item> common(int timestampBits) {
        return new ArrayList<>(List.of(
                Item.of(0x8000, Name.NODE_ID, 32),
                Item.of(0x4000, Name.INGRESS_INTERFACE, 16, Name.EGRESS_INTERFACE, 16),
                Item.of(0x2000, Name.HOP_LATENCY, 32),
                Item.of(0x1000, Name.QUEUE_ID, 8, Name.QUEUE_OCCUPANCY, 24),
                Item.of(0x0800, Name.INGRESS_TIMESTAMP, timestampBits),
                Item.of(0x0400, Name.EGRESS_TIMESTAMP, timestampBits)));
    }

    static List<Item> int05(int timestampBits) {
        List<Item> items = common(timestampBits);
        items.add(Item.of(0x0200, Name.QUEUE_ID, 8, Name.QUEUE_CONGESTION, 24));
        items.add(Item.of(0x0100, Name.TX_UTILIZATION, 32));
        reserve(items, 0x0080, 0x0001);
        return items;
    }

    private static List<Item> withLevel2(int timestampBits, int level2Bits) {
        List<Item> items = common(timestampBits);
        items.add(Item.of(
                0x0200, Name.LEVEL2_INGRESS_INTERFACE, level2Bits / 2, Name.LEVEL2_EGRESS_INTERFACE, level2Bits / 2));
        items.add(Item.of(0x0100, Name.TX_UTILIZATION, 32));
        return items;
    }

    /** Without the checksum complement, which stands behind the domain's words. */
    static List<Item> int10(int timestampBits, int level2Bits) {
        List<Item> items = withLevel2(timestampBits, level2Bits);
        reserve(items, 0x0080, 0x0002);
        return items;
    }

    /** Without the checksum complement. */
    static List<Item> int2(int timestampBits, int level2Bits) {
        List<Item> items = withLevel2(timestampBits, level2Bits);
        items.add(Item.of(0x0080, Name.BUFFER_ID, 8, Name.BUFFER_OCCUPANCY, 24));
        reserve(items, 0x0040, 0x0002);
        return items;
    }

    static Item complement() {
        return Item.of(0x0001, Name.CHECKSUM_COMPLEMENT, 32);
    }

    private static Item drop(int mask) {
        return new Item(
                mask,
                List.of(new Field(Name.DROP_QUEUE_ID, 8), new Field(Name.DROP_REASON, 8), new Field(Name.PADDING, 16)));
    }

    static List<Item> report10() {
        return List.of(
                Item.of(0x20, Name.INGRESS_INTERFACE, 16, Name.EGRESS_INTERFACE, 16),
                Item.of(0x10, Name.HOP_LATENCY, 32),
                Item.of(0x08, Name.QUEUE_ID, 8, Name.QUEUE_OCCUPANCY, 24),
                Item.of(0x04, Name.EGRESS_TIMESTAMP, 32),
                drop(0x02),
                Item.of(0x01, Name.TX_UTILIZATION, 32));
    }

    static List<Item> report20(boolean reservedHaveWords) {
        List<Item> items = new ArrayList<>();
        if (reservedHaveWords) {
            reserve(items, 0x8000, 0x8000);
        }
        List<Item> version2 = withLevel2(64, 64);
        items.addAll(version2.subList(1, version2.size()));
        items.add(Item.of(0x0080, Name.BUFFER_ID, 8, Name.BUFFER_OCCUPANCY, 24));
        if (reservedHaveWords) {
            reserve(items, 0x0040, 0x0002);
        }
        items.add(drop(0x0001));
        return items;
    }

    private static void reserve(List<Item> items, int first, int last) {
        for (int mask = first; mask >= last; mask >>= 1) {
            items.add(Item.of(mask, Name.RESERVED, 32));
        }
    }
}
