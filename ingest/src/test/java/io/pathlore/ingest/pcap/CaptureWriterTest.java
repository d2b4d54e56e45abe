package io.pathlore.ingest.pcap;

import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.testkit.PcapBytes;
import io.pathlore.wire.pcap.LinkType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureWriterTest {
    private static final InetSocketAddress SWITCH = new InetSocketAddress("10.0.0.3", 7);
    private static final InetSocketAddress COLLECTOR = new InetSocketAddress("192.0.2.9", 8555);

    @TempDir
    Path directory = Path.of("");

    /** The frame is the golden one of the headers' own test. */
    @Test
    void writesTheGoldenFile() throws IOException {
        var out = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(out)) {
            writer.writeDatagram(1_700_000_000_123_456_789L, SWITCH, COLLECTOR, bytes("cafe"));
        }
        byte[] frame = bytes("0200c0000209 02000a000003 0800 4500001e00004000 4011 6ec3 0a000003 c0000209"
                + "0007 216b 000a 475d cafe");
        byte[] expected = new PcapBytes(ByteOrder.LITTLE_ENDIAN, true, LinkType.ETHERNET)
                .frame(1_700_000_000L, 123_456_789, frame)
                .bytes();
        assertThat(out.toByteArray()).isEqualTo(expected);
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        Path path = directory.resolve("out.pcap");
        try (CaptureWriter writer = CaptureWriter.create(path)) {
            for (int seed = 0; seed < 500; seed++) {
                var random = new SplittableRandom(seed);
                byte[] payload = payload(random);
                boolean v6 = random.nextBoolean();
                long mask = v6 ? -1 : 0xFFFF_FFFFL;
                writer.writeDatagram(
                        random.nextLong(4_000_000_000_000_000_000L),
                        v6,
                        v6 ? random.nextLong() : 0,
                        random.nextLong() & mask,
                        random.nextInt(65_536),
                        v6 ? random.nextLong() : 0,
                        random.nextLong() & mask,
                        random.nextInt(65_536),
                        ByteBuffer.wrap(payload),
                        1,
                        payload.length);
            }
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            var datagrams = CapturedDatagrams.toAnyPort(reader);
            for (int seed = 0; seed < 500; seed++) {
                var random = new SplittableRandom(seed);
                byte[] payload = payload(random);
                assertThat(datagrams.next()).isTrue();
                boolean v6 = random.nextBoolean();
                long mask = v6 ? -1 : 0xFFFF_FFFFL;
                assertThat(datagrams.v6()).isEqualTo(v6);
                assertThat(datagrams.timeNanos()).isEqualTo(random.nextLong(4_000_000_000_000_000_000L));
                assertThat(datagrams.sourceHi()).isEqualTo(v6 ? random.nextLong() : 0);
                assertThat(datagrams.sourceLo()).isEqualTo(random.nextLong() & mask);
                assertThat(datagrams.sourcePort()).isEqualTo(random.nextInt(65_536));
                assertThat(datagrams.destinationHi()).isEqualTo(v6 ? random.nextLong() : 0);
                assertThat(datagrams.destinationLo()).isEqualTo(random.nextLong() & mask);
                assertThat(datagrams.destinationPort()).isEqualTo(random.nextInt(65_536));
                assertThat(datagrams.clamped()).isFalse();
                int length = datagrams.end() - datagrams.offset();
                assertThat(datagrams.buffer().slice(datagrams.offset(), length))
                        .isEqualTo(ByteBuffer.wrap(payload, 1, payload.length - 1));
            }
            assertThat(datagrams.next()).isFalse();
        }
    }

    private static byte[] payload(SplittableRandom random) {
        byte[] payload = new byte[1 + random.nextInt(1 << random.nextInt(1, 16))];
        random.nextBytes(payload);
        return payload;
    }

    @Test
    void writesFramesAsTheyAre() throws IOException {
        var out = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(out)) {
            writer.writeFrame(5, ByteBuffer.wrap(bytes("00 aabbcc")), 1, 4);
            writer.flush();
            assertThat(out.size()).isEqualTo(24 + 16 + 3);
        }
        assertThat(CaptureFiles.read(out.toByteArray()).frames())
                .containsExactly(new CaptureFiles.Read(1, 5, LinkType.ETHERNET, "aabbcc", 3));
    }

    @Test
    void aTimeThatIsUnknownBecomes1970() throws IOException {
        var out = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(out)) {
            writer.writeDatagram(CaptureReader.TIME_UNKNOWN, SWITCH, COLLECTOR, bytes("cafe"));
        }
        assertThat(CaptureFiles.read(out.toByteArray()).frames())
                .extracting(CaptureFiles.Read::timeNanos)
                .containsExactly(0L);
    }

    @Test
    void refusesWhatCannotBeWritten() throws IOException {
        try (CaptureWriter writer = CaptureWriter.create(directory.resolve("out.pcap"))) {
            var v6 = new InetSocketAddress("2001:db8::9", 8555);
            assertThatThrownBy(() -> writer.writeDatagram(0, SWITCH, v6, bytes("cafe")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.writeDatagram(0, SWITCH, COLLECTOR, new byte[65_508]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.writeDatagram(-1, SWITCH, COLLECTOR, bytes("cafe")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.writeFrame(0, ByteBuffer.allocate(262_145), 0, 262_145))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Files.size(directory.resolve("out.pcap"))).isEqualTo(24);
    }
}
