package io.pathlore.ingest.pcap;

import static io.pathlore.ingest.pcap.CaptureFiles.golden;
import static io.pathlore.ingest.pcap.CaptureFiles.gzip;
import static io.pathlore.ingest.pcap.CaptureFiles.open;
import static io.pathlore.ingest.pcap.CaptureFiles.prefix;
import static io.pathlore.ingest.pcap.CaptureFiles.read;
import static io.pathlore.testkit.FrameBytes.join;
import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.pathlore.testkit.PcapBytes;
import io.pathlore.testkit.PcapngBytes;
import io.pathlore.wire.pcap.LinkType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person is told: the file, the place, what is wrong there, and what came out of it all the same. */
class CaptureErrorsTest {
    private static final byte[] FRAME = new byte[98];

    @TempDir
    Path directory = Path.of("");

    private static PcapBytes pcap() {
        return new PcapBytes(ByteOrder.LITTLE_ENDIAN, true, LinkType.ETHERNET);
    }

    private static PcapngBytes pcapng() {
        return new PcapngBytes().section(ByteOrder.LITTLE_ENDIAN).describe(LinkType.ETHERNET, 0);
    }

    private void assertOpening(String file, String message) {
        assertThatThrownBy(() -> CaptureReader.open(directory.resolve(file)))
                .isInstanceOf(CaptureException.class)
                .hasMessage(directory.resolve(file) + ": " + message);
    }

    @Test
    void namesWhatIsNoCapture() throws IOException {
        Files.writeString(directory.resolve("reports.txt"), "Hello", StandardCharsets.US_ASCII);
        assertOpening(
                "reports.txt",
                "not a capture file (starts with 48 65 6c 6c); expected pcap or pcapng, optionally gzip");
        Files.write(directory.resolve("tiny"), bytes("d4c3"));
        assertOpening("tiny", "not a capture file (starts with d4 c3); expected pcap or pcapng, optionally gzip");
        Files.write(directory.resolve("text.gz"), gzip("Hello".getBytes(StandardCharsets.US_ASCII)));
        assertOpening(
                "text.gz", "not a capture file (starts with 48 65 6c 6c); expected pcap or pcapng, optionally gzip");
    }

    @Test
    void namesWhatCannotBeOpened() throws IOException {
        assertOpening("missing.pcap", "no such file");
        Files.createDirectory(directory.resolve("captures"));
        assertOpening("captures", "is a directory, not a capture file; name one in it");
        Files.write(directory.resolve("empty.pcap"), new byte[0]);
        assertOpening("empty.pcap", "empty; expected pcap or pcapng, optionally gzip");
        Files.write(directory.resolve("empty.pcap.gz"), gzip(new byte[0]));
        assertOpening("empty.pcap.gz", "empty; expected pcap or pcapng, optionally gzip");
    }

    @Test
    void namesWhatIsCutShort() {
        byte[] two = pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).bytes();
        byte[] three =
                pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).frame(3, 0, FRAME).bytes();
        assertThat(read(prefix(three, three.length - 58)).error())
                .isEqualTo("x.pcap: cut short at offset 252: a frame of 98 bytes has 40;"
                        + " the 2 frames before it were read");
        assertThat(read(prefix(two, 24 + 16 + 98 + 7)).error())
                .isEqualTo("x.pcap: cut short at offset 138: a frame header of 16 bytes has 7;"
                        + " the frame before it was read");
        assertThat(read(prefix(two, 24 + 16)).error())
                .isEqualTo("x.pcap: cut short at offset 24: a frame of 98 bytes has 0; no frame could be read");
        assertThat(read(prefix(two, 10)).error())
                .isEqualTo("x.pcap: cut short at offset 0: a file header of 24 bytes has 10; no frame could be read");
    }

    /** The offset is good for more than reading: a file shortened to it is whole again. */
    @Test
    void theOffsetIsWhereToShortenTheFile() {
        byte[] two = pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).bytes();
        assertThat(read(prefix(two, 200)).error()).contains("at offset 138:");
        assertThat(read(prefix(two, 138)).error()).isNull();
    }

    @Test
    void namesBlocksThatAreCutShort() {
        byte[] file = pcapng().enhanced(0, 1, FRAME).enhanced(0, 2, FRAME).bytes();
        assertThat(read(prefix(file, file.length - 100)).error())
                .isEqualTo("x.pcap: cut short at offset 180: a block of 132 bytes has 32;"
                        + " the frame before it was read");
        assertThat(read(prefix(file, 48 + 5)).error())
                .isEqualTo("x.pcap: cut short at offset 48: a block header of 8 bytes has 5; no frame could be read");
        byte[] unknown = pcapng().block(0x0BAD, new byte[88]).bytes();
        for (int missing = 1; missing < 92; missing++) {
            assertThat(read(prefix(unknown, unknown.length - missing)).error())
                    .isEqualTo("x.pcap: cut short at offset 48: a block of 100 bytes has " + (100 - missing)
                            + "; no frame could be read");
        }
    }

    @Test
    void saysThatOffsetsAreOfTheUncompressedData() {
        byte[] cut = prefix(pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).bytes(), 200);
        assertThat(read(gzip(cut)).error())
                .isEqualTo("x.pcap: cut short at offset 138 of the uncompressed data: a frame of 98 bytes has 46;"
                        + " the frame before it was read");
    }

    @Test
    void namesGzipThatIsCutShortOrDamaged() {
        byte[] packed = gzip(pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).bytes());
        assertThat(read(prefix(packed, packed.length - 4)).error())
                .isEqualTo("x.pcap: the gzip data is cut short at offset 252 of the uncompressed data;"
                        + " the 2 frames before it were read");
        byte[] damaged = packed.clone();
        damaged[packed.length - 6] ^= 1;
        assertThat(read(damaged).error())
                .isEqualTo("x.pcap: the gzip data is damaged (its checksum is wrong) at offset 252 of the"
                        + " uncompressed data; the 2 frames before it were read");
        assertThat(read(join(packed, bytes("0a"))).error())
                .isEqualTo("x.pcap: something that is not gzip follows the gzip data at offset 252 of the"
                        + " uncompressed data; the 2 frames before it were read");
    }

    @Test
    void namesLengthsThatCannotBe() {
        byte[] absurd = pcap().frame(1, 0, FRAME).frame(2, 0, FRAME, -1, 98).bytes();
        assertThat(read(absurd).error())
                .isEqualTo("x.pcap: damaged at offset 138: a frame of 4294967295 bytes, of at most 262144;"
                        + " the frame before it was read");
        byte[] tiny = pcapng().rawBlock(6, 8, FRAME, 8).bytes();
        assertThat(read(tiny).error())
                .isEqualTo("x.pcap: damaged at offset 48: a block of 8 bytes; no frame could be read");
        byte[] huge = pcapng().rawBlock(6, 0x7FFF_FFFC, FRAME, 0).bytes();
        assertThat(read(huge).error())
                .isEqualTo("x.pcap: damaged at offset 48: a block of 2147483644 bytes, of at most 16777216;"
                        + " no frame could be read");
        byte[] hugeUnknown = pcapng().rawBlock(0x0BAD, 0xFFFF_FFF0, FRAME, 0).bytes();
        assertThat(read(hugeUnknown).error())
                .isEqualTo("x.pcap: cut short at offset 48: a block of 4294967280 bytes has 112;"
                        + " no frame could be read");
    }

    @Test
    void namesBlocksThatContradictThemselves() {
        for (int type : new int[] {6, 0x0BAD}) {
            byte[] file = pcapng().rawBlock(type, 112, FRAME, 116).bytes();
            assertThat(read(file).error())
                    .isEqualTo("x.pcap: damaged at offset 48: a block of 112 bytes that ends as one of 116;"
                            + " no frame could be read");
        }
        assertThat(read(pcapng().block(6, new byte[16]).bytes()).error())
                .isEqualTo("x.pcap: damaged at offset 48: a packet block of 28 bytes; no frame could be read");
        assertThat(read(pcapng().block(1, new byte[4]).bytes()).error())
                .isEqualTo(
                        "x.pcap: damaged at offset 48: an interface description of 16 bytes; no frame could be read");
        assertThat(read(pcapng().block(0x0A0D_0D0A, new byte[16]).bytes()).error())
                .isEqualTo(
                        "x.pcap: damaged at offset 48: a section header without a byte order; no frame could be read");
        assertThat(read(pcapng().block(0x0A0D_0D0A, bytes("4d3c2b1a 01000000")).bytes())
                        .error())
                .isEqualTo("x.pcap: damaged at offset 48: a section header of 20 bytes; no frame could be read");
        assertThat(read(new PcapngBytes().section(ByteOrder.BIG_ENDIAN, 2).bytes())
                        .error())
                .isEqualTo("x.pcap: damaged at offset 0: a section of pcapng version 2.0, only 1.x is known;"
                        + " no frame could be read");
    }

    @Test
    void anErrorDoesNotTurnIntoAnEnd() throws IOException {
        byte[] file = pcap().frame(1, 0, FRAME).frame(2, 0, FRAME).bytes();
        try (CaptureReader reader = open(prefix(file, 200))) {
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::next).hasMessageContaining("cut short");
            assertThatThrownBy(reader::next).hasMessageContaining("cut short");
        }
    }

    @Test
    void namesADeviceThatFails() throws IOException {
        byte[] file = golden("geant_int10_reports");
        InputStream failing = new InputStream() {
            private final InputStream good = new ByteArrayInputStream(file, 0, 1_000);

            @Override
            public int read() throws IOException {
                int value = good.read();
                if (value < 0) {
                    throw new IOException("Input/output\nerror");
                }
                return value;
            }

            @Override
            public int read(byte[] out, int offset, int length) throws IOException {
                int read = good.read(out, offset, length);
                if (read < 0) {
                    throw new IOException("Input/output\nerror");
                }
                return read;
            }
        };
        try (CaptureReader reader = CaptureReader.open(failing, "-")) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::next)
                    .isInstanceOf(CaptureException.class)
                    .hasMessage("-: cannot be read at offset 1000: Input/output?error");
        }
    }

    /** A length is a claim: what it costs is bounded by the bytes that follow. */
    @Test
    void aLyingLengthCostsNoMemory() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] file = pcapng().rawBlock(6, CaptureInput.MAX_WINDOW, FRAME, 0).bytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(read(file, 256).error()).contains("a block of 16777216 bytes has 112");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(200_000);
    }
}
