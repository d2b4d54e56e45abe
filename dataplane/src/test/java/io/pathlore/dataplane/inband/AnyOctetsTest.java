package io.pathlore.dataplane.inband;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Packets come from strangers: whatever they hold, a node changes them soundly or not at all, and never fails. */
class AnyOctetsTest {
    private static final int CASES = 5_000;
    private static final int[] SOURCE_WORDS = {1, 2};

    private final Packet packet = new Packet(4096);
    private final Packet other = new Packet(4096);
    private final HopValues own = new HopValues();
    private final IpPlace place = new IpPlace();

    @Test
    void neverFailsOnMutatedPackets() {
        forAll(CASES, this::mutated, octets -> edit(octets, octets.length));
    }

    @Test
    void neverFailsOnNoise() {
        forAll(
                CASES / 10,
                random -> {
                    byte[] octets = new byte[random.nextInt(200)];
                    random.nextBytes(octets);
                    return octets;
                },
                octets -> edit(octets, octets.length));
    }

    private byte[] mutated(RandomGenerator random) {
        boolean june = random.nextInt(4) == 0;
        IntEditor editor = new IntEditor(Hops.codepoints(false), june);
        Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
        shape.build(packet, random.nextBoolean(), random);
        Carrier carrier = Carrier.values()[random.nextInt(Carrier.values().length)];
        IntVersion version = IntVersion.values()[random.nextInt(4)];
        boolean fits = (version == IntVersion.JUNE_2016) == june || version == IntVersion.V2;
        if (fits && IntTask.allows(version, carrier) && shape.takes(carrier)) {
            int bitmap = 0x8000 | random.nextInt(0x10000) & ~HopWriter.reserved(version);
            Instructions instructions = version == IntVersion.V2 && random.nextBoolean()
                    ? new Instructions(bitmap, Hops.DOMAIN, random.nextInt(0x10000) & 0xA500, 0)
                    : Instructions.of(bitmap);
            Hops.fill(own, random);
            IntTask task = IntTask.md(version, carrier, instructions, 8);
            editor.insert(packet, editor.parse(packet), task, own, SOURCE_WORDS, 0, 9000);
            if (random.nextBoolean()) {
                editor.push(packet, editor.parse(packet), own, NodeAbility.DEFAULT, 9000);
            }
        }
        byte[] octets = packet.toByteArray();
        for (int i = random.nextInt(4); i > 0; i--) {
            octets[random.nextInt(octets.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(octets, random.nextInt(octets.length + 1)) : octets;
    }

    private void edit(byte[] octets, int seed) {
        for (boolean june : new boolean[] {false, true}) {
            for (boolean dialect : new boolean[] {false, true}) {
                edit(octets, seed, new IntEditor(Hops.codepoints(dialect), june, dialect, EntropyPort.FLOW_HASH));
            }
        }
    }

    private void edit(byte[] octets, int seed, IntEditor editor) {
        NodeAbility ability =
                NodeAbility.DEFAULT.withComplements((seed & 1) != 0).withIntermediateReports((seed & 2) != 0);
        // As small a buffer as it can be, so that a read behind the packet fails.
        Packet tight = new Packet(octets.length);
        tight.copyFrom(octets);
        boolean sound = isSound(editor.parse(tight));
        int residue = residue(editor.parse(tight));
        Push push = editor.push(tight, editor.parse(tight), own, ability, 1500);
        if (push == Push.UNABLE || push == Push.REPORT_FIRST) {
            assertThat(tight.toByteArray()).isEqualTo(octets);
        }
        assertThat(tight.length() > octets.length).isEqualTo(push == Push.PUSHED);
        assertThat(isSound(editor.parse(tight))).isEqualTo(sound);
        assertThat(residue(editor.parse(tight))).isEqualTo(residue);
        editor.clearStack(tight, editor.parse(tight));
        editor.markReplica(tight, editor.parse(tight));
        assertThat(residue(editor.parse(tight))).isEqualTo(residue);
        editor.discard(editor.parse(tight));
        new DestinationHeader().read(editor.parse(tight));
        editor.followUp(tight, own, other);
        assertThat(isSound(editor.parse(tight))).isEqualTo(sound);
        PacketView before = editor.parse(tight);
        boolean tunnel = before.ints() > 0 && before.intHeader(0).encapsulation() == Encapsulation.GRE;
        boolean stripped = editor.strip(tight, before);
        assertThat(tight.length()).isLessThanOrEqualTo(octets.length + (push == Push.PUSHED ? 1024 : 0));
        // Without its tunnel another header is the outermost.
        if (!tunnel) {
            assertThat(isSound(editor.parse(tight))).isEqualTo(sound);
        }
        if (stripped) {
            for (Carrier carrier : Carrier.values()) {
                tight.copyFrom(octets);
                IntTask task = IntTask.md(carrier, Instructions.of(0x9000), 8);
                editor.insert(tight, editor.parse(tight), task, own, SOURCE_WORDS, 0, 1500);
                // A tunnel's new outer header is right whatever the packet's own was.
                if (sound || carrier != Carrier.GRE) {
                    assertThat(isSound(editor.parse(tight))).isEqualTo(sound);
                }
            }
        }
    }

    /** Whether the outermost IPv4 header's checksum is right; true where there is none. */
    private static boolean isSound(PacketView view) {
        int layer = IpPlace.outermost(view);
        if (layer < 0 || view.layer(layer) != Layer.IPV4) {
            return true;
        }
        int ip = view.layerOffset(layer);
        int end = ip + (view.buffer().get(ip) & 0xF) * 4;
        return InternetChecksum.finish(InternetChecksum.add(0, view.buffer(), ip, end)) == 0;
    }

    /** By how much the L4 checksum of the outermost IP packet is wrong: no node makes it right or wrong; -1 without one. */
    private int residue(PacketView view) {
        int layer = IpPlace.outermost(view);
        if (layer < 0) {
            return -1;
        }
        place.find(view, layer);
        int l4 = place.payloadAt;
        int end = place.end(view);
        boolean tcp = place.carries(view, Layer.TCP);
        boolean udp = place.carries(view, Layer.UDP);
        if (end - l4 < 20 || !tcp && !udp || udp && view.buffer().getShort(l4 + 6) == 0) {
            return -1;
        }
        return InternetChecksum.finish(L4Checksum.sum(view.buffer(), place.ip, tcp ? 6 : 17, l4, end));
    }
}
