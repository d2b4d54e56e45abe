package io.pathlore.ingest.pcap;

import static io.pathlore.ingest.pcap.CaptureFiles.gzip;
import static io.pathlore.testkit.FrameBytes.join;
import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

class GunzipTest {
    private static final byte[] PLAIN = "a report, a report, another report".getBytes(StandardCharsets.US_ASCII);

    private static byte[] inflate(byte[] packed) throws IOException {
        try (var in = new Gunzip(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        }
    }

    /** Made by gzip 1.12 from "hello, hello, hello\n": {@code printf … | gzip -n}. */
    @Test
    void inflatesWhatGzipMade() throws IOException {
        byte[] packed = bytes("1f8b0800000000000003cb48cdc9c9d751c840a2b800e7426e5214000000");
        assertThat(inflate(packed)).isEqualTo("hello, hello, hello\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void inflatesMemberAfterMember() throws IOException {
        byte[] empty = gzip(new byte[0]);
        byte[] packed = join(gzip(PLAIN), empty, empty, gzip(PLAIN), gzip(PLAIN));
        assertThat(inflate(packed)).isEqualTo(join(PLAIN, PLAIN, PLAIN));
    }

    @Test
    void stepsOverEveryOptionalField() throws IOException {
        byte[] packed = gzip(PLAIN);
        packed[3] = 4 + 8 + 16 + 2;
        byte[] fields = join(bytes("0300 aabbcc"), "name\0why\0".getBytes(StandardCharsets.US_ASCII), bytes("1234"));
        byte[] whole = join(Arrays.copyOf(packed, 10), fields, Arrays.copyOfRange(packed, 10, packed.length));
        assertThat(inflate(whole)).isEqualTo(PLAIN);
    }

    /** A pipe gives what it has; that it has nothing for the moment does not make it the end. */
    @Test
    void doesNotTakeAPauseForTheEnd() throws IOException {
        byte[] packed = join(gzip(PLAIN), gzip(PLAIN));
        InputStream slow = new ByteArrayInputStream(packed) {
            @Override
            public synchronized int read(byte[] out, int offset, int length) {
                return super.read(out, offset, Math.min(length, 1));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
        try (var in = new Gunzip(slow)) {
            assertThat(in.readAllBytes()).isEqualTo(join(PLAIN, PLAIN));
        }
    }

    @Test
    void inflatesAnything() throws IOException {
        forAll(200, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] plain = new byte[random.nextInt(1 << random.nextInt(18))];
            random.nextBytes(plain);
            if (random.nextBoolean()) {
                Arrays.fill(plain, plain.length / 4, plain.length, (byte) 7);
            }
            assertThat(inflate(gzip(plain))).as("seed %d", seed).isEqualTo(plain);
        });
    }

    @Test
    void ignoresZerosThatPadATape() throws IOException {
        assertThat(inflate(join(gzip(PLAIN), new byte[512]))).isEqualTo(PLAIN);
        assertThat(inflate(join(gzip(PLAIN), new byte[100_000], gzip(PLAIN)))).isEqualTo(join(PLAIN, PLAIN));
    }

    @Test
    void everyPrefixIsCutShort() {
        byte[] packed = gzip(PLAIN);
        for (int length = 1; length < packed.length; length++) {
            byte[] prefix = Arrays.copyOf(packed, length);
            // The magic alone is looked at before: what is half of it was never gzip.
            Class<? extends IOException> expected = length == 1 ? ZipException.class : EOFException.class;
            assertThatThrownBy(() -> inflate(prefix)).as("%d bytes", length).isInstanceOf(expected);
        }
    }

    @Test
    void saysWhatIsWrong() {
        byte[] packed = gzip(PLAIN);
        assertThatThrownBy(() -> inflate(join(packed, bytes("0a"))))
                .isInstanceOf(ZipException.class)
                .hasMessage("something that is not gzip follows the gzip data");
        byte[] wrongSum = packed.clone();
        wrongSum[packed.length - 5] ^= 1;
        assertThatThrownBy(() -> inflate(wrongSum)).hasMessage("the gzip data is damaged (its checksum is wrong)");
        byte[] wrongLength = packed.clone();
        wrongLength[packed.length - 1] ^= 1;
        assertThatThrownBy(() -> inflate(wrongLength)).hasMessage("the gzip data is damaged (its checksum is wrong)");
        byte[] otherMethod = packed.clone();
        otherMethod[2] = 7;
        assertThatThrownBy(() -> inflate(otherMethod)).hasMessage("the gzip data is packed in an unknown way");
    }

    /** Deflate blocks: one stored, whole; then one of a type that does not exist. */
    @Test
    void givesEverythingBeforeTheDamage() throws IOException {
        byte[] packed = bytes("1f8b08000000000000ff 00 0500 faff 68656c6c6f 07 00000000 00000000");
        try (var in = new Gunzip(new ByteArrayInputStream(packed))) {
            assertThat(in.readNBytes(5)).isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(in::read)
                    .isInstanceOf(ZipException.class)
                    .hasMessageStartingWith("the gzip data is damaged (");
            assertThatThrownBy(in::read).isInstanceOf(ZipException.class);
        }
    }

    @Test
    void endsWhateverTheBytes() {
        byte[] packed = join(gzip(PLAIN), gzip(PLAIN));
        forAll(20_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] changed = packed.clone();
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                changed[random.nextInt(2, changed.length)] = (byte) random.nextInt(256);
            }
            var out = new ByteArrayOutputStream();
            try (var in = new Gunzip(new ByteArrayInputStream(changed))) {
                in.transferTo(out);
            } catch (EOFException | ZipException e) {
                assertThat(e).hasMessageContaining("gzip");
            } catch (IOException e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertThat(out.size()).isLessThan(1_000_000);
        });
    }
}
