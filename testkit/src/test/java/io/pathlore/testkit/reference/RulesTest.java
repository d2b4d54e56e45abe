package io.pathlore.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decisions of docs/spec-notes.md that no worked example shows; bytes made by hand. */
class RulesTest {
    private static final String MACS = "000000000202 000000000101";
    private static final String GROUP = "20400005 00000003";
    private static final String ADDRESSES = "0a000101 0a000202";
    private static final String TCP = "b26e0050 000003e8 000007d0 50182000 ba530000";

    private static Decoded lenient(String hex) {
        return only(Codepoints.lenient(), hex);
    }

    private static Decoded strict(String hex) {
        return only(Codepoints.strict(), hex);
    }

    private static Decoded only(ReferenceOptions options, String hex) {
        List<Decoded> reports = Decoded.reports(options, Hex.bytes(hex));
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    /** A packet that starts with its Ethernet header. */
    private static Decoded frame(ReferenceOptions options, String hex) {
        return new Decoded(new ReferenceDecoder(options).decodePacket(Hex.bytes(MACS + hex), PacketStart.ETHERNET));
    }

    /** IPv4 with length 0, which reaches to the end of the bytes. */
    private static String ipv4(String dscpByte, String protocol) {
        return "45" + dscpByte + "0000 00010000 40" + protocol + "0000" + ADDRESSES;
    }

    // ---------------------------------------------------------------- reports

    @Test
    void version05WithoutAssociationNeedsAPacketToBeBelieved() {
        String sFlow = "00000005 00000001 0a000001 00000000 00000001";
        lenient(sFlow).says("error \"TR_NO_ASSOCIATION\"");
        lenient("00000005 00000001 0a000001" + MACS + "0806").says("""
                warnings ["TR_NO_ASSOCIATION"]
                layers ["ethernet","arp"]""");
        strict("00000005 00000001 0a000001" + MACS + "0806").says("error \"TR_NO_ASSOCIATION\"");
        lenient("00200045 00000001 0a000001" + MACS + "0806").says("warnings [\"TR05_RESERVED_NONZERO\"]");
        String netFlow9 = "00090003 00000001 0a000001 00000000 00000001";
        lenient(netFlow9).says("error \"TR05_RESERVED_NONZERO\"");
    }

    @Test
    void version05FieldsOfAllOnesAreAbsent() {
        strict("02200001 00000007 ffffffff ffffffff ffff000a ffffffff 12345a00").says("""
                report.nodeId absent
                metadata {"egressInterface":10,"egressTimestamp":"305420800"}
                layers absent
                warnings absent""");
    }

    @Test
    void trailingBytesBelongToTheLastReportUnlessItWasRejected() {
        String good = "10030130 40000000 00000000 00050006";
        String bad = "30030130 40000000 00000000 00050006";
        lenient(GROUP + good + "0000").says("warnings [\"TR20_TRAILING_BYTES\"]");
        List<Decoded> reports = Decoded.reports(Codepoints.strict(), Hex.bytes(GROUP + good + bad + "000000"));
        assertThat(reports.stream().flatMap(report -> report.faults().stream()))
                .containsExactly("TR20_RESERVED_REPTYPE", "TR20_TRAILING_BYTES");
        assertThat(reports).hasSize(3);
    }

    @Test
    void capsReportsAndTlvs() {
        String report = "10030130 40000000 00000000 00050006";
        ReferenceOptions two = Codepoints.strict().withMaxReports(2);
        List<Decoded> reports = Decoded.reports(two, Hex.bytes(GROUP + report + report + report + report));
        assertThat(reports).hasSize(3);
        reports.getLast().says("error \"TR20_TOO_MANY_REPORTS\"");

        String tlvs = "01030020 00000000 00000000 00000000";
        reports = Decoded.reports(two, Hex.bytes(GROUP + tlvs + report));
        assertThat(reports).hasSize(1);
        reports.getLast().says("error \"TR20_TOO_MANY_REPORTS\"");
    }

    @Test
    void length255CanBeLiteral() {
        byte[] bytes = GoldenVectors.bytes("R12");
        List<Decoded> literal = Decoded.reports(Codepoints.strict().withLiteral255(true), bytes);
        // 8 + 4 + 1020 bytes, then 9 more: one report too long, cut to what is left
        assertThat(literal).hasSize(2);
        literal.get(0).says("flow.destinationPort 2");
    }

    @Test
    void ioamReportsAreOpaque() {
        lenient(GROUP + "24010020 45000000").says("""
                report.type "ioam"
                report.inner "ipv4"
                layers absent
                metadata absent
                warnings ["A-12"]""");
        strict(GROUP + "24010020 45000000").says("error \"TR20_UNSUPPORTED_IOAM_REPORT\"");
        lenient(GROUP + "26010020 45000000").says("error \"TR20_RESERVED_INTYPE\"");
    }

    @Test
    void reservedMetadataBitsHaveTheWidthThatFits() {
        // bit 9 and bit 15: width 0 by MD Length 1, one word by MD Length 2
        lenient(GROUP + "10030120 00410000 00000000 07500000").says("""
                metadata {"dropQueueId":7,"dropReason":80}
                warnings ["TR20_RESERVED_MDBIT"]""");
        lenient(GROUP + "10040220 00410000 00000000 aaaaaaaa 07500000").says("""
                metadata {"dropQueueId":7,"dropReason":80}
                warnings ["TR20_RESERVED_MDBIT"]""");
        lenient(GROUP + "10050320 00410000 00000000 aaaaaaaa 07500000 00000000")
                .says("error \"TR20_MD_LENGTH_MISMATCH\"");
    }

    @Test
    void domainWords() {
        lenient(GROUP + "10050320 20000000 80000000 0000000c 0000000d 0000000e").says("""
                metadata {"hopLatency":12}
                domain {"id":0,"bits":32768,"status":0,"words":["0000000d","0000000e"]}
                warnings ["TR20_DS_ON_DEFAULT_DOMAIN"]""");
        // a known domain has its exact size
        strict(GROUP + "10040220 00005453 80000000 a61af6b1 647d0000").says("domain.words [\"a61af6b1\",\"647d0000\"]");
        strict(GROUP + "10030120 00005453 80000000 a61af6b1").says("error \"TR20_MD_LENGTH_MISMATCH\"");
        // an unknown one at least a word per bit
        strict(GROUP + "10030120 00001234 c0000000 a61af6b1").says("error \"TR20_MD_LENGTH_MISMATCH\"");
    }

    @Test
    void surplusOfAllOnesIsLenientOnly() {
        String report = GROUP + "10050320 20001234 00000000 0000000c ffffffff ffffffff";
        strict(report).says("error \"TR20_MD_LENGTH_MISMATCH\"");
        lenient(report).says("""
                metadata {"hopLatency":12}
                domain {"id":4660,"bits":0,"status":0}
                warnings ["A-08"]""");
    }

    @Test
    void reservedTlvsAreShownWithTheirFault() {
        String report = GROUP + "01020020 70010000 cafe0001";
        for (Decoded decoded : List.of(lenient(report), strict(report))) {
            decoded.says("""
                    tlvs [{"type":"reserved","code":7,"data":"cafe0001"}]
                    warnings ["TR20_TLV_RESERVED_TYPE"]""");
        }
    }

    @Test
    void groupHeaderAloneAndVersion05InDisguise() {
        String packet = MACS + "0800" + ipv4("00", "06") + TCP;
        lenient(GROUP + packet).says("""
                report {"version":"2.0","dialect":"p4-int","nodeId":3,"hwId":1,"sequence":5,"index":0,"type":"inner-only","inner":"ethernet"}
                flow.destinationPort 80
                warnings ["A-58"]""");
        lenient("10200005 00000001 0a000001" + packet).says("""
                report.version "0.5"
                report.hwId 5
                flow.destinationPort 80
                warnings ["A-61"]""");
    }

    @Test
    void switchIdZeroIsUnknownWhenTheHopLimitWasHit() {
        String packet =
                MACS + "0800" + ipv4("80", "11") + "13881770 001c0000 01000500 11000207 90000000 00000001 00000005";
        lenient("14000040 00000000 00000001 00000001" + packet).says("""
                report.nodeId absent
                int.0.hopLimitExceeded true
                warnings ["A-67"]""");
    }

    // ---------------------------------------------------------------- packets

    @Test
    void laterFragmentsHaveNoPorts() {
        String ip = "45000000 00012001 40060000" + ADDRESSES;
        frame(Codepoints.strict(), "0800" + ip + TCP).says("""
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6}
                layers ["ethernet","ipv4"]
                cutAt absent""");
        String first = "45000000 00012000 40060000" + ADDRESSES;
        frame(Codepoints.strict(), "0800" + first + TCP).says("flow.destinationPort 80");
        String six = "60000000 00000040 20010db8000000000000000000000001 20010db8000000000000000000000002";
        frame(Codepoints.strict(), "86dd" + six.replace("00000040", "00002c40") + "06000009 00000001" + TCP)
                .says("""
                flow {"source":"2001:db8::1","destination":"2001:db8::2","protocol":6}
                layers ["ethernet","ipv6","fragment"]""");
    }

    @Test
    void mplsControlWordAndPppoe() {
        String inner = MACS + "0800" + ipv4("00", "06") + TCP;
        frame(Codepoints.strict(), "8847 00064040 00065140 00000000" + inner)
                .says("layers [\"ethernet\",\"mpls\",\"ethernet\",\"ipv4\",\"tcp\"]");
        frame(Codepoints.strict(), "8847 00065140").says("""
                layers ["ethernet","mpls"]
                cutAt absent""");
        frame(Codepoints.strict(), "8847" + "00064040".repeat(16)).says("""
                layers ["ethernet"]
                warnings ["PKT_MPLS_NO_BOS"]""");
        frame(Codepoints.strict(), "8864 11000001 002a0021" + ipv4("00", "06") + TCP)
                .says("layers [\"ethernet\",\"pppoe\",\"ipv4\",\"tcp\"]");
    }

    @Test
    void nestingIsLimited() {
        String ipInIp = ipv4("00", "04");
        frame(Codepoints.strict(), "0800" + ipInIp.repeat(4) + ipv4("00", "06") + TCP)
                .says("""
                layers ["ethernet","ipv4","ipv4","ipv4","ipv4"]
                warnings ["PKT_DEPTH_EXCEEDED"]""");
        String gre = ipv4("00", "2f") + "00006558" + MACS + "8100 0001 8100 0002 0800";
        frame(Codepoints.strict(), "0800" + gre.repeat(3) + ipv4("00", "06") + TCP)
                .says("warnings [\"PKT_DEPTH_EXCEEDED\"]");
        String six = "60000000 0000 3c 40 20010db8000000000000000000000001 20010db8000000000000000000000002";
        frame(Codepoints.strict(), "86dd" + six + "3c00010400000000".repeat(8) + "0600010400000000" + TCP)
                .says("""
                warnings ["PKT_DEPTH_EXCEEDED"]
                flow.protocol 60""");
        frame(Codepoints.strict(), "86dd" + six + "3c00010400000000".repeat(7) + "0600010400000000" + TCP)
                .says("""
                warnings absent
                flow.destinationPort 80""");
    }

    @Test
    void nshCarriesIoam() {
        String nsh = "0002 0206 00000100"; // base header: 2 words, MD type 2, IOAM next
        String ioam = "03050001" + "00017000 00000063 6553f102 075bcd15";
        frame(Codepoints.strict(), "894f" + nsh + ioam + ipv4("00", "06") + TCP).says("""
                layers ["ethernet","nsh","ioam","ipv4","tcp"]
                ioam [{"type":"e2e","namespace":1,"sequence":99,"timestampSeconds":1700000002,"timestampFraction":123456789}]
                warnings absent""");
    }

    @Test
    void addressesAreWrittenAsRfc5952Says() {
        Octets octets = new Octets(Hex.bytes("20010db8000000000001000000000001"
                + "00000000000000000000000000000000"
                + "20010db8000000010001000100010001"
                + "00010000000000000000000000000000"));
        assertThat(octets.ipv6(0)).isEqualTo("2001:db8::1:0:0:1");
        assertThat(octets.ipv6(16)).isEqualTo("::");
        assertThat(octets.ipv6(32)).isEqualTo("2001:db8:0:1:1:1:1:1");
        assertThat(octets.ipv6(48)).isEqualTo("1::");
    }

    @Test
    void theOuterFlowCanBeTheKey() {
        ReferenceOptions outer = Codepoints.strict().withOuterFlowKey(true);
        Decoded.reports(outer, GoldenVectors.bytes("R10")).getFirst().says("""
                flow {"source":"192.168.1.1","destination":"192.168.2.2","protocol":17,"sourcePort":56789,"destinationPort":4789,"vni":291}
                outerFlow absent""");
    }

    // ---------------------------------------------------------------- INT

    @Test
    void aCutStackGivesTheNewestHops() {
        byte[] cut = Arrays.copyOf(GoldenVectors.bytes("R9"), 80); // hop 2 and the first word of hop 1
        cut[9] = (80 - 12) / 4;
        Decoded.reports(Codepoints.strict(), cut).getFirst().says("""
                int.0.hops [{"nodeId":2,"queueId":0,"queueOccupancy":42}]
                int.0.truncated true
                cutAt "int"
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6}
                outerFlow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":17,"sourcePort":33333,"destinationPort":5555}
                layers ["ipv4","udp","int"]
                warnings ["INT_STACK_TRUNCATED"]""");
    }

    @Test
    void anUnknownDomainWithARemainderLeavesTheLastHopRaw() {
        String geneve = "0001 17c1 0000 0000 0900 6558 00012300 0103 0108";
        String header = "20000203 8000abcd 80000000"; // Hop ML 2: node id and a domain word
        String five = "00000002 0000000a 00000001 0000000b 0000000c";
        frame(Codepoints.strict(), "0800" + ipv4("00", "11") + geneve + header + five)
                .says("""
                int.0.hops [{"raw":["00000001","0000000b","0000000c"]},{"nodeId":2,"domain":["0000000a"]}]
                int.0.truncated false""");
    }

    @Test
    void sourceOnlyItemsStandInBitOrderAtTheSourceHop() {
        ReferenceOptions options = Codepoints.strict()
                .withDomains(Map.of(
                        0xABCD,
                        List.of(
                                new DomainItem(0, 1, false, "load"),
                                new DomainItem(1, 2, true, "device"),
                                new DomainItem(2, 1, false, "mood"))));
        String geneve = "0001 17c1 0000 0000 0c00 6558 00012300 0103 010b";
        String header = "20000303 8000abcd e0000000";
        String stack = "00000002 0000000a 0000000b" + "00000001 0000000c a61af6b1 647d0000 0000000d";
        frame(options, "0800" + ipv4("00", "11") + geneve + header + stack).says("""
                int.0.hops [{"nodeId":1,"domain":["0000000c","0000000d"]},{"nodeId":2,"domain":["0000000a","0000000b"]}]
                int.0.sourceDevice "a6:1a:f6:b1:64:7d\"""");
    }

    @Test
    void aSourceThatPushedNothingLeavesTheOtherHopsTheirPlaces() {
        ReferenceOptions options = Codepoints.strict()
                .withDomains(Map.of(
                        0xABCD, List.of(new DomainItem(0, 6, true, "origin"), new DomainItem(1, 1, false, "load"))));
        String geneve = "0001 17c1 0000 0000 0600 6558 00012300 0103 0105";
        String mtuExceeded = "22000203 8000abcd c0000000";
        frame(options, "0800" + ipv4("00", "11") + geneve + mtuExceeded + "00000001 0000000c")
                .says("int.0.hops [{\"nodeId\":1,\"domain\":[\"0000000c\"]}]");
    }

    @Test
    void atMostFourIntHeaders() {
        String wrong = "10038082 20000000 80000000 00000000"; // Hop ML 0
        String good = "10038082 20000100 80000000 00000000";
        String gpe = "0001 12b6 0000 0000 0c000082 00012300";
        frame(Codepoints.strict(), "0800" + ipv4("00", "11") + gpe + good.repeat(5))
                .says("""
                layers ["ethernet","ipv4","udp","vxlan-gpe","int","int","int","int"]
                warnings ["INT_CHAIN_TOO_LONG"]""");
        frame(Codepoints.strict(), "0800" + ipv4("00", "11") + gpe + wrong).says("warnings [\"INT_HOP_ML_MISMATCH\"]");
    }

    @Test
    void intBehindIcmpIsReadInLenientModeByItsDscp() {
        String icmp = "08001234 00010001";
        String shim = "01000500 00011001 80000000 00000007 01000000 00000000";
        frame(Codepoints.lenient(), "0800" + ipv4("5c", "01") + icmp + shim).says("""
                int.0.encapsulation "icmp"
                int.0.hops [{"nodeId":7}]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":1,"icmpType":8,"icmpCode":0}""");
        frame(Codepoints.strict(), "0800" + ipv4("5c", "01") + icmp + shim).says("int absent");
    }

    @Test
    void lenientModeSearchesWithoutMark() {
        String udp = "13881770 00000000";
        String md = "10040000 20000107 80000000 00000000 00000001";
        String packet = "0800" + ipv4("00", "11") + udp + md;
        frame(Codepoints.lenient(), packet).says("""
                int.0.hops [{"nodeId":1}]
                warnings absent""");
        frame(Codepoints.strict(), packet).says("int absent");
        // F = 0: marks only
        lenient("02800001 00000007 00000001 00000001 00010002 00000003 00000004" + MACS + packet)
                .says("""
                int absent
                warnings absent""");
        // a domain nobody knows is not believed
        frame(Codepoints.lenient(), packet.replace("80000000 00000000", "8000abcd 80000000"))
                .says("""
                int absent
                warnings absent""");
    }

    @Test
    void aDscpMarkThatDoesNotVerifyIsAFalsePositiveUnlessItIsCutOff() {
        String udp = "13881770 00000000";
        frame(Codepoints.lenient(), "0800" + ipv4("5c", "11") + udp + "cafe0001 cafe0001")
                .says("""
                int absent
                layers ["ethernet","ipv4","udp"]
                warnings ["INT_FALSE_POSITIVE"]""");
        String longer = "455c0064 00010000 40110000" + ADDRESSES;
        frame(Codepoints.lenient(), "0800" + longer + udp + "1004").says("""
                cutAt "int"
                warnings ["INT_SHIM_TRUNCATED"]""");
        frame(Codepoints.strict(), "0800" + ipv4("5c", "11") + udp + "cafe0001 cafe0001")
                .says("warnings [\"INT_SHIM_RESERVED_TYPE\"]");
    }

    @Test
    void geantWidthsArePreferredWherePinned() {
        // bits 0, 4 and 6: 1 + 1 + 2 words by the specification, 1 + 2 + 1 at GEANT
        String packet = MACS + "0800" + ipv4("80", "11") + "13881770 00000000"
                + "01000700 10000407 8a000000 00000001 00000002 00000003 00040005";
        String report = "14000040 00000002 00000001 00000001" + packet;
        lenient(report).says("""
                int.0.hops [{"nodeId":1,"ingressTimestamp":"2","l2IngressInterface":3,"l2EgressInterface":262149}]
                warnings absent""");
        only(Codepoints.lenient().withProfile("geant"), report).says("""
                int.0.hops [{"nodeId":1,"ingressTimestamp":"8589934595","l2IngressInterface":4,"l2EgressInterface":5}]
                report.dialect "geant"
                warnings ["A-41"]""");
    }

    @Test
    void thePinnedSpecificationKnowsNoQuirk() {
        ReferenceOptions spec = Codepoints.lenient().withProfile("spec");
        Decoded.reports(spec, GoldenVectors.bytes("R6")).getFirst().says("""
                int absent
                warnings ["INT_FALSE_POSITIVE"]""");
        assertThat(Decoded.reports(spec, GoldenVectors.bytes("T2"))).hasSize(2);
    }
}
