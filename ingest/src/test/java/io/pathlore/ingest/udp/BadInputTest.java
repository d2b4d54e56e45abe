package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Rejection;
import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is sent, it has one counted outcome, and the good report behind it is read. */
@Timeout(60)
class BadInputTest {
    private static final byte[] GOOD = GoldenVectors.bytes("R7");

    private static Ledger.Snapshot receive(byte[]... bad) throws IOException {
        try (var rig = new Rig(Rig.Settings.plain())) {
            for (byte[] datagram : bad) {
                rig.send(datagram);
            }
            rig.send(GOOD);
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.read(Term.REPORTS_DECODED)).isPositive();
            assertThat(rig.reports).isNotEmpty();
            return now;
        }
    }

    private static byte[] changed(int at, int value) {
        byte[] bytes = GOOD.clone();
        bytes[at] = (byte) value;
        return bytes;
    }

    @Test
    void anEmptyDatagramIsRejectedAsEmpty() throws IOException {
        Ledger.Snapshot now = receive(new byte[0]);
        assertThat(now.rejected(Rejection.EMPTY)).isEqualTo(1);
        assertThat(now.read(Term.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void aHeaderCutShortIsUndecodable() throws IOException {
        byte[][] cut = new byte[7][];
        for (int length = 1; length <= 7; length++) {
            cut[length - 1] = Arrays.copyOf(GOOD, length);
        }
        Ledger.Snapshot now = receive(cut);
        assertThat(now.undecodable(Fault.TR_TRUNCATED_HEADER)).isEqualTo(7);
        assertThat(now.read(Term.REPORTS_SEEN)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"8", "9", "10", "11"})
    void aHeaderWithoutReportsIsUndecodable(int length) throws IOException {
        assertThat(receive(Arrays.copyOf(GOOD, length)).undecodable(Fault.TR20_NO_REPORTS))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0x30", "0x40", "0x7F", "0x80", "0xF0"})
    void anUnknownVersionIsUndecodable(int first) throws IOException {
        assertThat(receive(changed(0, first)).undecodable(Fault.TR_UNKNOWN_VERSION))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0x7F,TR20_REPORT_LENGTH_OVERRUN",
        "0x80,TR20_REPORT_LENGTH_OVERRUN",
        "0xFE,TR20_REPORT_LENGTH_OVERRUN",
        "0xFF,TR20_FF_TOO_SHORT"
    })
    void aReportLongerThanItsDatagramIsARejectedReport(int words, Fault fault) throws IOException {
        Ledger.Snapshot now = receive(changed(9, words));
        assertThat(now.reportsRejected(fault)).isEqualTo(1);
        assertThat(now.read(Term.REPORTS_SEEN)).isEqualTo(2);
        assertThat(now.read(Term.DECODED_DATAGRAMS)).isEqualTo(2);
    }

    /** As many reports of length 0 as there is room for in the longest datagram. */
    @Test
    void reportsWithoutLengthEndAtTheLimit() throws IOException {
        byte[] many = new byte[8 + 4 * 16_374];
        many[0] = 0x20;
        for (int at = 8; at < many.length; at += 4) {
            many[at] = 0x10;
        }
        Ledger.Snapshot now = receive(many);
        assertThat(now.reportsRejected(Fault.TR20_TOO_MANY_REPORTS)).isEqualTo(1);
        assertThat(now.read(Term.REPORTS_SEEN)).isEqualTo(1024 + 1 + 1);
        assertThat(now.read(Term.DECODED_DATAGRAMS)).isEqualTo(2);
    }

    @Test
    void anUnknownKindOfReportDoesNotHideTheNext() throws IOException {
        int length = 4 + 4 * (GOOD[9] & 0xFF);
        assertThat(8 + length).isEqualTo(GOOD.length);
        byte[] two = Arrays.copyOf(GOOD, 8 + 2 * length);
        System.arraycopy(GOOD, 8, two, 8 + length, length);
        two[8] = (byte) 0xF0;
        Ledger.Snapshot now = receive(two);
        assertThat(now.reportsRejected(Fault.TR20_RESERVED_REPTYPE)).isEqualTo(1);
        assertThat(now.read(Term.REPORTS_DECODED)).isEqualTo(2);
    }

    @Test
    void whatIsNoTelemetryIsUndecodable() throws IOException {
        byte[] dns = HexFormat.of().parseHex("a1b20100000100000000000003777777076578616d706c6503636f6d0000010001");
        byte[] netflow5 = Arrays.copyOf(HexFormat.of().parseHex("0005001e0000000000000000"), 24 + 48);
        byte[] sflow = Arrays.copyOf(HexFormat.of().parseHex("00000005000000010a000001"), 200);
        byte[] dtls = Arrays.copyOf(HexFormat.of().parseHex("16fefd000000000000000000c8010000"), 213);
        Ledger.Snapshot now = receive(dns, netflow5, sflow, dtls);
        assertThat(now.read(Term.DECODED_DATAGRAMS)).isEqualTo(1);
        assertThat(now.read(Term.ACCEPTED)).isEqualTo(5);
    }

    @Test
    void noiseIsCountedToTheLast() throws IOException {
        var random = new Random(20_26);
        byte[][] noise = new byte[500][];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = new byte[random.nextInt(300)];
            random.nextBytes(noise[i]);
        }
        assertThat(receive(noise).read(Term.DATAGRAMS_READ)).isEqualTo(501);
    }

    @Test
    void everyCutOfEveryExampleIsCounted() throws IOException {
        for (String name : new String[] {"R1", "R4", "R7"}) {
            byte[] whole = GoldenVectors.bytes(name);
            byte[][] cuts = new byte[whole.length][];
            for (int length = 0; length < whole.length; length++) {
                cuts[length] = Arrays.copyOf(whole, length);
            }
            assertThat(receive(cuts).read(Term.DATAGRAMS_READ)).isEqualTo(whole.length + 1);
        }
    }
}
