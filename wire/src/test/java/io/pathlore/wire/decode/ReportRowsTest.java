package io.pathlore.wire.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Poison;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of the worked examples; the datagram is gone when they are read, and the room they were written to was not empty. */
class ReportRowsTest {
    private static final int WHOLE = ReportRow.STACK | ReportRow.REPORTER;
    private static final long TIME = 1_700_000_000_123_456_789L;

    private static List<ReportRow> rows(byte[] datagram) {
        List<ReportRow> rows = new ArrayList<>();
        ReportRows encoder = new ReportRows(7);
        ReportSink sink = new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                byte[] room = new byte[ReportRow.MAX_LENGTH];
                Arrays.fill(room, Poison.VALUE);
                ByteBuffer out = ByteBuffer.wrap(room);
                int length = encoder.encode(report, report.nodeId(), TIME, 0, ReportRow.mapped(0x0A00_0103L), out, 5);
                assertThat(length).isEqualTo(ReportRow.length(out, 5));
                rows.add(new ReportRow().wrap(out, 5));
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                throw new AssertionError(fault + " at " + offset);
            }
        };
        try (Poison lent = Poison.heap(datagram)) {
            new ReportDecoder(DecodedJson.lenient())
                    .decode(lent.buffer(), lent.offset(), lent.end(), new Exporter(), sink);
        }
        return rows;
    }

    private static ReportRow row(byte[] datagram) {
        List<ReportRow> rows = rows(datagram);
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    /** The worked example with some of its bytes replaced. */
    private static byte[] changed(String name, String from, String to) {
        String text = Hex.text(GoldenVectors.bytes(name)).replace(" ", "");
        assertThat(text).containsOnlyOnce(from);
        return Hex.bytes(text.replace(from, to));
    }

    /** Node, interfaces, latency, queue and its occupancy of each hop. */
    private static List<String> hops(ReportRow row) {
        return IntStream.range(0, row.hops())
                .mapToObj(i -> row.hopNode(i) + " " + row.ingress(i) + ">" + row.egress(i) + " " + row.latency(i) + " "
                        + row.queue(i) + ":" + row.occupancy(i))
                .toList();
    }

    private static String flow(ReportRow row) {
        FlowKey key = row.flow();
        return key == null ? "none" : key.canonical();
    }

    @Test
    void v05WithAStackNamesNoReporter() {
        ReportRow row = row(GoldenVectors.bytes("R3"));
        assertThat(row.version()).isEqualTo(5);
        assertThat(row.way()).isEqualTo(ReportRow.STACK);
        assertThat(row.node()).isEqualTo(ReportRow.ABSENT);
        assertThat(hops(row)).containsExactly("1 -1>-1 -1 0:5", "2 -1>-1 -1 0:42");
        assertThat(flow(row)).isEqualTo("10.0.1.1,10.0.2.2,6,45678,22,");
    }

    @Test
    void v05OfOneNodeIsAPostcard() {
        ReportRow row = row(GoldenVectors.bytes("R1"));
        assertThat(row.version()).isEqualTo(5);
        assertThat(row.way()).isEqualTo(ReportRow.REPORTER);
        assertThat(row.node()).isEqualTo(0x101);
        assertThat(row.ttl()).isEqualTo(64);
        assertThat(row.ipLength()).isEqualTo(32);
        assertThat(row.packetPrint()).isNotZero();
        assertThat(row.tracked()).isTrue();
        assertThat(hops(row)).containsExactly("257 9>10 904 3:341");
        assertThat(row.timeBits(0)).isEqualTo(32);
        assertThat(row.receivedNanos()).isEqualTo(TIME);
    }

    @Test
    void latencyBetweenTimesThatWrapIsTheTimeBetweenThem() {
        String text = Hex.text(changed("R1", "12345678", "fffffff0")).replace(" ", "");
        ReportRow row = row(Hex.bytes(text.replace("12345a00", "00000010")));
        assertThat(row.latency(0)).isEqualTo(0x20);
    }

    @Test
    void v05DropHasItsReason() {
        ReportRow row = row(GoldenVectors.bytes("R2"));
        assertThat(row.dropped()).isTrue();
        assertThat(row.dropReason()).isEqualTo(80);
        assertThat(row.dropCount()).isEqualTo(ReportRow.ABSENT);
        assertThat(row.node()).isEqualTo(0x101);
        assertThat(row.way()).isEqualTo(ReportRow.PARTIAL | ReportRow.REPORTER);
        assertThat(flow(row)).isEqualTo("10.0.1.1,10.0.2.2,6,45678,80,");
    }

    @Test
    void v10OfOneNodeIsAPostcard() {
        ReportRow row = row(GoldenVectors.bytes("R4"));
        assertThat(row.version()).isEqualTo(10);
        assertThat(row.node()).isEqualTo(0x202);
        assertThat(row.way()).isEqualTo(ReportRow.REPORTER);
        assertThat(hops(row)).containsExactly("514 1>2 300 1:20");
        assertThat(row.dropReason()).isEqualTo(ReportRow.ABSENT);
    }

    @Test
    void v10DropHasItsReasonAndTypeAndCodeOfIcmp() {
        ReportRow row = row(GoldenVectors.bytes("R5"));
        assertThat(row.dropped()).isTrue();
        assertThat(row.dropReason()).isEqualTo(71);
        assertThat(flow(row)).isEqualTo("10.0.1.1,10.0.2.2,1,8,0,");
    }

    @Test
    void v20AddsTheReporterBehindTheStack() {
        ReportRow row = row(GoldenVectors.bytes("R9"));
        assertThat(row.version()).isEqualTo(20);
        assertThat(row.way()).isEqualTo(WHOLE);
        assertThat(row.node()).isEqualTo(3);
        assertThat(hops(row)).containsExactly("1 -1>-1 -1 0:5", "2 -1>-1 -1 0:42", "3 -1>-1 -1 0:256");
        assertThat(flow(row)).isEqualTo("10.0.1.1,10.0.2.2,6,45678,80,");
    }

    @Test
    void aNodeThatIsInTheStackAndBesideItIsOneHop() {
        ReportRow row = row(changed("R9", "203fffff00000003", "203fffff00000002"));
        assertThat(row.way()).isEqualTo(WHOLE);
        assertThat(hops(row)).containsExactly("1 -1>-1 -1 0:5", "2 -1>-1 -1 0:42");
    }

    @Test
    void whatTheStackDoesNotSayOfTheReporterIsTakenFromBesideIt() {
        String text =
                Hex.text(changed("R9", "203fffff00000003", "203fffff00000002")).replace(" ", "");
        ReportRow row = row(Hex.bytes(text.replace("0000002a", "ffffffff")));
        assertThat(hops(row)).containsExactly("1 -1>-1 -1 0:5", "2 -1>-1 -1 0:256");
    }

    @Test
    void absentValuesStayAbsent() {
        ReportRow row = row(changed("R9", "0000002a", "ffffffff"));
        assertThat(hops(row)).containsExactly("1 -1>-1 -1 0:5", "2 -1>-1 -1 -1:-1", "3 -1>-1 -1 0:256");
        assertThat(row.ingressTime(0)).isEqualTo(ReportRow.ABSENT);
        assertThat(row.egressTime(0)).isEqualTo(ReportRow.ABSENT);
        assertThat(row.utilization(0)).isEqualTo(ReportRow.ABSENT);
        assertThat(row.device()).isEqualTo(ReportRow.ABSENT);
        assertThat(row.dropReason()).isEqualTo(ReportRow.ABSENT);
    }

    @Test
    void tellsWhetherAConnectionBeginsOrGoesOn() {
        assertThat(row(GoldenVectors.bytes("R2")).tcpFlags()).isEqualTo(0x18);
        assertThat(row(changed("R2", "50182000", "50022000")).tcpFlags()).isEqualTo(ReportRow.SYN);
        assertThat(row(GoldenVectors.bytes("R9")).tcpFlags()).isEqualTo(0x18);
        assertThat(row(GoldenVectors.bytes("R2")).marks()).isEqualTo(ReportRow.TCP_FLAGS);
        assertThat(rows(GoldenVectors.bytes("R11")).get(1).tcpFlags()).isEqualTo((int) ReportRow.ABSENT);
    }

    @Test
    void tellsFragmentsAndTheFirstOfThemFromTheOthers() {
        ReportRow first = row(changed("R2", "00014000", "00012000"));
        assertThat(first.marks()).isEqualTo(ReportRow.FRAGMENT | ReportRow.TCP_FLAGS);
        assertThat(first.destinationPort()).isEqualTo(80);
        ReportRow later = row(changed("R2", "00014000", "00010005"));
        assertThat(later.marks()).isEqualTo(ReportRow.FRAGMENT | ReportRow.LATER_FRAGMENT);
        assertThat(later.destinationPort()).isEqualTo(-1);
    }

    @Test
    void namesTheDeviceAndWhoNamedIt() {
        ReportRow row = row(GoldenVectors.bytes("T1"));
        assertThat(row.device()).isNotEqualTo(ReportRow.ABSENT);
        assertThat(row.marks() & ~ReportRow.TCP_FLAGS).isEqualTo(ReportRow.NAMED_BY_GATEWAY);
    }

    @Test
    void instructionsWithoutAStackLeaveAPostcard() {
        ReportRow row = row(GoldenVectors.bytes("R13"));
        assertThat(row.way()).isEqualTo(ReportRow.REPORTER);
        assertThat(hops(row)).containsExactly("2 -1>-1 -1 0:42");
    }

    @Test
    void aTraceOfIoamIsAStack() {
        ReportRow row = row(GoldenVectors.bytes("I1"));
        assertThat(row.way()).isEqualTo(WHOLE);
        assertThat(hops(row)).containsExactly("1 11>12 -1 -1:-1", "2 21>22 -1 -1:-1", "7 -1>-1 -1 -1:-1");
        assertThat(row.ingressTime(0)).isEqualTo(1_699_999_999_000_400_000L);
        assertThat(row.ingressTime(1)).isEqualTo(1_700_000_000_000_500_000L);
        assertThat(row.ttl()).isEqualTo(64);
        assertThat(row.hiddenAfter(0)).isZero();
        assertThat(row.hiddenAfter(1)).isEqualTo(ReportRow.ABSENT); // the reporter has no hop limit
    }

    @Test
    void theHopLimitsOfATraceTellOfNodesThatAreNotInIt() {
        assertThat(row(secondHopLimit(0x3C)).hiddenAfter(0)).isEqualTo(2);
        assertThat(row(secondHopLimit(0x3F)).hiddenAfter(0)).isEqualTo(ReportRow.ABSENT); // never grows
        assertThat(row(secondHopLimit(0xFF)).hiddenAfter(0)).isEqualTo(ReportRow.ABSENT); // there is none
    }

    /** The trace of I1, where the second node has another hop limit. */
    private static byte[] secondHopLimit(int limit) {
        byte[] bytes = GoldenVectors.bytes("I1").clone();
        ByteBuffer words = ByteBuffer.wrap(bytes);
        for (int i = 0; i + Integer.BYTES <= bytes.length; i++) {
            if (words.getInt(i) == 0x3E00_0002) {
                bytes[i] = (byte) limit;
                return bytes;
            }
        }
        throw new AssertionError("no second node");
    }

    @Test
    void eachReportOfADatagramIsARow() {
        List<ReportRow> rows = rows(GoldenVectors.bytes("R11"));
        assertThat(rows).extracting(ReportRow::node).containsOnly(4_294_967_294L);
        assertThat(rows).extracting(ReportRow::dropped).containsExactly(true, false, false);
        assertThat(rows).extracting(ReportRow::congested).containsExactly(false, true, false);
        assertThat(rows).extracting(ReportRow::hasFlow).containsExactly(true, true, false);
        assertThat(rows.getFirst().dropReason()).isEqualTo(80);
        assertThat(flow(rows.get(1))).isEqualTo("2001:db8::1,2001:db8::2,17,5000,6000,");
        assertThat(rows.get(1).queue(0)).isEqualTo(1);
        assertThat(rows.get(1).occupancy(0)).isEqualTo(900);
        assertThat(hops(rows.get(2))).containsExactly("4294967294 5>6 -1 -1:-1");
        assertThat(rows.get(2).ttl()).isEqualTo(-1);
        assertThat(rows.get(2).packetPrint()).isZero();
    }
}
