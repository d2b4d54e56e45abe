package io.pathlore.wire.envelope;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    private final Envelope envelope = new Envelope();

    /** Hand-made from the figure; every field has its top bit set, where sign bugs live. */
    private static final String GOLDEN_V6 = """
            01 87 0044 80000002
            98a7b6c5d4e3f201
            fedcba9876543210
            8000010000000007
            fe80 0000 0000 0000 8000 0000 0000 0001
            fd00 0000 0000 0000 9000 0000 0000 0002
            ffff 8555
            cafe
            """;

    @Test
    void decodesTheGoldenEnvelope() {
        ByteBuffer golden = hex(GOLDEN_V6);
        assertThat(envelope.wrap(golden, 0, golden.capacity())).isTrue();
        assertThat(envelope.version()).isEqualTo(1);
        assertThat(envelope.flags()).isEqualTo(0x87);
        assertThat(envelope.kernelTime()).isTrue();
        assertThat(envelope.duplicate()).isTrue();
        assertThat(envelope.unbound()).isTrue();
        assertThat(envelope.originalLength()).isEqualTo(0x8000_0002L);
        assertThat(envelope.receivedNanos()).isEqualTo(0x98a7b6c5d4e3f201L);
        assertThat(envelope.edgeId()).isEqualTo(0xfedcba9876543210L);
        assertThat(envelope.position()).isEqualTo(0x8000010000000007L);
        assertThat(envelope.v6()).isTrue();
        assertThat(envelope.exporterHigh()).isEqualTo(0xfe80_0000_0000_0000L);
        assertThat(envelope.exporterLow()).isEqualTo(0x8000_0000_0000_0001L);
        assertThat(envelope.destinationHigh()).isEqualTo(0xfd00_0000_0000_0000L);
        assertThat(envelope.destinationLow()).isEqualTo(0x9000_0000_0000_0002L);
        assertThat(envelope.exporterPort()).isEqualTo(65_535);
        assertThat(envelope.destinationPort()).isEqualTo(0x8555);
        assertThat(envelope.datagramOffset()).isEqualTo(68);
        assertThat(envelope.datagramLength()).isEqualTo(2);
    }

    @Test
    void writesAnIpv4AddressMapped() {
        ByteBuffer out = ByteBuffer.allocate(Envelope.LENGTH);
        int end = Envelope.encode(
                out, 0, Envelope.KERNEL_TIME, 0, 1, 2, 3, false, 0, 0x0a00_0003L, 0, 0, 0xC0A8_0109L, 8555);
        assertThat(end).isEqualTo(Envelope.LENGTH);
        assertThat(Hex.text(out)).isEqualTo(Hex.text(Hex.bytes("""
                01 01 0044 00000000
                0000000000000001 0000000000000002 0000000000000003
                0000 0000 0000 0000 0000 ffff 0a00 0003
                0000 0000 0000 0000 0000 ffff c0a8 0109
                0000 216b
                """)));
        assertThat(envelope.wrap(out, 0, end)).isTrue();
        assertThat(envelope.v6()).isFalse();
        assertThat(envelope.exporterLow()).isEqualTo(0x0a00_0003L);
        assertThat(envelope.destinationLow()).isEqualTo(0xC0A8_0109L);
        assertThat(envelope.datagramLength()).isZero();
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(
                int flags,
                long originalLength,
                long time,
                long edge,
                long position,
                boolean v6,
                long fromHigh,
                long fromLow,
                int fromPort,
                long toHigh,
                long toLow,
                int toPort) {}
        forAll(
                r -> {
                    boolean v6 = r.nextBoolean();
                    long mask = v6 ? -1 : 0xFFFF_FFFFL;
                    return new Fields(
                            r.nextInt(256),
                            r.nextLong(1L << 32),
                            r.nextLong(),
                            r.nextLong(),
                            r.nextLong(),
                            v6,
                            v6 ? r.nextLong() | 1 : 0,
                            r.nextLong() & mask,
                            r.nextInt(65_536),
                            v6 ? r.nextLong() : 0,
                            r.nextLong() & mask,
                            r.nextInt(65_536));
                },
                f -> {
                    ByteBuffer buffer = ByteBuffer.allocate(100);
                    int at = Envelope.encode(
                            buffer,
                            5,
                            f.flags,
                            (int) f.originalLength,
                            f.time,
                            f.edge,
                            f.position,
                            f.v6,
                            f.fromHigh,
                            f.fromLow,
                            f.fromPort,
                            f.toHigh,
                            f.toLow,
                            f.toPort);
                    assertThat(envelope.wrap(buffer, 5, at + 9)).isTrue();
                    assertThat(envelope.datagramLength()).isEqualTo(9);
                    assertThat(Envelope.position(buffer, 5)).isEqualTo(f.position);
                    assertThat(Envelope.receivedNanos(buffer, 5)).isEqualTo(f.time);
                    assertThat(new Fields(
                                    envelope.flags(),
                                    envelope.originalLength(),
                                    envelope.receivedNanos(),
                                    envelope.edgeId(),
                                    envelope.position(),
                                    envelope.v6(),
                                    envelope.exporterHigh(),
                                    envelope.exporterLow(),
                                    envelope.exporterPort(),
                                    envelope.destinationHigh(),
                                    envelope.destinationLow(),
                                    envelope.destinationPort()))
                            .isEqualTo(f);
                });
    }

    /** So that a later program may add fields and this one still finds the datagram. */
    @Test
    void givesAnotherPositionAndTouchesNothingElse() {
        ByteBuffer other = hex(GOLDEN_V6);
        Envelope.putPosition(other, 0, 0x8000_0100_0000_0008L);
        assertThat(Hex.text(other)).isEqualTo(Hex.text(hex(GOLDEN_V6.replace("8000010000000007", "8000010000000008"))));
        assertThat(Envelope.position(other, 0)).isEqualTo(0x8000_0100_0000_0008L);
    }

    @Test
    void skipsHeaderFieldsItDoesNotKnow() {
        ByteBuffer longer = hex(GOLDEN_V6.replace("0044", "0046"));
        assertThat(envelope.wrap(longer, 0, longer.capacity())).isTrue();
        assertThat(envelope.datagramOffset()).isEqualTo(70);
        assertThat(envelope.datagramLength()).isZero();
    }

    @Test
    void rejectsWhatIsNoEnvelope() {
        assertRejects(GOLDEN_V6.replace("01 87", "02 87"));
        assertRejects(GOLDEN_V6.replace("0044", "0043"));
        assertRejects(GOLDEN_V6.replace("0044", "0047"));
        for (int end = 0; end < Envelope.LENGTH; end++) {
            assertThat(envelope.wrap(hex(GOLDEN_V6), 0, end)).isFalse();
        }
    }

    private void assertRejects(String text) {
        ByteBuffer bytes = hex(text);
        assertThat(envelope.wrap(bytes, 0, bytes.capacity())).isFalse();
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(RandomGenerator::nextLong, seed -> {
            RandomGenerator dice = new java.util.SplittableRandom(seed);
            ByteBuffer raw = random(dice, dice.nextInt(90));
            if (raw.capacity() > 3) {
                raw.put(0, (byte) 1).putShort(2, (short) (60 + dice.nextInt(30)));
            }
            if (envelope.wrap(raw, 0, raw.capacity())) {
                assertThat(envelope.datagramOffset()).isBetween(Envelope.LENGTH, raw.capacity());
                assertThat(envelope.datagramEnd()).isEqualTo(raw.capacity());
            }
        });
    }
}
