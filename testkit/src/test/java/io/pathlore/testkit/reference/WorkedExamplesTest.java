package io.pathlore.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.reference.ReferenceOptions.DscpMark;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the worked examples say [spec-notes 10]: in both modes where they conform, in lenient mode where they do not. */
class WorkedExamplesTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r1SwitchLocalReport(boolean strict) {
        Decoded.only("R1", strict).says("""
                report      {"version":"0.5","nodeId":257,"hwId":1,"sequence":7,"index":0,"inner":"ethernet","dropped":false,"congested":false,"tracked":true}
                metadata    {"ingressTimestamp":"305419896","ingressInterface":9,"egressInterface":10,"queueId":3,"queueOccupancy":341,"egressTimestamp":"305420800"}
                flow        {"source":"10.0.1.1","destination":"10.0.2.2","protocol":17,"sourcePort":5000,"destinationPort":6000}
                ethernet    {"source":"00:00:00:00:01:01","destination":"00:00:00:00:02:02"}
                layers      ["ethernet","ipv4","udp"]
                int         absent
                cutAt       absent
                warnings    absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r2DropReport(boolean strict) {
        Decoded.only("R2", strict).says("""
                report      {"version":"0.5","nodeId":257,"hwId":0,"sequence":4294967295,"index":0,"inner":"ethernet","dropped":true,"congested":false,"tracked":false}
                metadata    {"ingressTimestamp":"100","ingressInterface":9,"egressInterface":0,"dropQueueId":0,"dropReason":80}
                flow        {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                layers      ["ethernet","ipv4","tcp"]
                warnings    absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r3Int05OverTcp(boolean strict) {
        Decoded.only("R3", strict).says("""
                report.nodeId absent
                report.hwId 5
                report.sequence 42
                report.tracked true
                metadata {"ingressTimestamp":"195939070"}
                int [{"version":"0.5","type":"md","encapsulation":"tcp","instructions":36864,"maxHops":16,"totalHops":2,"replica":false,"hopLimitExceeded":false,"originalDscp":0,"hops":[{"nodeId":1,"queueId":0,"queueOccupancy":5},{"nodeId":2,"queueId":0,"queueOccupancy":42}],"truncated":false}]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":22}
                layers ["ethernet","ipv4","tcp","int"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r4FiveOptionalWords(boolean strict) {
        Decoded.only("R4", strict).says("""
                report {"version":"1.0","nodeId":514,"hwId":2,"sequence":16,"index":0,"inner":"ipv4","dropped":false,"congested":true,"tracked":true}
                metadata {"ingressTimestamp":"65536","ingressInterface":1,"egressInterface":2,"hopLatency":300,"queueId":1,"queueOccupancy":20,"egressTimestamp":"65836","txUtilization":10000}
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":17,"sourcePort":5000,"destinationPort":6000}
                layers ["ipv4","udp"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r5DropWithQinQ(boolean strict) {
        Decoded.only("R5", strict).says("""
                report.dropped true
                report.tracked true
                metadata {"ingressTimestamp":"131072","ingressInterface":1,"egressInterface":0,"dropQueueId":7,"dropReason":71}
                ethernet.vlans [100,200]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":1,"icmpType":8,"icmpCode":0}
                layers ["ethernet","vlan","vlan","ipv4","icmp"]
                warnings absent""");
    }

    @Test
    void r6GeantWidthsAreLenientOnly() {
        Decoded.only("R6", false).says("""
                report {"version":"1.0","dialect":"geant","nodeId":2,"hwId":0,"sequence":0,"index":0,"inner":"ethernet","dropped":false,"congested":false,"tracked":true}
                int [{"version":"1.0","type":"md","encapsulation":"udp","instructions":52224,"hopMl":6,"remainingHops":2,"replica":false,"hopLimitExceeded":false,"mtuExceeded":false,"originalDscp":10,"hops":[{"nodeId":1,"ingressInterface":4,"egressInterface":2,"ingressTimestamp":"1700000000000001000","egressTimestamp":"1700000000000001300"},{"nodeId":2,"ingressInterface":1,"egressInterface":3,"ingressTimestamp":"1700000000000002000","egressTimestamp":"1700000000000002500"}],"truncated":false}]
                cutAt absent
                warnings ["A-41","A-42"]""");
        ReferenceOptions geantDscp = Codepoints.strict().withDscp(List.of(new DscpMark(0x20, 0x3F)));
        assertThat(Decoded.reports(geantDscp, GoldenVectors.bytes("R6"))
                        .getFirst()
                        .faults())
                .containsExactly("INT_HOP_ML_MISMATCH");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r7SpecExample41(boolean strict) {
        Decoded.only("R7", strict).says("""
                report {"version":"2.0","nodeId":3,"hwId":1,"sequence":5,"index":0,"type":"int","inner":"ipv4","dropped":false,"congested":false,"tracked":true,"intermediate":false}
                metadata {"ingressInterface":1,"egressInterface":2,"queueId":0,"queueOccupancy":256}
                domain absent
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                layers ["ipv4","tcp"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r8TlvsAndDomainWords(boolean strict) {
        Decoded.only("R8", strict).says("""
                report.inner "tlv"
                metadata {"ingressInterface":1,"egressInterface":2,"queueId":0,"queueOccupancy":256}
                domain {"id":4660,"bits":32768,"status":0,"words":["cafe0001"]}
                tlvs [{"type":"ds-extension","template":1,"data":"0011223344556677"},{"type":"ipv4","length":40}]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                warnings absent""");
    }

    /** with the printed MD Length 2. */
    @Test
    void r8AsPrintedIsRepairedInLenientMode() {
        byte[] printed = GoldenVectors.bytes("R8");
        printed[10] = 2;
        Decoded.reports(Codepoints.lenient(), printed).getFirst().says("""
                domain.words ["cafe0001"]
                tlvs.1 {"type":"ipv4","length":40}
                flow.destinationPort 80
                warnings ["A-05"]""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r9IntOverANewUdpHeader(boolean strict) {
        Decoded.only("R9", strict).says("""
                report.sequence 4194303
                metadata {"queueId":0,"queueOccupancy":256}
                int [{"version":"2.x","type":"md","encapsulation":"udp","instructions":36864,"hopMl":2,"remainingHops":6,"discard":false,"hopLimitExceeded":false,"mtuExceeded":false,"domainId":0,"dsInstructions":0,"dsFlags":0,"hops":[{"nodeId":1,"queueId":0,"queueOccupancy":5},{"nodeId":2,"queueId":0,"queueOccupancy":42}],"truncated":false}]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                outerFlow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":17,"sourcePort":33333,"destinationPort":5555}
                layers ["ipv4","udp","int","tcp"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r10IntInVxlan(boolean strict) {
        Decoded.only("R10", strict).says("""
                report.nodeId 3232236034
                report.type "inner-only"
                metadata absent
                int.0.hops [{"nodeId":1,"ingressInterface":11,"egressInterface":12},{"nodeId":2,"ingressInterface":21,"egressInterface":22},{"nodeId":3,"ingressInterface":31,"egressInterface":32}]
                int.0.remainingHops 5
                int.0.hopMl 2
                flow {"source":"10.10.1.1","destination":"10.10.2.2","protocol":6,"sourcePort":40000,"destinationPort":443,"vni":291}
                outerFlow {"source":"192.168.1.1","destination":"192.168.2.2","protocol":17,"sourcePort":56789,"destinationPort":4789}
                layers ["ipv4","udp","int","vxlan","ethernet","ipv4","tcp"]
                cutAt absent
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r11ThreeReports(boolean strict) {
        List<Decoded> reports = Decoded.reports(Codepoints.of("R11", strict), GoldenVectors.bytes("R11"));
        assertThat(reports).hasSize(3);
        reports.get(0).says("""
                report {"version":"2.0","nodeId":4294967294,"hwId":63,"sequence":1,"index":0,"type":"int","inner":"ethernet","dropped":true,"congested":false,"tracked":true,"intermediate":false}
                metadata {"ingressTimestamp":"1700000000000","dropQueueId":7,"dropReason":80}
                flow.protocol 6
                layers ["ethernet","ipv4","tcp"]
                warnings absent""");
        reports.get(1).says("""
                report {"version":"2.0","nodeId":4294967294,"hwId":63,"sequence":1,"index":1,"type":"int","inner":"ipv6","dropped":false,"congested":true,"tracked":false,"intermediate":false}
                metadata {"queueId":1,"queueOccupancy":900,"bufferId":0,"bufferOccupancy":1500}
                flow {"source":"2001:db8::1","destination":"2001:db8::2","protocol":17,"sourcePort":5000,"destinationPort":6000}
                layers ["ipv6","udp"]
                warnings absent""");
        reports.get(2).says("""
                report {"version":"2.0","nodeId":4294967294,"hwId":63,"sequence":1,"index":2,"type":"int","inner":"none","dropped":false,"congested":false,"tracked":true,"intermediate":true}
                metadata {"ingressInterface":5,"egressInterface":6}
                layers absent
                flow absent
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r12ToTheEndOfTheDatagram(boolean strict) {
        Decoded.only("R12", strict).says("""
                report.inner "ipv4"
                metadata absent
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":17,"sourcePort":1,"destinationPort":2}
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void r13IntMxReport(boolean strict) {
        Decoded.only("R13", strict).says("""
                metadata {"queueId":0,"queueOccupancy":42}
                domain {"id":43981,"bits":49152,"status":0,"words":["0000000f","12345678"]}
                int.0.type "mx"
                int.0.domain ["0000000f","12345678"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"D1", "D2"})
    void d1AndD2June2016(String vector) {
        String carrier = vector.equals("D1") ? "geneve" : "vxlan-gpe";
        for (boolean strict : new boolean[] {true, false}) {
            Decoded.only(vector, strict).says("""
                    int.0 {"version":"2016","type":"md","encapsulation":"%1$s","instructions":36864,"maxHops":16,"totalHops":3,"replica":false,"hopLimitExceeded":false,"hops":[{"nodeId":1,"queueOccupancy":5},{"nodeId":2,"queueOccupancy":42},{"nodeId":3,"queueOccupancy":256}],"truncated":false}
                    int.1 {"version":"2016","type":"destination","encapsulation":"%1$s","instructions":4096,"maxHops":16,"totalHops":3,"replica":false,"hopLimitExceeded":false,"hops":[{"queueOccupancy":11},{"queueOccupancy":9},{"queueOccupancy":7}],"truncated":false}
                    flow {"source":"10.10.1.1","destination":"10.10.2.2","protocol":17,"sourcePort":1111,"destinationPort":2222,"vni":291}
                    warnings absent""".formatted(carrier));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d3InvalidValueIsAbsent(boolean strict) {
        Decoded.only("D3", strict).says("""
                int [{"version":"1.0","type":"md","encapsulation":"vxlan-gpe","instructions":33280,"hopMl":3,"remainingHops":6,"replica":false,"hopLimitExceeded":false,"mtuExceeded":false,"hops":[{"nodeId":1},{"nodeId":2,"l2IngressInterface":65538,"l2EgressInterface":65539}],"truncated":false}]
                layers ["ethernet","ipv4","udp","vxlan-gpe","int","ethernet","ipv4","udp"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d4ChecksumComplement(boolean strict) {
        Decoded.only("D4", strict).says("""
                int.0.hops [{"nodeId":1,"checksumComplement":26574}]
                int.0.hopMl 2
                int.0.remainingHops 7
                int.0.version "1.0"
                layers ["ethernet","ipv6","udp","int"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d5Geneve(boolean strict) {
        Decoded.only("D5", strict).says("""
                int.0.hops [{"nodeId":1,"queueId":0,"queueOccupancy":5},{"nodeId":2,"queueId":0,"queueOccupancy":42},{"nodeId":3,"queueId":0,"queueOccupancy":256}]
                int.0.hopMl 2
                int.0.remainingHops 5
                int.0.encapsulation "geneve"
                flow.vni 291
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d6Gre(boolean strict) {
        Decoded.only("D6", strict).says("""
                int.0.hops [{"nodeId":1,"queueId":0,"queueOccupancy":5},{"nodeId":2,"queueId":0,"queueOccupancy":42}]
                int.0.encapsulation "gre"
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                outerFlow {"source":"192.168.1.1","destination":"192.168.2.2","protocol":47}
                layers ["ethernet","ipv4","gre","int","ipv4","tcp"]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d7SourceInsertedMetadata(boolean strict) {
        Decoded.only("D7", strict).says("""
                int [{"version":"2.x","type":"mx","encapsulation":"udp","instructions":36864,"discard":false,"domainId":43981,"dsInstructions":49152,"dsFlags":0,"domain":["0000000f","12345678"],"truncated":false}]
                flow {"source":"10.0.1.1","destination":"10.0.2.2","protocol":6,"sourcePort":45678,"destinationPort":80}
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d8SourceOnlyDevice(boolean strict) {
        Decoded.only("D8", strict).says("""
                int [{"version":"2.x","type":"md","encapsulation":"udp","instructions":32768,"hopMl":1,"remainingHops":5,"discard":false,"hopLimitExceeded":false,"mtuExceeded":false,"domainId":21587,"dsInstructions":32768,"dsFlags":16384,"hops":[{"nodeId":100},{"nodeId":257},{"nodeId":258}],"sourceDevice":"a6:1a:f6:b1:64:7d","truncated":false}]
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d9WideTimestampsAndBuffer(boolean strict) {
        Decoded.only("D9", strict).says("""
                int.0.hops [{"nodeId":9,"ingressInterface":1,"egressInterface":2,"ingressTimestamp":"1700000000000000000","egressTimestamp":"1700000000000000700","bufferId":2,"bufferOccupancy":4096}]
                int.0.hopMl 7
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void d10ProbeMarker(boolean strict) {
        Decoded.only("D10", strict).says("""
                int [{"version":"2.x","type":"md","encapsulation":"tcp","instructions":32768,"hopMl":1,"remainingHops":7,"discard":false,"hopLimitExceeded":false,"mtuExceeded":false,"domainId":0,"dsInstructions":0,"dsFlags":0,"originalDscp":10,"hops":[{"nodeId":1}],"truncated":false}]
                warnings absent""");
    }

    @Test
    void t1TransparentSecurityTrackedFlow() {
        Decoded.only("T1", false).says("""
                report {"version":"2.0","dialect":"transparent-security","nodeId":347,"hwId":0,"sequence":1,"index":0,"type":"int","inner":"ethernet","dropped":false,"congested":false,"tracked":false,"intermediate":false}
                domain {"id":21587,"bits":0,"status":0}
                int.0.hops [{"nodeId":123},{"nodeId":234},{"nodeId":347}]
                int.0.remainingHops 8
                int.0.sourceDevice "a6:1a:f6:b1:64:7d"
                flow {"source":"2001:db8:1::2","destination":"2001:db8:1::29","protocol":6,"sourcePort":6680,"destinationPort":5792}
                outerFlow {"source":"2001:db8:1::2","destination":"2001:db8:1::29","protocol":17,"sourcePort":6680,"destinationPort":555}
                layers ["ethernet","ipv6","udp","int","tcp"]
                warnings ["A-28","A-29","A-32","A-30","A-31"]""");
        assertThat(Decoded.reports(Codepoints.strict(), GoldenVectors.bytes("T1"))
                        .getFirst()
                        .faults())
                .containsExactly("PKT_IP_VERSION_MISMATCH");
    }

    @Test
    void t2TransparentSecurityDrop() {
        Decoded.only("T2", false).says("""
                report.nodeId 123
                report.inner "ds-extension"
                metadata {"dropQueueId":0,"dropReason":15}
                drop {"timestamp":1700000000,"count":4242,"key":"0000000000000000fc2bc3f5d924da44"}
                extension absent
                warnings ["A-33"]""");
        List<Decoded> strict = Decoded.reports(Codepoints.strict(), GoldenVectors.bytes("T2"));
        assertThat(strict).hasSize(2);
        strict.getFirst().says("report.inner \"ds-extension\"");
        assertThat(strict.getLast().faults()).containsExactly("TR20_REPORT_LENGTH_OVERRUN");
    }

    @Test
    void o1OnosBasic() {
        Decoded.only("O1", false).says("""
                report {"version":"1.0","dialect":"onos-basic","nodeId":1,"hwId":1,"sequence":0,"index":0,"inner":"ethernet","dropped":false,"congested":false,"tracked":true}
                int [{"version":"1.0","type":"md","encapsulation":"udp","instructions":36864,"hopMl":2,"remainingHops":7,"replica":false,"hopLimitExceeded":false,"mtuExceeded":false,"originalDscp":0,"hops":[{"nodeId":1,"queueId":0,"queueOccupancy":5}],"truncated":false}]
                warnings ["A-47","A-48"]""");
        Decoded.only("O1", true).says("""
                report.tracked false
                int absent
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void i1PreallocatedTrace(boolean strict) {
        Decoded.only("I1", strict).says("""
                ioam [{"type":"preallocated-trace","namespace":123,"traceType":15728640,"nodeLen":4,"remainingLen":4,"overflow":false,"loopback":false,"active":false,"hops":[{"hopLimit":63,"nodeId":1,"ingressInterface":11,"egressInterface":12,"timestampSeconds":1699999999,"timestampFraction":400000},{"hopLimit":62,"nodeId":2,"ingressInterface":21,"egressInterface":22,"timestampSeconds":1700000000,"timestampFraction":500000}]}]
                layers ["ipv6","hop-by-hop","udp"]
                flow.sourcePort 1000
                warnings absent""");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void i2ToI4OtherOptions(boolean strict) {
        Decoded.only("I2", strict).says("""
                ioam [{"type":"incremental-trace","namespace":1,"traceType":11010048,"nodeLen":3,"remainingLen":10,"overflow":true,"loopback":false,"active":false,"hops":[{"hopLimit":60,"nodeId":5,"timestampSeconds":1700000001,"transitDelay":77}]}]
                warnings absent""");
        Decoded.only("I3", strict).says("""
                ioam [{"type":"e2e","namespace":1,"sequence":99,"timestampSeconds":1700000002,"timestampFraction":123456789}]
                warnings absent""");
        Decoded.only("I4", strict).says("""
                ioam [{"type":"dex","namespace":1,"flags":0,"extensionFlags":192,"traceType":15728640,"flowId":2748,"sequence":41}]
                warnings absent""");
    }

    /** Every prefix of every example is decoded or rejected, never more. */
    @Test
    void everyPrefixHasAnAnswer() {
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            byte[] bytes = vector.bytes();
            for (int length = 0; length <= bytes.length; length++) {
                byte[] prefix = java.util.Arrays.copyOf(bytes, length);
                for (boolean strict : new boolean[] {true, false}) {
                    ReferenceOptions options = Codepoints.of(vector.name(), strict);
                    if (vector.start() == Start.REPORT) {
                        assertThat(Decoded.reports(options, prefix)).isNotEmpty();
                    } else {
                        assertThat(Decoded.packet(options, vector.start(), prefix)
                                        .at("layers"))
                                .isNotNull();
                    }
                }
            }
        }
    }
}
