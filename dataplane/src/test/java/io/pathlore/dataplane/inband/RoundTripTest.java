package io.pathlore.dataplane.inband;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Property;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a source puts into a packet and nodes add to it, at every step the packet is sound and shows exactly what the
 * nodes wrote; what leaves the sink is what entered the source.
 */
class RoundTripTest {
    private static final int MTU = 9000;
    private static final int MAX_HOPS = 5;
    private static final int CASES = 3;

    static Stream<Arguments> combinations() {
        List<Arguments> all = new ArrayList<>();
        for (IntVersion version : IntVersion.values()) {
            for (Carrier carrier : Carrier.values()) {
                if (IntTask.allows(version, carrier)) {
                    all.add(Arguments.of(Mode.MD, version, carrier));
                    if (version == IntVersion.V2) {
                        all.add(Arguments.of(Mode.MX, version, carrier));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("combinations")
    void whatLeavesTheSinkIsWhatEnteredTheSource(Mode mode, IntVersion version, Carrier carrier) {
        long number = 0;
        for (Shape shape : Shape.values()) {
            for (int hops = 0; hops <= MAX_HOPS; hops++) {
                for (int i = 0; i < Property.cases(CASES); i++) {
                    for (boolean v6 : new boolean[] {false, true}) {
                        RandomGenerator random = Property.random(Property.seed(), number++);
                        new Case(random, mode, version, carrier, shape, v6, hops).run();
                    }
                }
            }
        }
    }

    private static final class Case {
        private final RandomGenerator random;
        private final Mode mode;
        private final IntVersion version;
        private final Carrier carrier;
        private final Shape shape;
        private final boolean v6;
        private final int hops;
        private final IntEditor editor;
        private final ReferenceDecoder reference;
        private final Packet packet = new Packet(2048);
        private final HopValues own = new HopValues();
        private final List<Map<String, String>> expected = new ArrayList<>();
        private final int[] sourceWords = new int[3];
        private int padding;

        Case(
                RandomGenerator random,
                Mode mode,
                IntVersion version,
                Carrier carrier,
                Shape shape,
                boolean v6,
                int hops) {
            this.random = random;
            this.mode = mode;
            this.version = version;
            this.carrier = carrier;
            this.shape = shape;
            this.v6 = v6;
            this.hops = hops;
            boolean june = version == IntVersion.JUNE_2016;
            Codepoints codepoints = Hops.codepoints(random.nextBoolean());
            editor = new IntEditor(codepoints, june);
            reference = Hops.reference(codepoints, june, false);
        }

        private IntTask task() {
            int bitmap = random.nextInt(0x10000) & ~HopWriter.reserved(version);
            if (mode == Mode.MX) {
                bitmap &= ~1;
            }
            bitmap |= random.nextInt(4) == 0 ? 0 : 0x8000;
            if (bitmap == 0) {
                bitmap = 0x2000;
            }
            Instructions instructions = Instructions.of(bitmap);
            if (version == IntVersion.V2 && random.nextInt(3) > 0) {
                instructions = random.nextBoolean()
                        ? new Instructions(bitmap, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000)
                        : new Instructions(bitmap, Hops.DOMAIN, random.nextInt(0x10000) & 0xA500, random.nextInt(8));
            }
            boolean chains = carrier == Carrier.VXLAN_GPE || carrier == Carrier.GENEVE || carrier == Carrier.GRE;
            int limit = random.nextBoolean() ? 16 : 1 + random.nextInt(4);
            return new IntTask(
                    mode,
                    version,
                    carrier,
                    instructions,
                    mode == Mode.MD ? limit : 0,
                    version == IntVersion.V2 && random.nextBoolean(),
                    version == IntVersion.V2 ? 0 : random.nextInt(4),
                    mode == Mode.MD && random.nextInt(4) > 0,
                    mode == Mode.MD && HopWriter.hasComplement(version, bitmap) && random.nextBoolean(),
                    chains && random.nextBoolean(),
                    false,
                    0xC0A80101,
                    0xC0A80202);
        }

        void run() {
            shape.build(packet, v6, random);
            byte[] original = packet.toByteArray();
            IntTask task = task();
            padding = padding();
            String name = task + " " + shape + (v6 ? " IPv6 " : " IPv4 ") + Hex.text(original);
            try {
                run(task, original);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError(name + "\nnow " + Hex.text(packet.toByteArray()) + "\n" + failure, failure);
            }
        }

        private int padding() {
            IpPlace place = new IpPlace();
            place.find(editor.parse(packet), IpPlace.outermost(editor.parse(packet)));
            return packet.end() - place.end(editor.parse(packet));
        }

        private void run(IntTask task, byte[] original) {
            Soundness.check(editor.parse(packet), padding);
            sourceWords[0] = random.nextInt() >>> 1;
            sourceWords[1] = random.nextInt() >>> 1 & 0xFFFF_0000;
            sourceWords[2] = random.nextInt() >>> 1;
            Hops.fill(own, random);
            Insertion insertion = editor.insert(packet, editor.parse(packet), task, own, sourceWords, 77, MTU);
            if (!shape.takes(carrier)) {
                assertThat(insertion).isEqualTo(Insertion.NOT_APPLICABLE);
                assertThat(packet.toByteArray()).isEqualTo(original);
                return;
            }
            assertThat(insertion).isEqualTo(Insertion.DONE);
            if (task.sourcePushes()) {
                expect(task, true);
            }
            check(task);
            Push last = Push.PUSHED;
            for (int i = 0; i < hops; i++) {
                Hops.fill(own, random);
                NodeAbility ability = NodeAbility.DEFAULT.withComplements(random.nextBoolean());
                last = editor.push(packet, editor.parse(packet), own, ability, MTU);
                if (last == Push.PUSHED) {
                    expect(task, false);
                }
                check(task);
            }
            if (mode == Mode.MD && carrier != Carrier.GENEVE) {
                checkLast(task, last);
            }
            if (version == IntVersion.V2 || task.replicate() == 0) {
                assertThat(editor.discard(editor.parse(packet))).isEqualTo(discards(task));
            }
            assertThat(editor.strip(packet, editor.parse(packet))).isTrue();
            assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(original));
        }

        private static boolean discards(IntTask task) {
            return task.discard();
        }

        private void checkLast(IntTask task, Push last) {
            int pushes = hops + (task.sourcePushes() ? 1 : 0);
            boolean sourceOnly = Hops.DOMAINS.sourceOnlyWords(
                            task.instructions().domainId(), task.instructions().dsInstructions())
                    > 0;
            if (sourceOnly && !task.sourcePushes()) {
                assertThat(last).isIn(Push.UNABLE, Push.PUSHED);
                assertThat(expected).isEmpty();
            } else {
                assertThat(last).isEqualTo(pushes > task.hopLimit() && hops > 0 ? Push.HOP_LIMIT : Push.PUSHED);
                assertThat(expected).hasSize(Math.min(pushes, task.hopLimit()));
            }
        }

        private void expect(IntTask task, boolean source) {
            Instructions instructions = task.instructions();
            List<String> domain =
                    Hops.domainWords(instructions.domainId(), instructions.dsInstructions(), own, sourceWords, source);
            expected.add(Hops.expected(version, instructions.bitmap(), own, domain));
        }

        private void check(IntTask task) {
            Soundness.check(editor.parse(packet), padding);
            List<Map<String, Object>> ints = Hops.ints(reference, packet.toByteArray());
            assertThat(ints).hasSize(task.destinationHeader() ? 2 : 1);
            Map<String, Object> header = ints.getFirst();
            assertThat(header.get("version")).isEqualTo(version.label());
            assertThat(header.get("type")).isEqualTo(mode == Mode.MX ? "mx" : "md");
            assertThat(header.get("instructions"))
                    .isEqualTo((long) task.instructions().bitmap());
            assertThat(Hops.hops(header)).isEqualTo(expected);
            if (task.destinationHeader()) {
                assertThat(ints.getLast()).doesNotContainKey("hops").containsEntry("type", "destination");
                DestinationHeader destination = new DestinationHeader();
                assertThat(destination.read(editor.parse(packet))).isTrue();
                assertThat(destination.sequence()).isEqualTo(77);
                assertThat(destination.originalTtl()).isEqualTo(64);
            }
        }
    }
}
