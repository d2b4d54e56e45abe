package io.pathlore.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is read back is what was written, in objects that keep what is not state. */
class StateTest {
    private enum Colour {
        RED,
        BLUE {
            @Override
            public String toString() {
                return "another class";
            }
        }
    }

    private record Place(long node, List<Long> ports, Colour colour) {}

    private static final class Knot {
        final String name;

        @Nullable
        Knot next;

        Knot(String name) {
            this.name = name;
        }
    }

    private static class Base {
        int inherited = 7;
    }

    private static final class Everything extends Base {
        private final transient Runnable told;
        private final transient int limit;
        private final long[] many = new long[1_000];
        private final boolean[] flags = new boolean[9];
        private final @Nullable Knot[] knots = new Knot[5];
        private final Map<Place, Knot> ordered = new TreeMap<>(Comparator.comparingLong(Place::node));
        private final Set<Place> places = new HashSet<>();
        private final PriorityQueue<Knot> due = new PriorityQueue<>(Comparator.comparing((Knot one) -> one.name));
        private final ArrayDeque<Knot> waiting = new ArrayDeque<>();
        private final List<Object> anything = new ArrayList<>();
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(37);
        private double share = Double.NaN;
        private @Nullable Object nothing = "something";

        Everything(int limit, Runnable told) {
            this.limit = limit;
            this.told = told;
        }
    }

    @Test
    void whatIsReadIsWhatWasWritten() {
        Everything one = new Everything(1, () -> {});
        one.inherited = 8;
        one.many[3] = -1;
        one.many[999] = Long.MIN_VALUE;
        one.flags[8] = true;
        Knot b = new Knot("b");
        Knot a = new Knot("a");
        a.next = b;
        b.next = a; // in a circle
        one.knots[2] = a;
        Place place = new Place(5, List.of(1L, 2L), Colour.BLUE);
        one.ordered.put(place, b);
        one.ordered.put(new Place(1, List.of(), Colour.RED), a);
        one.places.add(place);
        one.due.add(b);
        one.due.add(a);
        one.waiting.add(b);
        one.anything.addAll(List.of(1L, 2, 0.5, true, "text", Colour.RED, Map.of("a", 1L)));
        one.bytes.putLong(8, 42).put(36, (byte) 9);
        one.share = 0.25;
        one.nothing = null;
        byte[] state = State.of(one);

        List<String> heard = new ArrayList<>();
        Everything other = new Everything(2, () -> heard.add("told"));
        other.many[7] = 7; // not what was there
        other.bytes.putLong(0, 1);
        long[] array = other.many;
        State.restore(state, other);

        assertThat(State.of(other)).isEqualTo(state);
        assertThat(other.limit).isEqualTo(2);
        other.told.run();
        assertThat(heard).hasSize(1);
        assertThat(other.inherited).isEqualTo(8);
        assertThat(other.many).isSameAs(array).containsExactly(one.many);
        assertThat(other.flags).containsExactly(one.flags);
        Knot first = other.knots[2];
        assertThat(first).isNotNull();
        assertThat(first.name).isEqualTo("a");
        Knot second = first.next;
        assertThat(second).isNotNull();
        assertThat(second.next).isSameAs(first);
        assertThat(other.ordered.keySet()).containsExactly(new Place(1, List.of(), Colour.RED), place);
        assertThat(other.ordered.get(place)).isSameAs(second);
        assertThat(other.places).containsExactly(place);
        assertThat(other.due.poll()).isSameAs(first);
        assertThat(other.waiting).containsExactly(second);
        assertThat(other.anything).containsExactly(1L, 2, 0.5, true, "text", Colour.RED, Map.of("a", 1L));
        assertThat(other.bytes.getLong(0)).isZero();
        assertThat(other.bytes.getLong(8)).isEqualTo(42);
        assertThat(other.bytes.get(36)).isEqualTo((byte) 9);
        assertThat(other.share).isEqualTo(0.25);
        assertThat(other.nothing).isNull();
    }

    @Test
    void aChainMayBeLong() {
        Knot first = new Knot("0");
        Knot last = first;
        for (int i = 1; i < 100_000; i++) {
            last.next = new Knot(Integer.toString(i));
            last = last.next;
        }
        Knot other = new Knot("another");
        State.restore(State.of(first), other);
        Knot at = other;
        int count = 1;
        while (at.next != null) {
            at = at.next;
            count++;
        }
        assertThat(count).isEqualTo(100_000);
        assertThat(at.name).isEqualTo("99999");
    }

    private static final class Numbers {
        final long[] longs;
        final int[] ints;
        final short[] shorts;
        final byte[] bytes;
        final boolean[] booleans;
        final double[] doubles;
        final @Nullable Knot[] knots;
        final ByteBuffer buffer;

        Numbers(int length) {
            longs = new long[length];
            ints = new int[length];
            shorts = new short[length];
            bytes = new byte[length];
            booleans = new boolean[length];
            doubles = new double[length];
            knots = new Knot[length];
            buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        }

        void fill(Random random) {
            int zeros = 1 + random.nextInt(20);
            for (int i = 0; i < longs.length; i++) {
                if (random.nextInt(zeros) == 0) {
                    longs[i] = random.nextLong();
                    ints[i] = random.nextInt();
                    shorts[i] = (short) random.nextInt();
                    bytes[i] = (byte) random.nextInt();
                    booleans[i] = random.nextBoolean();
                    doubles[i] = random.nextDouble();
                    knots[i] = new Knot(Integer.toString(i));
                    buffer.put(i, (byte) random.nextInt());
                }
            }
        }
    }

    @Test
    void arraysMayHoldAnything() {
        Random random = new Random(3);
        for (int round = 0; round < 500; round++) {
            int length = random.nextInt(100);
            Numbers one = new Numbers(length);
            one.fill(random);
            Numbers other = new Numbers(random.nextBoolean() ? length : 7);
            other.fill(random);
            State.restore(State.of(one), other);
            assertThat(other).usingRecursiveComparison().isEqualTo(one);
        }
    }

    private record Telling(Runnable told) {}

    @Test
    void codeIsNoState() {
        assertThatThrownBy(() -> State.of(new Telling(() -> {})))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("transient");
    }

    @Test
    void aValueCanTravelAlone() {
        Place place = new Place(3, List.of(4L), Colour.RED);
        assertThat(State.value(State.of(place))).isEqualTo(place);
    }

    @Test
    void stateOfOtherClassesIsRefused() {
        byte[] state = State.of(new Knot("a"));
        assertThatThrownBy(() -> State.restore(state, new Base()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("Knot");
        // As if the field had had another name in the program that wrote it.
        String text = new String(state, StandardCharsets.ISO_8859_1).replace("name,next", "nama,next");
        assertThatThrownBy(() -> State.restore(text.getBytes(StandardCharsets.ISO_8859_1), new Knot("b")))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("another version");
    }
}
