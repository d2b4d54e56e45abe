package io.pathlore.it.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.pathlore.ingest.pcap.CaptureException;
import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.ingest.pcap.CapturedDatagrams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file: frames or one clear error, and every frame in exactly one counter. */
class CaptureFuzzTest {
    @MethodSource("io.pathlore.it.fuzz.Seeds#captures")
    @FuzzTest(maxDuration = "10m")
    void readsAnyFile(byte[] file) {
        Finding.reporting("captures", file, () -> read(file));
    }

    private static void read(byte[] file) throws IOException {
        try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file), "fuzz")) {
            CapturedDatagrams datagrams = CapturedDatagrams.toAnyPort(reader);
            try {
                while (datagrams.next()) {
                    assertThat(datagrams.end())
                            .isBetween(datagrams.offset(), datagrams.buffer().capacity());
                }
            } catch (CaptureException cut) {
                assertThat(cut.getMessage()).isNotBlank().doesNotContain("\n");
            }
            assertThat(datagrams.frames())
                    .isEqualTo(datagrams.datagrams()
                            + datagrams.otherPort()
                            + datagrams.nonUdp()
                            + datagrams.unsupportedLinkType()
                            + datagrams.unreadable()
                            + datagrams.fragmentsJoined()
                            + datagrams.fragmentsIncomplete()
                            + datagrams.fragmentsPending());
        } catch (CaptureException notACapture) {
            assertThat(notACapture.getMessage()).isNotBlank().doesNotContain("\n");
        }
    }
}
