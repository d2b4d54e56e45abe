package io.pathlore.wire.decode;

import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketWalker.Start;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node marked as unavailable is not shown: absent is not zero, and it is not all ones either. */
class AbsentTest {
    private static final String ONES = "ffffffff";
    private static final String FRAME = "000000000202 000000000101 0806 0001 0800 0604 0001";

    private static Map<String, Object> report(String hex) {
        List<Map<String, Object>> lenient = DecodedJson.reports(bytes(hex), DecodedJson.lenient());
        assertThat(DecodedJson.reports(bytes(hex), DecodedJson.strict())).isEqualTo(lenient);
        assertThat(DecodedJson.names(lenient)).isEmpty();
        assertThat(lenient).hasSize(1);
        return lenient.getFirst();
    }

    private static Object metadata(String hex) {
        return report(hex).getOrDefault("metadata", Map.of());
    }

    // ---- reports

    @Test
    void v05ShowsNothingOfADropHeaderOfOnes() {
        Map<String, Object> drop = report("01800000 00000001" + ONES + ONES + ONES + "ffff0000" + FRAME);
        assertThat(drop).doesNotContainKey("metadata");
        assertThat(drop.get("report")).asString().doesNotContain("nodeId");
    }

    @Test
    void v05ShowsNothingOfALocalHeaderOfOnes() {
        Map<String, Object> local = report("02200000 00000001" + ONES.repeat(5) + FRAME);
        assertThat(local).doesNotContainKey("metadata");
        assertThat(local.get("report")).asString().doesNotContain("nodeId");
    }

    /** Only this version marks each field by itself. */
    @ParameterizedTest
    @CsvSource({
        "ffff0002 03000004 00000005, egressInterface=2 queueId=3 queueOccupancy=4 egressTimestamp=5",
        "0001ffff 03000004 00000005, ingressInterface=1 queueId=3 queueOccupancy=4 egressTimestamp=5",
        "00010002 ff000004 00000005, ingressInterface=1 egressInterface=2 queueOccupancy=4 egressTimestamp=5",
        "00010002 03ffffff 00000005, ingressInterface=1 egressInterface=2 queueId=3 egressTimestamp=5",
        "00010002 03000004 ffffffff, ingressInterface=1 egressInterface=2 queueId=3 queueOccupancy=4",
    })
    void v05MarksEachFieldOfALocalHeader(String words, String expected) {
        assertThat(metadata("02200000 00000001" + ONES + "00000101" + words + FRAME))
                .isEqualTo(shown(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "ffff0002 03040000, egressInterface=2 dropQueueId=3 dropReason=4",
        "0001ffff 03040000, ingressInterface=1 dropQueueId=3 dropReason=4",
        "00010002 ff040000, ingressInterface=1 egressInterface=2 dropReason=4",
        "00010002 03ff0000, ingressInterface=1 egressInterface=2 dropQueueId=3",
    })
    void v05MarksEachFieldOfADropHeader(String words, String expected) {
        assertThat(metadata("01800000 00000001" + ONES + "00000101" + words + FRAME))
                .isEqualTo(shown(expected));
    }

    private static Map<String, Object> shown(String expected) {
        Map<String, Object> metadata = new HashMap<>();
        for (String entry : expected.split(" ", -1)) {
            String key = entry.substring(0, entry.indexOf('='));
            String value = entry.substring(key.length() + 1);
            metadata.put(key, key.endsWith("Timestamp") ? value : Long.valueOf(value));
        }
        return metadata;
    }

    @Test
    void v10ShowsNothingOfWordsOfOnes() {
        assertThat(report("1a1f8040 00000202 00000010" + ONES + ONES.repeat(6) + FRAME))
                .doesNotContainKey("metadata");
    }

    @Test
    void v10ShowsTheFieldsOfAWordThatIsNotAllOnes() {
        assertThat(metadata("17150040 00000202 00000010" + ONES + "ffff0005 02ffffff ffff0000" + FRAME))
                .isEqualTo(Map.of(
                        "ingressInterface", 0xFFFFL,
                        "egressInterface", 5L,
                        "queueId", 2L,
                        "queueOccupancy", 0xFF_FFFFL,
                        "dropQueueId", 0xFFL,
                        "dropReason", 0xFFL));
    }

    @Test
    void v20ShowsNothingOfItemsOfOnes() {
        assertThat(report("20000001 00000003 100e0c20 7f810000 00000000" + ONES.repeat(12)))
                .doesNotContainKey("metadata");
    }

    /** Both words of a wide item must be all ones. */
    @Test
    void v20ShowsAnItemThatIsNotAllOnes() {
        assertThat(metadata("20000001 00000003 10090720 0e010000 00000000" + ONES + "fffffffe 00000000" + ONES + ONES
                        + "00000007 00ffffff"))
                .isEqualTo(Map.of(
                        "ingressTimestamp", "18446744073709551614",
                        "egressTimestamp", "4294967295",
                        "l2IngressInterface", 0xFFFF_FFFFL,
                        "l2EgressInterface", 7L,
                        "dropQueueId", 0L,
                        "dropReason", 0xFFL));
    }

    // ---- INT

    private static @Nullable Object hops(Start start, String hex) {
        Map<String, Object> packet = DecodedJson.packet(bytes(hex), start, DecodedJson.strict());
        assertThat(DecodedJson.packet(bytes(hex), start, DecodedJson.lenient())).isEqualTo(packet);
        assertThat(packet).doesNotContainKey("warnings");
        return packet.get("int") instanceof List<?> headers && headers.getFirst() instanceof Map<?, ?> header
                ? header.get("hops")
                : List.of();
    }

    @Test
    void june2016ShowsNothingOfWordsOfOnes() {
        String option = "0b00 1234 0000 0000 00ab 010a 0008 1001 ff00 0000";
        assertThat(hops(Start.GENEVE, option + "7fffffff".repeat(7) + ONES)).isEqualTo(List.of(Map.of()));
    }

    @Test
    void int05ShowsNothingOfWordsOfOnes() {
        String ip = "455c 0000 0001 0000 4011 0000 0a00 0101 0a00 0202 1388 1770 0000 0000";
        assertThat(hops(Start.IPV4, ip + "0100 0c00 0008 1001 ff00 0000" + ONES.repeat(8) + "1117 7000"))
                .isEqualTo(List.of(Map.of()));
    }

    @Test
    void int10ShowsNothingOfWordsOfOnes() {
        assertThat(hops(Start.VXLAN_GPE, "0c00 0008 0000 0000 0100 0d00 1000 0a01 ff01 0000" + ONES.repeat(10)))
                .isEqualTo(List.of(Map.of()));
    }

    @Test
    void int2ShowsNothingOfWordsOfOnes() {
        assertThat(hops(
                        Start.VXLAN_GPE,
                        "0c00 0082 0000 0000 1010 0000 2000 0d01 ff81 0000 0000 0000" + ONES.repeat(13)))
                .isEqualTo(List.of(Map.of()));
    }

    /** Half an item of ones is a value [INT 2.1 §5.8]. */
    @Test
    void int2ShowsAnItemThatIsNotAllOnes() {
        assertThat(hops(
                        Start.VXLAN_GPE,
                        "0c00 0082 0000 0000 1008 0000 2000 0501 5280 0000 0000 0000"
                                + "ffff0005 00ffffff ffffffff 00000000 ffffffff"))
                .isEqualTo(List.of(Map.of(
                        "ingressInterface", 0xFFFFL,
                        "egressInterface", 5L,
                        "queueId", 0L,
                        "queueOccupancy", 0xFF_FFFFL,
                        "l2IngressInterface", 0xFFFF_FFFFL,
                        "l2EgressInterface", 0L)));
    }

    // ---- IOAM

    private static @Nullable Object nodes(String body, int bodyBytes) {
        int padding = -(8 + bodyBytes) & 7;
        String ip = "6000 0000 0000 0040 fd000000000000000000000000000001 fd000000000000000000000000000002";
        String header = "3b%02x 0100 31%02x 0000".formatted((8 + bodyBytes + padding) / 8 - 1, bodyBytes + 2);
        Map<String, Object> packet = DecodedJson.packet(
                bytes(ip + header + body + "00".repeat(padding)), Start.IPV6, DecodeOptions.strictly());
        assertThat(packet).doesNotContainKey("warnings");
        return packet.get("ioam") instanceof List<?> options && options.getFirst() instanceof Map<?, ?> option
                ? option.get("hops")
                : List.of();
    }

    @Test
    void ioamShowsNothingOfANodeOfOnes() {
        assertThat(nodes("0001 c800 ffff fc00" + ONES.repeat(25), 108)).isEqualTo(List.of(Map.of()));
    }

    /** Linux marks parts of a field too; a hop limit of 255 is one that a packet can have. */
    @Test
    void ioamMarksPartsOfAField() {
        assertThat(nodes("0001 1000 c000 0000" + "ff000005 ffff0007", 16))
                .isEqualTo(List.of(Map.of("hopLimit", 255L, "nodeId", 5L, "egressInterface", 7L)));
        assertThat(nodes("0001 1000 c000 0000" + "40ffffff 0006ffff", 16))
                .isEqualTo(List.of(Map.of("hopLimit", 64L, "ingressInterface", 6L)));
        assertThat(nodes("0001 2000 00c0 0000" + "40ffffff ffffffff 00000006 ffffffff", 24))
                .isEqualTo(List.of(Map.of("hopLimit", 64L, "ingressInterfaceWide", 6L)));
    }

    @Test
    void ioamShowsASnapshotWithoutASchema() {
        assertThat(nodes("0001 0800 8000 0200" + "40000005 00ffffff", 16))
                .isEqualTo(List.of(Map.of("hopLimit", 64L, "nodeId", 5L, "snapshot", Map.of("data", ""))));
    }
}
