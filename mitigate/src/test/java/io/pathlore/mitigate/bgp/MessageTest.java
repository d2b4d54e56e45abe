package io.pathlore.mitigate.bgp;

import static io.pathlore.mitigate.enforcer.Rules.flow;
import static io.pathlore.mitigate.enforcer.Rules.v4;
import static io.pathlore.mitigate.enforcer.Rules.v6;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.mitigate.enforcer.Rules;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Octets made by hand from the figures of the RFCs. */
class MessageTest {
    private static final String MARKER = "ff".repeat(16);
    private static final Rule DNS = flow(null, v4(192, 0, 2, 0, 24), 17, 53, 0);

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String nlri(Rule rule) {
        return hex(FlowRoute.of(rule).nlri());
    }

    /** As in the examples of RFC 8955 §4.2.3 and RFC 8956 §3.8, with a destination port and without an offset. */
    @Test
    void encodesFlowSpecifications() {
        assertThat(nlri(flow(null, v4(192, 0, 2, 0, 24), 6, 25, 0)))
                .isEqualTo("0b" + "0118c00002" + "038106" + "058119");
        assertThat(nlri(flow(v4(203, 0, 113, 7, 32), v4(192, 0, 2, 0, 24), 17, 8080, 0)))
                .isEqualTo("12" + "0118c00002" + "0220cb007107" + "038111" + "05911f90");
        assertThat(nlri(flow(v4(10, 128, 0, 0, 9), null, RuleMatch.ANY, RuleMatch.ANY, 0)))
                .isEqualTo("04" + "02090a80");
        assertThat(nlri(flow(null, v6(0x20010db800000000L, 0, 32), 6, RuleMatch.ANY, 0)))
                .isEqualTo("0a" + "01200020010db8" + "038106");
        assertThat(nlri(flow(
                        v6(0x20010db800010002L, 0x0003000400050006L, 128),
                        v6(0x20010db8ffff0000L, 0, 48),
                        RuleMatch.ANY,
                        65_535,
                        0)))
                .isEqualTo("20" + "01300020010db8ffff" + "02800020010db8000100020003000400050006" + "0591ffff");
    }

    @Test
    void announcesToAnotherSystem() {
        assertThat(hex(Message.announce(FlowRoute.of(DNS), 65_001, false, true)))
                .isEqualTo(MARKER + "004302" + "0000" + "002c"
                        + "40010100"
                        + "400206" + "02010000fde9"
                        + "800e11" + "0001850000" + "0b0118c00002038111058135"
                        + "c01008" + "8006fde900000000");
    }

    /** 9600 octets a second are 0x46160000 as a float. */
    @Test
    void announcesALimitInsideOneSystem() {
        Rule limited = flow(null, v6(0x20010db800000000L, 0, 32), RuleMatch.ANY, RuleMatch.ANY, 9600);
        assertThat(hex(Message.announce(FlowRoute.of(limited), 4_200_000_001L, true, true)))
                .isEqualTo(MARKER + "004002" + "0000" + "0029"
                        + "40010100"
                        + "400200"
                        + "40050400000064"
                        + "800e0d" + "0002850000" + "0701200020010db8"
                        + "c01008" + "8006ea0146160000");
    }

    /** 4200000001 is 0xfa56ea01; 23456 stands in for it [RFC 6793]. */
    @Test
    void speaksToThoseWhoKnowShortNumbersOnly() {
        assertThat(hex(Message.announce(FlowRoute.of(DNS), 4_200_000_001L, false, false)))
                .contains("400204" + "02015ba0")
                .endsWith("c01106" + "0201fa56ea01");
        assertThat(hex(Message.announce(FlowRoute.of(DNS), 65_001, false, false)))
                .contains("400204" + "0201fde9")
                .endsWith("c01008" + "8006fde900000000");
    }

    @Test
    void withdraws() {
        assertThat(hex(Message.withdraw(FlowRoute.of(DNS))))
                .isEqualTo(MARKER + "002902" + "0000" + "0012" + "800f0f" + "000185" + "0b0118c00002038111058135");
    }

    @Test
    void opensWithBothFamiliesAndLongNumbers() {
        assertThat(hex(Message.open(4_200_000_001L, 90, 0x0a000001)))
                .isEqualTo(MARKER + "003101" + "04" + "5ba0" + "005a" + "0a000001" + "14" + "0212" + "010400010085"
                        + "010400020085" + "4104fa56ea01");
        assertThat(hex(Message.keepalive())).isEqualTo(MARKER + "001304");
        assertThat(hex(Message.notification(6, 2))).isEqualTo(MARKER + "001503" + "0602");
    }

    @Test
    void understandsItsOwnOpening() throws Exception {
        byte[] open = Message.open(4_200_000_001L, 90, 0x0a000001);
        PeerOpen read = PeerOpen.decode(Arrays.copyOfRange(open, Message.HEADER, open.length));
        assertThat(read)
                .isEqualTo(new PeerOpen(4_200_000_001L, 90, 0x0a000001, true, Set.of(Family.IPV4, Family.IPV6)));
    }

    /** Two parameters, one unknown, with lengths of two octets [RFC 9072]. */
    @Test
    void understandsLongParameters() throws Exception {
        PeerOpen read = PeerOpen.decode(bytes("04 fde9 005a 0a000001 ff ff 000e 02 0006 010400010085 63 0002 abcd"));
        assertThat(read).isEqualTo(new PeerOpen(65_001, 90, 0x0a000001, false, Set.of(Family.IPV4)));
    }

    @Test
    void refusesAnOpeningThatMakesNoSense() {
        assertBad("04fde9005a0a0000", "an OPEN of 8 octets");
        assertBad("03fde9005a0a00000100", "BGP version 3");
        assertBad("04fde900020a00000100", "a hold time of 2 s");
        assertBad("04fde9005a0000000000", "an identifier of 0");
        assertBad("04fde9005a0a00000105", "optional parameters of 5 octets in 0");
        assertBad("04fde9005a0a0000010402050000", "a parameter of 5 octets in 2");
        assertBad("04fde9005a0a0000010102", "a parameter cut short");
        assertBad("04fde9005a0a0000010402020109", "a capability of 9 octets in 0");
        assertBad("04fde9005a0a00000103020101", "a capability cut short");
    }

    private static void assertBad(String hex, String what) {
        assertThatThrownBy(() -> PeerOpen.decode(bytes(hex)))
                .isInstanceOf(BgpException.class)
                .hasMessage("the peer sent " + what);
    }

    @Test
    void neverTripsOverAnOpening() {
        byte[] open = Message.open(65_001, 90, 1);
        forAll(20_000, random -> mutated(random, Arrays.copyOfRange(open, Message.HEADER, open.length)), body -> {
            try {
                PeerOpen.decode(body);
            } catch (BgpException e) {
                assertThat(e.code()).isEqualTo(2);
            }
        });
    }

    private static byte[] mutated(RandomGenerator random, byte[] from) {
        byte[] bytes = Arrays.copyOf(from, random.nextInt(from.length + 8));
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Test
    void cutsAStreamIntoMessages() throws Exception {
        byte[] stream = bytes(MARKER + "001304" + MARKER + "001503" + "0602");
        MessageReader reader = new MessageReader(new ByteArrayInputStream(stream));
        MessageReader.Received first = reader.next();
        MessageReader.Received second = reader.next();
        assertThat(first).isNotNull().extracting(MessageReader.Received::type).isEqualTo(Message.KEEPALIVE);
        assertThat(second).isNotNull().extracting(MessageReader.Received::body).isEqualTo(bytes("0602"));
        assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
    }

    @Test
    void believesNoLengthThatCannotBe() {
        for (String header : new String[] {"001204", "001404", "100102", "ffff02", "001601", "001402", "001403"}) {
            assertThatThrownBy(() -> new MessageReader(new ByteArrayInputStream(bytes(MARKER + header))).next())
                    .isInstanceOf(BgpException.class)
                    .hasMessageContaining("and length");
        }
        assertThatThrownBy(() -> new MessageReader(new ByteArrayInputStream(bytes(MARKER + "001309"))).next())
                .hasMessage("the peer sent a message of type 9");
        assertThatThrownBy(() ->
                        new MessageReader(new ByteArrayInputStream(bytes("47455420" + "00".repeat(15)))).next())
                .hasMessage("the peer sent something that is not BGP");
    }

    @Test
    void neverTripsOverAStream() {
        byte[] open = Message.open(65_001, 90, 1);
        forAll(20_000, random -> mutated(random, open), stream -> {
            MessageReader reader = new MessageReader(new ByteArrayInputStream(stream));
            try {
                while (reader.next() != null) {
                    // Go on.
                }
            } catch (BgpException | IOException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    @Test
    void saysWhatItCannotSay() {
        assertThat(FlowRoute.cannot(Rules.device(0x101, 53))).contains("no MAC address");
        assertThat(FlowRoute.cannot(flow(null, null, 17, 53, 0))).contains("needs a source or destination");
        assertThat(FlowRoute.cannot(flow(v4(10, 0, 0, 1, 32), v6(1, 1, 128), 17, 53, 0)))
                .contains("one family");
        assertThat(FlowRoute.cannot(flow(null, v4(10, 0, 0, 1, 32), 256, 53, 0)))
                .contains("out of range");
        assertThat(FlowRoute.cannot(flow(null, v4(10, 0, 0, 1, 32), 17, 70_000, 0)))
                .contains("out of range");
        assertThat(FlowRoute.cannot(flow(null, v4(10, 0, 0, 1, 32), 17, 53, -1)))
                .contains("below 0");
        assertThat(FlowRoute.cannot(DNS)).isNull();
    }
}
