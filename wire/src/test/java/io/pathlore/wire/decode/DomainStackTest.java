package io.pathlore.wire.decode;

import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Json;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Domains.Domain;
import io.pathlore.wire.Domains.Item;
import io.pathlore.wire.net.PacketWalker.Start;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stacks whose source hop is longer than the others, as only the definition of their domain can tell [INT 2.1 §5.8]. */
class DomainStackTest {
    /** Bit 0 of every hop, bit 1 the source's device, bit 2 of every hop, bit 3 of the source. */
    private static final Domains DOMAINS = new Domains(List.of(new Domain(
            0x1001,
            List.of(
                    new Item(0, 1, false, "color"),
                    new Item(1, 2, true, Domains.DEVICE),
                    new Item(2, 1, false, "level"),
                    new Item(3, 1, true, "tenant")))));

    private static final DecodeOptions STRICT = DecodedJson.strict().withDomains(DOMAINS);
    private static final DecodeOptions LENIENT = DecodedJson.lenient().withDomains(DOMAINS);

    /** Node id and checksum complement; color and level: four words. */
    private static final String HEADER = "2000 0405 8001 1001 f000 0000";

    private static final String NEWEST = "00000002 c0000002 11000002 00001111";
    /** Three more words, where their bits put them. */
    private static final String SOURCE = "00000001 c0000001 a61af6b1 647d0000 11000001 7e000001 00002222";

    private static final String NEWEST_SHOWN =
            "{'nodeId':2,'checksumComplement':4369,'domain':['c0000002','11000002']}";
    private static final String SOURCE_SHOWN =
            "{'nodeId':1,'checksumComplement':8738,'domain':['c0000001','11000001','7e000001']}";

    /** IPv4 and GRE around it, with a total length that says how long it was. */
    private static String packet(String header, String stack) {
        int words = (header + stack).replace(" ", "").length() / 8;
        return "4500 %04x 0001 0000 402f 0000 0a00 0101 0a00 0202 0000 88b6".formatted(28 + 4 * words)
                + "10%02x 0806".formatted(words)
                + header
                + stack;
    }

    private static Map<String, Object> decode(String hex, int length, DecodeOptions options) {
        byte[] cut = new byte[length];
        System.arraycopy(bytes(hex), 0, cut, 0, length);
        return DecodedJson.packet(cut, Start.IPV4, options);
    }

    private static void assertHops(Map<String, Object> packet, String hops) {
        assertThat(header(packet).get("hops")).isEqualTo(Json.parse(hops.replace('\'', '"')));
    }

    private static Map<?, ?> header(Map<String, Object> packet) {
        if (packet.get("int") instanceof List<?> headers && headers.getFirst() instanceof Map<?, ?> header) {
            return header;
        }
        throw new AssertionError("no INT header in " + packet);
    }

    @Test
    void theSourcesOwnItemsStandAmongTheOthersInBitOrder() {
        String hex = packet(HEADER, NEWEST + SOURCE);
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            Map<String, Object> packet = decode(hex, bytes(hex).length, options);
            assertThat(packet).doesNotContainKey("warnings");
            assertHops(packet, "[" + SOURCE_SHOWN + "," + NEWEST_SHOWN + "]");
            assertThat(header(packet).get("sourceDevice")).isEqualTo("a6:1a:f6:b1:64:7d");
        }
    }

    /** Words behind the source's own are not where Hop ML would have them: a hop that is cut has no values of other bytes. */
    @Test
    void aSourceHopThatIsCutIsNotMadeOfOtherBytes() {
        String hex = packet(HEADER, NEWEST + SOURCE);
        int whole = bytes(hex).length;
        Object source = Json.parse(SOURCE_SHOWN.replace('\'', '"'));
        Object newest = Json.parse(NEWEST_SHOWN.replace('\'', '"'));
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            for (int length = whole - 27; length < whole; length++) {
                Map<?, ?> header = header(decode(hex, length, options));
                assertThat(header.get("truncated")).isEqualTo(true);
                if (!(header.get("hops") instanceof List<?> hops)) {
                    throw new AssertionError("no hops");
                }
                assertThat(hops.size()).isBetween(1, 2);
                assertThat(hops.getLast()).isEqualTo(newest);
                if (hops.size() == 2) {
                    TruncationTest.assertPart("cut at " + length, hops.getFirst(), source);
                }
            }
        }
    }

    /** Where the source's own words come last, all of the hop before them is what it seems. */
    @Test
    void aSourceHopThatIsCutBehindItsItemsIsShown() {
        String hex = packet("2000 0105 8000 1001 4000 0000", "00000002 00000001 a61af6b1 647d0000");
        int whole = bytes(hex).length;
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            for (int length = whole - 8; length < whole; length++) {
                assertHops(decode(hex, length, options), "[{'nodeId':1},{'nodeId':2}]");
            }
            assertHops(decode(hex, whole - 9, options), "[{'nodeId':2}]");
        }
    }

    /** The source's own words and no hop: what every hop has is not among them, and nothing is read behind them. */
    @ParameterizedTest
    @CsvSource({
        "4000, a61af6b1 647d0000",
        "5000, a61af6b1 647d0000 7e000001",
        "7000, a61af6b1 647d0000 7e000001",
        "c000, a61af6b1 647d0000",
        "f000, a61af6b1 647d0000 7e000001",
    })
    void aStackMayHoldNothingButTheSourcesOwnItems(String dsInstructions, String stack) {
        int perHop = Integer.bitCount(Integer.parseInt(dsInstructions, 16) & 0xA000);
        String header = "2000 %02x05 8001 1001 %s 0000".formatted(2 + perHop, dsInstructions);
        String hex = packet(header, stack);
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            Map<String, Object> packet = decode(hex, bytes(hex).length, options);
            assertHops(packet, "[]");
            assertThat(header(packet).get("sourceDevice")).isEqualTo("a6:1a:f6:b1:64:7d");
        }
    }

    /** An unknown domain with a remainder: the oldest hop cannot be split [INT 2.1 §5.8]. */
    @Test
    void theOldestHopOfAnUnknownDomainIsKeptRaw() {
        String hex = packet(HEADER.replace("1001", "1002"), NEWEST + SOURCE);
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            Map<String, Object> packet = decode(hex, bytes(hex).length, options);
            assertHops(
                    packet,
                    "[{'raw':['00000001','c0000001','a61af6b1','647d0000','11000001','7e000001','00002222']},"
                            + NEWEST_SHOWN + "]");
            assertThat(header(packet).get("sourceDevice")).isNull();
        }
    }

    /** The source had no room for more than the fixed header, or even for its own words. */
    @Test
    void aSourceThatCouldNotPushLeavesNothing() {
        for (DecodeOptions options : List.of(STRICT, LENIENT)) {
            String empty = packet(HEADER.replace("2000", "2200"), "");
            Map<String, Object> packet = decode(empty, bytes(empty).length, options);
            assertThat(packet).doesNotContainKey("warnings");
            assertHops(packet, "[]");
            assertThat(header(packet).get("mtuExceeded")).isEqualTo(true);
        }
    }
}
