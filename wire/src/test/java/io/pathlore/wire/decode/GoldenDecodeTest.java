package io.pathlore.wire.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.GoldenVectors.Vector;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.net.PacketWalker.Start;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The worked examples decode to the values that are written under them, to nothing less and to nothing more. */
class GoldenDecodeTest {
    private static final String ETHERNET =
            "'ethernet':{'source':'00:00:00:00:01:01','destination':'00:00:00:00:02:02'}";
    private static final String TCP_FLOW =
            "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':6,'sourcePort':45678,'destinationPort':80}";
    private static final String UDP_FLOW =
            "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':17,'sourcePort':5000,'destinationPort':6000}";
    private static final String INT_UDP_OUTER =
            "'outerFlow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':17,'sourcePort':33333,'destinationPort':5555}";
    private static final String OVERLAY_FLOW = "'flow':{'source':'10.10.1.1','destination':'10.10.2.2','protocol':17,"
            + "'sourcePort':1111,'destinationPort':2222,'vni':291}";
    private static final String V2_FLAGS = "'discard':false,'hopLimitExceeded':false,'mtuExceeded':false";
    private static final String NO_DOMAIN = "'domainId':0,'dsInstructions':0,'dsFlags':0";
    private static final String V1_FLAGS = "'replica':false,'hopLimitExceeded':false,'mtuExceeded':false";
    private static final String COUNTED_FLAGS = "'replica':false,'hopLimitExceeded':false";

    // ---- reports of version 0.5

    @Test
    void r1IsASwitchLocalReport() {
        assertConformant(
                "R1",
                "{'report':{'version':'0.5','nodeId':257,'hwId':1,'sequence':7,'index':0,'inner':'ethernet',"
                        + "'dropped':false,'congested':false,'tracked':true},"
                        + "'metadata':{'ingressInterface':9,'egressInterface':10,'queueId':3,'queueOccupancy':341,"
                        + "'ingressTimestamp':'305419896','egressTimestamp':'305420800'},"
                        + UDP_FLOW + "," + ETHERNET + ",'layers':['ethernet','ipv4','udp']}");
    }

    @Test
    void r2IsADropReportWithTheLastSequenceNumberBeforeTheWrap() {
        assertConformant(
                "R2",
                "{'report':{'version':'0.5','nodeId':257,'hwId':0,'sequence':4294967295,'index':0,'inner':'ethernet',"
                        + "'dropped':true,'congested':false,'tracked':false},"
                        + "'metadata':{'ingressInterface':9,'egressInterface':0,'ingressTimestamp':'100',"
                        + "'dropQueueId':0,'dropReason':80},"
                        + TCP_FLOW + "," + ETHERNET + ",'layers':['ethernet','ipv4','tcp']}");
    }

    @Test
    void r3CarriesInt05OverTcp() {
        assertConformant(
                "R3",
                "{'report':{'version':'0.5','hwId':5,'sequence':42,'index':0,'inner':'ethernet',"
                        + "'dropped':false,'congested':false,'tracked':true},"
                        + "'metadata':{'ingressTimestamp':'195939070'},"
                        + "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':6,"
                        + "'sourcePort':45678,'destinationPort':22},"
                        + ETHERNET + ",'layers':['ethernet','ipv4','tcp','int'],"
                        + "'int':[{'version':'0.5','type':'md','encapsulation':'tcp','instructions':36864,"
                        + "'maxHops':16,'totalHops':2," + COUNTED_FLAGS + ",'originalDscp':0,"
                        + "'hops':[{'nodeId':1,'queueId':0,'queueOccupancy':5},"
                        + "{'nodeId':2,'queueId':0,'queueOccupancy':42}],'truncated':false}]}");
    }

    // ---- reports of version 1.0

    @Test
    void r4HasFiveOptionalWords() {
        assertConformant(
                "R4",
                "{'report':{'version':'1.0','nodeId':514,'hwId':2,'sequence':16,'index':0,'inner':'ipv4',"
                        + "'dropped':false,'congested':true,'tracked':true},"
                        + "'metadata':{'ingressInterface':1,'egressInterface':2,'hopLatency':300,'queueId':1,"
                        + "'queueOccupancy':20,'ingressTimestamp':'65536','egressTimestamp':'65836','txUtilization':10000},"
                        + UDP_FLOW + ",'layers':['ipv4','udp']}");
    }

    @Test
    void r5IsADropReportOfADoublyTaggedPing() {
        assertConformant(
                "R5",
                "{'report':{'version':'1.0','nodeId':514,'hwId':0,'sequence':17,'index':0,'inner':'ethernet',"
                        + "'dropped':true,'congested':false,'tracked':true},"
                        + "'metadata':{'ingressInterface':1,'egressInterface':0,'ingressTimestamp':'131072',"
                        + "'dropQueueId':7,'dropReason':71},"
                        + "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':1,'icmpType':8,'icmpCode':0},"
                        + "'ethernet':{'source':'00:00:00:00:01:01','destination':'00:00:00:00:02:02','vlans':[100,200]},"
                        + "'layers':['ethernet','vlan','vlan','ipv4','icmp']}");
    }

    private static DecodeOptions.IntMarks geantMarks() {
        return DecodedJson.EXAMPLE_MARKS.withDscp(List.of(new Dscp(0x20, 0x3F)));
    }

    @Test
    void r6HasWiderTimestampsThanItsVersion() {
        assertReports(
                "R6",
                DecodedJson.lenient().withMarks(geantMarks()),
                "{'report':{'version':'1.0','dialect':'geant','nodeId':2,'hwId':0,'sequence':0,'index':0,"
                        + "'inner':'ethernet','dropped':false,'congested':false,'tracked':true},"
                        + "'metadata':{'ingressTimestamp':'11259375'},"
                        + "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':17,"
                        + "'sourcePort':4607,'destinationPort':8959},"
                        + ETHERNET + ",'layers':['ethernet','ipv4','udp','int'],"
                        + "'int':[{'version':'1.0','type':'md','encapsulation':'udp','instructions':52224,'hopMl':6,"
                        + "'remainingHops':2," + V1_FLAGS + ",'originalDscp':10,"
                        + "'hops':[{'nodeId':1,'ingressInterface':4,'egressInterface':2,"
                        + "'ingressTimestamp':'1700000000000001000','egressTimestamp':'1700000000000001300'},"
                        + "{'nodeId':2,'ingressInterface':1,'egressInterface':3,"
                        + "'ingressTimestamp':'1700000000000002000','egressTimestamp':'1700000000000002500'}],"
                        + "'truncated':false}],'warnings':['A-41','A-42']}");
    }

    @Test
    void strictDecodingRejectsTheWidthsOfR6() {
        List<Map<String, Object>> objects = DecodedJson.reports(
                GoldenVectors.bytes("R6"), DecodedJson.strict().withMarks(geantMarks()));
        assertThat(DecodedJson.names(objects)).containsExactly("INT_HOP_ML_MISMATCH");
        assertThat(objects.getFirst()).doesNotContainKey("int").containsKey("flow");
    }

    // ---- reports of version 2.0

    @Test
    void r7IsTheFirstExampleOfTheSpecification() {
        assertConformant(
                "R7",
                "{'report':{'version':'2.0','nodeId':3,'hwId':1,'sequence':5,'index':0,'type':'int','inner':'ipv4',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'metadata':{'ingressInterface':1,'egressInterface':2,'queueId':0,'queueOccupancy':256},"
                        + TCP_FLOW + ",'layers':['ipv4','tcp']}");
    }

    @Test
    void r8HasDomainMetadataAndTlvs() {
        assertConformant(
                "R8",
                "{'report':{'version':'2.0','nodeId':3,'hwId':1,'sequence':6,'index':0,'type':'int','inner':'tlv',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'metadata':{'ingressInterface':1,'egressInterface':2,'queueId':0,'queueOccupancy':256},"
                        + "'domain':{'id':4660,'bits':32768,'status':0,'words':['cafe0001']},"
                        + "'tlvs':[{'type':'ds-extension','template':1,'data':'0011223344556677'},"
                        + "{'type':'ipv4','length':40}]," + TCP_FLOW + ",'layers':['ipv4','tcp']}");
    }

    @Test
    void r9HasAStackBehindANewUdpHeader() {
        assertConformant(
                "R9",
                "{'report':{'version':'2.0','nodeId':3,'hwId':0,'sequence':4194303,'index':0,'type':'int','inner':'ipv4',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'metadata':{'queueId':0,'queueOccupancy':256},"
                        + TCP_FLOW + "," + INT_UDP_OUTER + ",'layers':['ipv4','udp','int','tcp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'udp','instructions':36864,'hopMl':2,"
                        + "'remainingHops':6," + V2_FLAGS + "," + NO_DOMAIN + ","
                        + "'hops':[{'nodeId':1,'queueId':0,'queueOccupancy':5},"
                        + "{'nodeId':2,'queueId':0,'queueOccupancy':42}],'truncated':false}]}");
    }

    @Test
    void r10HasAStackBetweenUdpAndVxlan() {
        assertConformant(
                "R10",
                "{'report':{'version':'2.0','nodeId':3232236034,'hwId':0,'sequence':9,'index':0,'type':'inner-only',"
                        + "'inner':'ipv4','dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'flow':{'source':'10.10.1.1','destination':'10.10.2.2','protocol':6,'sourcePort':40000,"
                        + "'destinationPort':443,'vni':291},"
                        + "'outerFlow':{'source':'192.168.1.1','destination':'192.168.2.2','protocol':17,"
                        + "'sourcePort':56789,'destinationPort':4789},"
                        + ETHERNET + ",'layers':['ipv4','udp','int','vxlan','ethernet','ipv4','tcp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'udp','instructions':49152,'hopMl':2,"
                        + "'remainingHops':5," + V2_FLAGS + "," + NO_DOMAIN + ","
                        + "'hops':[{'nodeId':1,'ingressInterface':11,'egressInterface':12},"
                        + "{'nodeId':2,'ingressInterface':21,'egressInterface':22},"
                        + "{'nodeId':3,'ingressInterface':31,'egressInterface':32}],'truncated':false}]}");
    }

    @Test
    void r11GroupsThreeReports() {
        String group = "'version':'2.0','nodeId':4294967294,'hwId':63,'sequence':1";
        assertConformant(
                "R11",
                "{'report':{" + group + ",'index':0,'type':'int','inner':'ethernet',"
                        + "'dropped':true,'congested':false,'tracked':true,'intermediate':false},"
                        + "'metadata':{'ingressTimestamp':'1700000000000','dropQueueId':7,'dropReason':80},"
                        + TCP_FLOW + "," + ETHERNET + ",'layers':['ethernet','ipv4','tcp']}",
                "{'report':{" + group + ",'index':1,'type':'int','inner':'ipv6',"
                        + "'dropped':false,'congested':true,'tracked':false,'intermediate':false},"
                        + "'metadata':{'queueId':1,'queueOccupancy':900,'bufferId':0,'bufferOccupancy':1500},"
                        + "'flow':{'source':'2001:db8::1','destination':'2001:db8::2','protocol':17,"
                        + "'sourcePort':5000,'destinationPort':6000},'layers':['ipv6','udp']}",
                "{'report':{" + group + ",'index':2,'type':'int','inner':'none',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':true},"
                        + "'metadata':{'ingressInterface':5,'egressInterface':6}}");
    }

    @Test
    void r12RunsToTheEndOfTheDatagram() {
        assertConformant(
                "R12",
                "{'report':{'version':'2.0','nodeId':3,'hwId':0,'sequence':2,'index':0,'type':'int','inner':'ipv4',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'flow':{'source':'10.0.1.1','destination':'10.0.2.2','protocol':17,"
                        + "'sourcePort':1,'destinationPort':2},'layers':['ipv4','udp']}");
    }

    @Test
    void r13RepeatsWhatTheSourceInserted() {
        assertConformant(
                "R13",
                "{'report':{'version':'2.0','nodeId':2,'hwId':0,'sequence':42,'index':0,'type':'int','inner':'ipv4',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'metadata':{'queueId':0,'queueOccupancy':42},"
                        + "'domain':{'id':43981,'bits':49152,'status':0,'words':['0000000f','12345678']},"
                        + MX_PACKET + "}");
    }

    // ---- data packets

    private static final String MX_PACKET = TCP_FLOW + "," + INT_UDP_OUTER + ",'layers':['ipv4','udp','int','tcp'],"
            + "'int':[{'version':'2.x','type':'mx','encapsulation':'udp','instructions':36864,'discard':false,"
            + "'domainId':43981,'dsInstructions':49152,'dsFlags':0,'domain':['0000000f','12345678'],'truncated':false}]";

    private static String june2016(String encapsulation, String layers) {
        String common = "'version':'2016','encapsulation':'" + encapsulation + "','maxHops':16,'totalHops':3,"
                + COUNTED_FLAGS + ",'truncated':false";
        return "{" + OVERLAY_FLOW + "," + ETHERNET + ",'layers':['" + encapsulation + "'," + layers + "],"
                + "'int':[{" + common + ",'type':'md','instructions':36864,"
                + "'hops':[{'nodeId':1,'queueOccupancy':5},{'nodeId':2,'queueOccupancy':42},"
                + "{'nodeId':3,'queueOccupancy':256}]},"
                + "{" + common + ",'type':'destination','instructions':4096,"
                + "'hops':[{'queueOccupancy':11},{'queueOccupancy':9},{'queueOccupancy':7}]}]}";
    }

    @Test
    void d1HasTwoHeadersOfJune2016InGeneveOptions() {
        assertConformant("D1", june2016("geneve", "'int','int','ethernet','ipv4','udp'"));
    }

    @Test
    void d2ChainsThemBehindVxlanGpe() {
        assertConformant("D2", june2016("vxlan-gpe", "'int','int','ethernet','ipv4','udp'"));
    }

    @Test
    void d3SaysThatItsFirstHopDoesNotKnowItsInterfaces() {
        assertConformant(
                "D3",
                "{" + OVERLAY_FLOW + "," + ETHERNET + ",'layers':['vxlan-gpe','int','ethernet','ipv4','udp'],"
                        + "'int':[{'version':'1.0','type':'md','encapsulation':'vxlan-gpe','instructions':33280,'hopMl':3,"
                        + "'remainingHops':6," + V1_FLAGS + ",'hops':[{'nodeId':1},"
                        + "{'nodeId':2,'l2IngressInterface':65538,'l2EgressInterface':65539}],'truncated':false}]}");
    }

    @Test
    void d4KeepsItsChecksumByAComplement() {
        assertConformant(
                "D4",
                "{'flow':{'source':'2001:db8::1','destination':'2001:db8::2','protocol':17,"
                        + "'sourcePort':1000,'destinationPort':2000},'layers':['ipv6','udp','int'],"
                        + "'int':[{'version':'1.0','type':'md','encapsulation':'udp','instructions':32769,'hopMl':2,"
                        + "'remainingHops':7," + V1_FLAGS + ",'originalDscp':0,"
                        + "'hops':[{'nodeId':1,'checksumComplement':26574}],'truncated':false}]}");
    }

    @Test
    void d5HasAStackInAGeneveOption() {
        assertConformant(
                "D5",
                "{" + OVERLAY_FLOW + "," + ETHERNET + ",'layers':['geneve','int','ethernet','ipv4','udp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'geneve','instructions':36864,'hopMl':2,"
                        + "'remainingHops':5," + V2_FLAGS + "," + NO_DOMAIN + ","
                        + "'hops':[{'nodeId':1,'queueId':0,'queueOccupancy':5},"
                        + "{'nodeId':2,'queueId':0,'queueOccupancy':42},"
                        + "{'nodeId':3,'queueId':0,'queueOccupancy':256}],'truncated':false}]}");
    }

    @Test
    void d6HasAStackBehindGre() {
        assertConformant(
                "D6",
                "{" + TCP_FLOW + ",'outerFlow':{'source':'192.168.1.1','destination':'192.168.2.2','protocol':47},"
                        + "'layers':['ipv4','gre','int','ipv4','tcp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'gre','instructions':36864,'hopMl':2,"
                        + "'remainingHops':6," + V2_FLAGS + "," + NO_DOMAIN + ","
                        + "'hops':[{'nodeId':1,'queueId':0,'queueOccupancy':5},"
                        + "{'nodeId':2,'queueId':0,'queueOccupancy':42}],'truncated':false}]}");
    }

    @Test
    void d7HasInstructionsAndWhatTheSourceInserted() {
        assertConformant("D7", "{" + MX_PACKET + "}");
    }

    @Test
    void d8NamesTheDeviceThatSentThePacket() {
        assertConformant(
                "D8",
                "{" + TCP_FLOW + "," + INT_UDP_OUTER + ",'layers':['ipv4','udp','int','tcp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'udp','instructions':32768,'hopMl':1,"
                        + "'remainingHops':5," + V2_FLAGS + ",'domainId':21587,'dsInstructions':32768,'dsFlags':16384,"
                        + "'hops':[{'nodeId':100},{'nodeId':257},{'nodeId':258}],"
                        + "'sourceDevice':'a6:1a:f6:b1:64:7d','truncated':false}]}");
    }

    @Test
    void d9HasTimestampsOf64Bits() {
        assertConformant(
                "D9",
                "{" + OVERLAY_FLOW + "," + ETHERNET + ",'layers':['vxlan-gpe','int','ethernet','ipv4','udp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'vxlan-gpe','instructions':52352,'hopMl':7,"
                        + "'remainingHops':7," + V2_FLAGS + "," + NO_DOMAIN + ","
                        + "'hops':[{'nodeId':9,'ingressInterface':1,'egressInterface':2,"
                        + "'ingressTimestamp':'1700000000000000000','egressTimestamp':'1700000000000000700',"
                        + "'bufferId':2,'bufferOccupancy':4096}],'truncated':false}]}");
    }

    @Test
    void d10IsAnnouncedByAProbeMarker() {
        assertConformant(
                "D10",
                "{" + TCP_FLOW + ",'layers':['ipv4','tcp','int'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'tcp','instructions':32768,'hopMl':1,"
                        + "'remainingHops':7," + V2_FLAGS + "," + NO_DOMAIN + ",'originalDscp':10,"
                        + "'hops':[{'nodeId':1}],'truncated':false}]}");
    }

    // ---- dialects

    @Test
    void t1IsATrackedFlowOfTransparentSecurity() {
        assertReports(
                "T1",
                DecodeOptions.lenient(),
                "{'report':{'version':'2.0','dialect':'transparent-security','nodeId':347,'hwId':0,'sequence':1,'index':0,"
                        + "'type':'int','inner':'ethernet','dropped':false,'congested':false,'tracked':false,"
                        + "'intermediate':false},'domain':{'id':21587,'bits':0,'status':0},"
                        + "'flow':{'source':'2001:db8:1::2','destination':'2001:db8:1::29','protocol':6,"
                        + "'sourcePort':6680,'destinationPort':5792},"
                        + "'outerFlow':{'source':'2001:db8:1::2','destination':'2001:db8:1::29','protocol':17,"
                        + "'sourcePort':6680,'destinationPort':555},"
                        + "'ethernet':{'source':'a6:1a:f6:b1:64:7d','destination':'00:00:00:00:05:02'},"
                        + "'layers':['ethernet','ipv6','udp','int','tcp'],"
                        + "'int':[{'version':'2.x','type':'md','encapsulation':'udp','instructions':32768,'hopMl':1,"
                        + "'remainingHops':8," + V2_FLAGS + ",'domainId':21587,'dsInstructions':32768,'dsFlags':16384,"
                        + "'hops':[{'nodeId':123},{'nodeId':234},{'nodeId':347}],"
                        + "'sourceDevice':'a6:1a:f6:b1:64:7d','truncated':false}],"
                        + "'warnings':['A-28','A-29','A-32','A-30','A-31']}");
    }

    @Test
    void strictDecodingFindsNoPacketInT1() {
        List<Map<String, Object>> objects = DecodedJson.reports(GoldenVectors.bytes("T1"), DecodedJson.strict());
        assertThat(DecodedJson.names(objects)).first().isEqualTo("PKT_IP_VERSION_MISMATCH");
        assertThat(objects.getFirst()).doesNotContainKeys("flow", "int", "layers");
    }

    @Test
    void t2IsADropReportOfTransparentSecurity() {
        assertReports(
                "T2",
                DecodeOptions.lenient(),
                "{'report':{'version':'2.0','dialect':'transparent-security','nodeId':123,'hwId':0,'sequence':0,'index':0,"
                        + "'type':'int','inner':'ds-extension','dropped':false,'congested':false,'tracked':false,"
                        + "'intermediate':false},'metadata':{'dropQueueId':0,'dropReason':15},"
                        + "'domain':{'id':21587,'bits':0,'status':0},"
                        + "'drop':{'timestamp':1700000000,'count':4242,'key':'0000000000000000fc2bc3f5d924da44'},"
                        + "'warnings':['A-33']}");
    }

    @Test
    void strictDecodingReadsT2AsAnOpaqueReportAndAnOverrun() {
        List<Map<String, Object>> objects = DecodedJson.reports(GoldenVectors.bytes("T2"), DecodedJson.strict());
        assertThat(objects).hasSize(2);
        assertThat(objects.getFirst())
                .isEqualTo(parse("{'report':{'version':'2.0','nodeId':123,'hwId':0,'sequence':0,'index':0,"
                        + "'type':'inner-only','inner':'ds-extension','dropped':false,'congested':false,'tracked':false,"
                        + "'intermediate':false},'extension':'000154530000000000"
                        + "0f00006553f100000010920000000000000000fc2bc3f5d924da44'}"));
        assertThat(objects.getLast())
                .containsEntry("error", "TR20_REPORT_LENGTH_OVERRUN")
                .containsEntry("offset", 48L);
    }

    @Test
    void o1HasFlagsAndVersionWhereOnosPutsThem() {
        assertReports(
                "O1",
                DecodeOptions.lenient(),
                "{'report':{'version':'1.0','dialect':'onos-basic','nodeId':1,'hwId':1,'sequence':0,'index':0,"
                        + "'inner':'ethernet','dropped':false,'congested':false,'tracked':true},"
                        + "'metadata':{'ingressTimestamp':'4096'},"
                        + UDP_FLOW + "," + ETHERNET + ",'layers':['ethernet','ipv4','udp','int'],"
                        + "'int':[{'version':'1.0','type':'md','encapsulation':'udp','instructions':36864,'hopMl':2,"
                        + "'remainingHops':7," + V1_FLAGS + ",'originalDscp':0,"
                        + "'hops':[{'nodeId':1,'queueId':0,'queueOccupancy':5}],'truncated':false}],"
                        + "'warnings':['A-47','A-48']}");
    }

    @Test
    void strictDecodingLooksForNoIntInO1BecauseTheFlowIsNotTracked() {
        assertReports(
                "O1",
                DecodedJson.strict(),
                "{'report':{'version':'1.0','nodeId':1,'hwId':1,'sequence':0,'index':0,"
                        + "'inner':'ethernet','dropped':false,'congested':false,'tracked':false},"
                        + "'metadata':{'ingressTimestamp':'4096'},"
                        + UDP_FLOW + "," + ETHERNET + ",'layers':['ethernet','ipv4','udp']}");
    }

    // ---- IOAM

    private static final String IOAM_FRAME =
            "'flow':{'source':'2001:db8::1','destination':'2001:db8::2','protocol':59}," + ETHERNET
                    + ",'layers':['ethernet','ipv6','hop-by-hop']";

    @Test
    void i1HasAPreAllocatedTraceWithTwoNodes() {
        assertConformant(
                "I1",
                "{'report':{'version':'2.0','nodeId':7,'hwId':0,'sequence':3,'index':0,'type':'inner-only','inner':'ipv6',"
                        + "'dropped':false,'congested':false,'tracked':true,'intermediate':false},"
                        + "'flow':{'source':'2001:db8:1::2','destination':'2001:db8:1::29','protocol':17,"
                        + "'sourcePort':1000,'destinationPort':2000},'layers':['ipv6','hop-by-hop','udp'],"
                        + "'ioam':[{'type':'preallocated-trace','namespace':123,'traceType':15728640,'nodeLen':4,"
                        + "'remainingLen':4,'overflow':false,'loopback':false,'active':false,"
                        + "'hops':[{'hopLimit':63,'nodeId':1,'ingressInterface':11,'egressInterface':12,"
                        + "'timestampSeconds':1699999999,'timestampFraction':400000},"
                        + "{'hopLimit':62,'nodeId':2,'ingressInterface':21,'egressInterface':22,"
                        + "'timestampSeconds':1700000000,'timestampFraction':500000}]}]}");
    }

    @Test
    void i2IsAnIncrementalTraceThatOverflowed() {
        assertConformant(
                "I2",
                "{" + IOAM_FRAME
                        + ",'ioam':[{'type':'incremental-trace','namespace':1,'traceType':11010048,'nodeLen':3,"
                        + "'remainingLen':10,'overflow':true,'loopback':false,'active':false,"
                        + "'hops':[{'hopLimit':60,'nodeId':5,'timestampSeconds':1700000001,'transitDelay':77}]}]}");
    }

    @Test
    void i3IsAnEdgeToEdgeOption() {
        assertConformant(
                "I3",
                "{" + IOAM_FRAME + ",'ioam':[{'type':'e2e','namespace':1,'sequence':99,"
                        + "'timestampSeconds':1700000002,'timestampFraction':123456789}]}");
    }

    @Test
    void i4IsADirectExportOption() {
        assertConformant(
                "I4",
                "{" + IOAM_FRAME + ",'ioam':[{'type':'dex','namespace':1,'flags':0,'extensionFlags':192,"
                        + "'traceType':15728640,'flowId':2748,'sequence':41}]}");
    }

    @Test
    void noExampleIsLeftOut() {
        assertThat(GoldenVectors.all()).hasSize(30);
    }

    // ---- how

    /** What follows its specification is the same to both modes. */
    private static void assertConformant(String name, String... expected) {
        assertReports(name, DecodedJson.strict(), expected);
        assertReports(name, DecodedJson.lenient(), expected);
    }

    private static void assertReports(String name, DecodeOptions options, String... expected) {
        List<String> decoded = decode(GoldenVectors.vector(name), options).stream()
                .map(Json::canonical)
                .toList();
        List<String> wanted = List.of(expected).stream()
                .map(GoldenDecodeTest::parse)
                .map(Json::canonical)
                .toList();
        assertThat(decoded)
                .as("%s %s", name, options.strict() ? "strict" : "lenient")
                .isEqualTo(wanted);
    }

    private static List<Map<String, Object>> decode(Vector vector, DecodeOptions options) {
        byte[] bytes = vector.bytes();
        return switch (vector.start()) {
            case REPORT -> DecodedJson.reports(bytes, options);
            case IPV4 -> List.of(DecodedJson.packet(bytes, Start.IPV4, options));
            case IPV6 -> List.of(DecodedJson.packet(bytes, Start.IPV6, options));
            case GENEVE -> List.of(DecodedJson.packet(bytes, Start.GENEVE, options));
            case VXLAN_GPE -> List.of(DecodedJson.packet(bytes, Start.VXLAN_GPE, options));
            case IOAM_INCREMENTAL_TRACE, IOAM_E2E, IPV6_OPTION ->
                List.of(DecodedJson.packet(vector.start().frame(bytes), Start.ETHERNET, options));
        };
    }

    private static Map<String, Object> parse(String text) {
        return Json.object(text.replace('\'', '"'));
    }
}
