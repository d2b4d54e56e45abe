package io.pathlore.wire.decode;

import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketWalker.Start;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one datagram or packet may hold has limits; one less is fine, one more has a name. */
class LimitsTest {
    private static final String GROUP = "20000001 00000003";
    /** RepType 1, no inner contents: 12 octets. */
    private static final String SMALL = "10020020 00000000 00000000";

    private static final String MACS = "000000000202 000000000101";

    private static DecodeOptions options(boolean strict) {
        return strict ? DecodedJson.strict() : DecodedJson.lenient();
    }

    private static List<Map<String, Object>> reports(String hex, DecodeOptions options) {
        return DecodedJson.reports(bytes(hex), options);
    }

    private static List<String> names(Start start, String hex, boolean strict) {
        return DecodedJson.names(List.of(DecodedJson.packet(bytes(hex), start, options(strict))));
    }

    private static List<?> layers(Start start, String hex, boolean strict) {
        return DecodedJson.packet(bytes(hex), start, options(strict)).get("layers") instanceof List<?> layers
                ? layers
                : List.of();
    }

    private static void assertRejected(Map<String, Object> object, String error, long offset) {
        assertThat(object).containsEntry("error", error).containsEntry("offset", offset);
    }

    // ---- reports

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDatagramHoldsSoManyReportsAndNoMore(boolean strict) {
        DecodeOptions three = options(strict).withMaxReports(3);
        assertThat(DecodedJson.names(reports(GROUP + SMALL.repeat(3), three))).isEmpty();
        List<Map<String, Object>> objects = reports(GROUP + SMALL.repeat(5), three);
        assertThat(objects).hasSize(4);
        assertThat(DecodedJson.names(objects)).containsExactly("TR20_TOO_MANY_REPORTS");
        assertRejected(objects.getLast(), "TR20_TOO_MANY_REPORTS", 8 + 3 * 12);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void badReportsCountToo(boolean strict) {
        String bad = "30020020 00000000 00000000";
        List<Map<String, Object>> objects =
                reports(GROUP + SMALL + bad.repeat(3), options(strict).withMaxReports(3));
        assertThat(DecodedJson.names(objects))
                .containsExactly("TR20_RESERVED_REPTYPE", "TR20_RESERVED_REPTYPE", "TR20_TOO_MANY_REPORTS");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDefaultIsAThousandAndTwentyFour(boolean strict) {
        assertThat(DecodedJson.names(reports(GROUP + SMALL.repeat(1024), options(strict))))
                .isEmpty();
        List<Map<String, Object>> objects = reports(GROUP + SMALL.repeat(1026), options(strict));
        assertThat(objects).hasSize(1025);
        assertRejected(objects.getLast(), "TR20_TOO_MANY_REPORTS", 8 + 1024 * 12);
    }

    /** TLVs are counted over the whole datagram; the report with one too many is lost and all behind it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDatagramHoldsSoManyTlvsAndNoMore(boolean strict) {
        String twoTlvs = "01020020 00000001 00000002";
        DecodeOptions four = options(strict).withMaxReports(4);
        assertThat(DecodedJson.names(reports(GROUP + twoTlvs.repeat(2), four))).isEmpty();
        List<Map<String, Object>> objects = reports(GROUP + twoTlvs.repeat(3) + SMALL, four);
        assertThat(objects).hasSize(3);
        assertRejected(objects.getLast(), "TR20_TOO_MANY_REPORTS", 8 + 2 * 12);
    }

    /** Only a report to the end of the datagram can leave one to three octets behind its last TLV. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTlvNeedsAHeader(int left) {
        String longest = "00fe0001" + "00".repeat(4 * 254);
        String report = "01ff0020" + longest;
        for (boolean strict : new boolean[] {true, false}) {
            List<Map<String, Object>> objects = reports(GROUP + report + "00".repeat(left), options(strict));
            assertThat(objects).hasSize(1);
            assertRejected(objects.getFirst(), "TR20_TLV_TRUNCATED_HEADER", 8);
            assertThat(DecodedJson.names(reports(GROUP + report, options(strict))))
                    .isEmpty();
        }
    }

    // ---- packets

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLabelStackEndsWithinSixteenLabels(boolean strict) {
        String ip = "4500 0014 0001 0000 4032 0000 0a00 0101 0a00 0202";
        String fifteen = MACS + "8847" + "00010040".repeat(15);
        assertThat(layers(Start.ETHERNET, fifteen + "00010140" + ip, strict))
                .isEqualTo(List.of("ethernet", "mpls", "ipv4"));
        assertThat(names(Start.ETHERNET, fifteen + "00010040" + "00010140" + ip, strict))
                .containsExactly("PKT_MPLS_NO_BOS");
    }

    private static String ipv4(int protocol) {
        return "4500 0000 0001 0000 40%02x 0000 0a00 0101 0a00 0202".formatted(protocol);
    }

    /** Four tags, then GRE and an inner IP header twice: eight. Another GRE header is the ninth. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eightHeadersMayBeNested(boolean strict) {
        String tags = MACS + "8100 0001 8100 0002 8100 0003 8100 0004 0800";
        String gre = "0000 0800";
        String eight = tags + ipv4(47) + gre + ipv4(47) + gre;
        assertThat(names(Start.ETHERNET, eight + ipv4(2) + "00000000", strict)).isEmpty();
        String nine = eight + ipv4(47) + gre + ipv4(2) + "00000000";
        assertThat(names(Start.ETHERNET, nine, strict)).containsExactly("PKT_DEPTH_EXCEEDED");
        assertThat(layers(Start.ETHERNET, nine, strict)).hasSize(10).last().isEqualTo("ipv4");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fourIpHeadersMayBeNested(boolean strict) {
        String three = ipv4(4).repeat(3);
        assertThat(names(Start.IPV4, three + ipv4(2) + "00000000", strict)).isEmpty();
        String five = three + ipv4(4) + ipv4(2) + "00000000";
        assertThat(names(Start.IPV4, five, strict)).containsExactly("PKT_DEPTH_EXCEEDED");
        assertThat(layers(Start.IPV4, five, strict)).isEqualTo(List.of("ipv4", "ipv4", "ipv4", "ipv4"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eightExtensionHeadersMayFollowOneIpv6Header(boolean strict) {
        String ip = "6000 0000 0000 3c40 fd000000000000000000000000000001 fd000000000000000000000000000002";
        String more = "3c00 0104 0000 0000";
        String last = "1100 0104 0000 0000";
        String udp = "1388 1770 0008 0000";
        assertThat(layers(Start.IPV6, ip + more.repeat(7) + last + udp, strict))
                .hasSize(10)
                .last()
                .isEqualTo("udp");
        assertThat(names(Start.IPV6, ip + more.repeat(7) + last + udp, strict)).isEmpty();
        String nine = ip + more.repeat(8) + last + udp;
        assertThat(names(Start.IPV6, nine, strict)).containsExactly("PKT_DEPTH_EXCEEDED");
        assertThat(layers(Start.IPV6, nine, strict)).hasSize(9);
    }

    /** Each IPv6 header has its own count. */
    @Test
    void extensionHeadersOfAnInnerIpv6HeaderCountAnew() {
        String ip = "6000 0000 0000 3c40 fd000000000000000000000000000001 fd000000000000000000000000000002";
        String more = "3c00 0104 0000 0000";
        String inner = "2900 0104 0000 0000";
        String last = "1100 0104 0000 0000";
        assertThat(names(
                        Start.IPV6,
                        ip + more.repeat(7) + inner + ip + more.repeat(7) + last + "13881770 00080000",
                        true))
                .isEmpty();
    }

    // ---- INT

    private static final String MD = "2000 0107 8000 0000 0000 0000";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fourIntHeadersMayBeChainedBehindVxlanGpe(boolean strict) {
        String gpe = "0c00 0082 0001 2300";
        String chained = "1003 0082" + MD;
        String last = "1003 0000" + MD;
        assertThat(names(Start.VXLAN_GPE, gpe + chained.repeat(3) + last, strict))
                .isEmpty();
        String five = gpe + chained.repeat(4) + last;
        assertThat(names(Start.VXLAN_GPE, five, strict)).containsExactly("INT_CHAIN_TOO_LONG");
        assertThat(ints(Start.VXLAN_GPE, five, strict)).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fourIntHeadersMayStandInGeneveOptions(boolean strict) {
        String option = "0103 0103" + MD;
        String four = "1000 1234 0001 2300" + option.repeat(4);
        assertThat(names(Start.GENEVE, four, strict)).isEmpty();
        String five = "1400 1234 0001 2300" + option.repeat(5);
        assertThat(names(Start.GENEVE, five, strict)).containsExactly("INT_CHAIN_TOO_LONG");
        assertThat(ints(Start.GENEVE, five, strict)).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void intHeadersOfNestedLayersCountTogether(boolean strict) {
        String gre = "0000 88b6";
        String shim = "1003 0800" + MD;
        String again = "1003 88b6" + MD;
        String five = ipv4(47) + gre + again + shim + ipv4(47) + gre + again + again + shim + ipv4(2) + "00000000";
        assertThat(names(Start.IPV4, five, strict)).containsExactly("INT_CHAIN_TOO_LONG");
        assertThat(ints(Start.IPV4, five, strict)).hasSize(4);
    }

    /** Over UDP too: the fifth header is not looked at, wherever it is. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFifthIntHeaderBehindUdpIsTooMany(boolean strict) {
        String gre = "0000 88b6";
        String shim = "1003 0800" + MD;
        String again = "1003 88b6" + MD;
        String udp = "1388 15b3 0000 0000" + "1803 0006" + MD;
        String five = ipv4(47) + gre + again.repeat(3) + shim + ipv4(17) + udp;
        assertThat(names(Start.IPV4, five, strict)).containsExactly("INT_CHAIN_TOO_LONG");
        assertThat(ints(Start.IPV4, five, strict)).hasSize(4);
    }

    /** A weak mark makes no more of it than that the packet is an ordinary one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFifthIntHeaderBehindADscpMarkIsTooMany(boolean strict) {
        String gre = "0000 88b6";
        String shim = "1003 0800" + MD;
        String again = "1003 88b6" + MD;
        String marked = "455c 0000 0001 0000 4011 0000 0a00 0101 0a00 0202";
        String udp = "1388 1770 0000 0000" + "1003 0000" + MD;
        String five = ipv4(47) + gre + again.repeat(3) + shim + marked + udp;
        assertThat(names(Start.IPV4, five, strict))
                .containsExactly(strict ? "INT_CHAIN_TOO_LONG" : "INT_FALSE_POSITIVE");
        assertThat(ints(Start.IPV4, five, strict)).hasSize(4);
    }

    private static List<?> ints(Start start, String hex, boolean strict) {
        return DecodedJson.packet(bytes(hex), start, options(strict)).get("int") instanceof List<?> headers
                ? headers
                : List.of();
    }
}
