package io.pathlore.analysis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What matches, what does not, and what nobody knows. */
class MatchingTest {
    private static boolean matches(String filter, Subject subject) throws FilterException {
        return Filter.parse(filter, Network.NAMES).matches(subject);
    }

    /** {@code dropped} is true, {@code congested} false, {@code tracked} unknown. */
    private static final Facts FLAGS =
            Facts.none().with(Field.DROPPED, 1).with(Field.CONGESTED, 0).with(Field.TRACKED, Subject.ABSENT);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dropped                  | TRUE",
                "congested                | FALSE",
                "tracked                  | UNKNOWN",
                "not dropped              | FALSE",
                "not congested            | TRUE",
                "not tracked              | UNKNOWN",
                "dropped and dropped      | TRUE",
                "dropped and congested    | FALSE",
                "dropped and tracked      | UNKNOWN",
                "tracked and dropped      | UNKNOWN",
                "congested and congested  | FALSE",
                "congested and tracked    | FALSE",
                "tracked and congested    | FALSE",
                "tracked and tracked      | UNKNOWN",
                "dropped or dropped       | TRUE",
                "dropped or congested     | TRUE",
                "dropped or tracked       | TRUE",
                "tracked or dropped       | TRUE",
                "congested or congested   | FALSE",
                "congested or tracked     | UNKNOWN",
                "tracked or congested     | UNKNOWN",
                "tracked or tracked       | UNKNOWN",
                "not (congested or tracked)       | UNKNOWN",
                "not (congested and tracked)      | TRUE",
                "tracked = false          | UNKNOWN",
                "tracked != true          | UNKNOWN",
            })
    void followsTheRulesOfSql(String text, Truth truth) throws FilterException {
        Filter filter = Filter.parse(text, Names.NONE);

        assertThat(Truth.of(filter.expression(), FLAGS)).isEqualTo(truth);
        assertThat(filter.matches(FLAGS)).isEqualTo(truth == Truth.TRUE);
    }

    @ParameterizedTest
    @CsvSource({
        "vni = 5",
        "vni != 5",
        "vni < 5",
        "vni > 5",
        "vni in (5)",
        "not vni = 5",
        "not vni > 5",
        "not vni in (5)"
    })
    void whatIsAbsentNeverMatches(String text) throws FilterException {
        assertThat(matches(text, Facts.none())).isFalse();
        assertThat(matches(text, Facts.none().with(Field.VNI, Subject.ABSENT))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vni = 5 | true",
                "vni != 5 | false",
                "vni < 5  | false",
                "vni <= 5 | true",
                "vni > 4 | true",
                "vni >= 6 | false",
                "vni in (4, 5) | true",
                "vni in (1..4, 6..9) | false",
                "vni in 5..5 | true",
                "vni in 1..5 | true",
                "vni in 5..9 | true",
                "vni not in (4, 6) | true",
                "vni = 0 | false"
            })
    void comparesNumbers(String text, boolean expected) throws FilterException {
        assertThat(matches(text, Facts.none().with(Field.VNI, 5))).isEqualTo(expected);
    }

    @Test
    void zeroIsAValue() throws FilterException {
        assertThat(matches("vni = 0", Facts.none().with(Field.VNI, 0))).isTrue();
        assertThat(matches("vni < 1", Facts.none().with(Field.VNI, 0))).isTrue();
    }

    // Several values
    // --------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hop.latency > 50us     | true", // the second
                "hop.latency > 90us     | false",
                "not hop.latency > 50us | false",
                "not hop.latency > 90us | true", // the third hop does not say, the others do
                "hop.latency != 60us    | false", // one is
                "hop.latency != 61us    | true",
                "hop.latency < 20us and hop.latency > 50us | true", // one hop and another
                "hop.queue = 1          | false",
                "not hop.queue = 1      | false", // no hop says
            })
    void anyHopWillDo(String text, boolean expected) throws FilterException {
        Facts facts = Facts.none()
                .with(Field.HOP_LATENCY, 10_000, 60_000, Subject.ABSENT)
                .with(Field.HOP_QUEUE, Subject.ABSENT, Subject.ABSENT, Subject.ABSENT);

        assertThat(matches(text, facts)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port = 80 | true",
                "port = 5000 | true",
                "port = 81 | false",
                "port != 80 | false",
                "port != 81 | true",
                "ip = 10.0.0.1 | true",
                "ip in 192.168.0.0/16 | true",
                "ip = 10.0.0.2 | false",
                "ip != 10.0.0.2 | true",
                "ip != 10.0.0.1 | false",
                "src = 192.168.0.9 | false",
                "dst = 192.168.0.9 | true"
            })
    void eitherEndWillDo(String text, boolean expected) throws FilterException {
        Facts facts = Facts.none()
                .with(Field.SRC, "10.0.0.1")
                .with(Field.DST, "192.168.0.9")
                .with(Field.SPORT, 5000)
                .with(Field.DPORT, 80);

        assertThat(matches(text, facts)).isEqualTo(expected);
    }

    // Addresses
    // --------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.2.255.255    | 10.2.0.0/16          | true",
                "10.3.0.0        | 10.2.0.0/16          | false",
                "10.1.255.255    | 10.2.0.0/16          | false",
                "10.2.3.4        | 10.2.99.99/16        | true", // bits behind the prefix do not count
                "10.0.0.1        | 10.0.0.1/32          | true",
                "10.0.0.2        | 10.0.0.1/32          | false",
                "10.0.0.0        | 10.0.0.1/31          | true",
                "0.0.0.0         | 0.0.0.0/0            | true",
                "255.255.255.255 | 0.0.0.0/0            | true",
                "255.255.255.255 | 128.0.0.0/1          | true",
                "127.255.255.255 | 128.0.0.0/1          | false",
                "::              | ::/0                 | true",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | ::/0 | true",
                "8000::          | 8000::/1             | true",
                "7fff::          | 8000::/1             | false",
                "2001:db8::1     | 2001:db8::/32        | true",
                "2001:db9::      | 2001:db8::/32        | false",
                "2001:db8::1     | 2001:db8::1/128      | true",
                "2001:db8::2     | 2001:db8::1/128      | false",
                "2001:db8:0:0:ffff::1 | 2001:db8::/64   | true",
                "2001:db8:0:1::1 | 2001:db8::/64        | false",
                "2001:db8::8000:0:0:0 | 2001:db8::/65   | false",
                "2001:db8::7fff:0:0:0 | 2001:db8::/65   | true",
                // the families do not mix
                "::1             | 0.0.0.0/0            | false",
                "10.0.0.1        | ::/0                 | false",
                "::a00:1         | 10.0.0.1             | false",
                "::fffe:ffff:ffff | ::/0                | true",
                "::1:0:0:0       | ::/0                 | true",
                // a mapped address is the IPv4 address
                "10.0.0.1        | ::ffff:10.0.0.1      | true",
                "::ffff:10.0.0.1 | 10.0.0.0/8           | true",
                "::ffff:a00:1    | ::/0                 | false",
                "10.0.0.1        | ::ffff:0:0/96        | true",
                "10.0.0.1        | ::ffff:10.0.0.0/104  | true",
                "11.0.0.1        | ::ffff:10.0.0.0/104  | false",
                "10.0.0.5        | 10.0.0.5..10.0.0.9   | true",
                "10.0.0.9        | 10.0.0.5..10.0.0.9   | true",
                "10.0.0.10       | 10.0.0.5..10.0.0.9   | false",
                "1::ffff:ffff:ffff:ffff | 1::..1:0:0:1:: | true",
                "1:0:0:1::1      | 1::..1:0:0:1::       | false",
            })
    void findsAddresses(String address, String wanted, boolean expected) throws FilterException {
        Facts facts = Facts.none().with(Field.SRC, address);

        assertThat(matches("src in " + wanted, facts)).isEqualTo(expected);
        assertThat(matches("src in (9.9.9.9, " + wanted + ")", facts)).isEqualTo(expected);
        assertThat(matches("src not in " + wanted, facts)).isNotEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1.2.3.1000", "1.2.3.256", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1",
        "1.2.3.4/1/2", ":", ":::", "1:", ":1", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
        "12345::", "g::", "::1/129", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "1.2.3.4::", "٣::", "1.2.3.٤"
    })
    void refusesWhatIsNoAddress(String text) {
        assertThat(AddressReader.read(text)).isNull();
    }

    @Test
    void readsEveryFormOfAnAddress() {
        Value.Addresses plain = AddressReader.read("2001:db8:0:0:0:0:a00:1");
        assertThat(AddressReader.read("2001:0DB8::0A00:0001")).isEqualTo(plain);
        assertThat(AddressReader.read("2001:db8::10.0.0.1")).isEqualTo(plain);
        assertThat(AddressReader.read("1:2:3:4:5:6:7::")).isEqualTo(AddressReader.read("1:2:3:4:5:6:7:0"));
        assertThat(AddressReader.read("::2:3:4:5:6:7:8")).isEqualTo(AddressReader.read("0:2:3:4:5:6:7:8"));
    }

    // Words
    // --------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error like TR20_*               | true",
                "error like tr20_*               | true",
                "error like *MISMATCH            | true",
                "error like %MD%LENGTH%          | true",
                "error like TR20_MD_LENGTH_MISMATCH | true",
                "error like TR20                 | false",
                "error like *                    | true",
                "error like TR20XMD*             | false", // an underscore is itself
                "error like *MD*MD*              | false",
                "error not like TR10*            | true",
                "error = tr20_md_length_mismatch | true",
                "error != TR20_MD_LENGTH_MISMATCH | false",
                "error in (TR_EMPTY, TR20_MD_LENGTH_MISMATCH) | true",
                "kind like *                     | false", // it has none
            })
    void comparesWords(String text, boolean expected) throws FilterException {
        assertThat(matches(text, Facts.none().with(Field.ERROR, "TR20_MD_LENGTH_MISMATCH")))
                .isEqualTo(expected);
    }

    @Test
    void severitiesHaveAnOrder() throws FilterException {
        Facts warning = Facts.none().with(Field.SEVERITY, Severity.WARNING.ordinal());

        assertThat(matches("severity >= warning", warning)).isTrue();
        assertThat(matches("severity > warning", warning)).isFalse();
        assertThat(matches("severity = warning", warning)).isTrue();
        assertThat(matches("severity in info..warning", warning)).isTrue();
        assertThat(matches("severity < warning", warning)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path = 1>2>3       | true",
                "path = 1>2         | false",
                "path = 1>2>3>4     | false",
                "path != 1>2        | true",
                "path in (1>2, 1>2>3) | true",
                "path like 1>*      | true",
                "path like 1>*>3    | true",
                "path like 1>2>*>3  | true", // also no hop at all
                "path like *>2>*    | true",
                "path like *>3      | true",
                "path like *        | true",
                "path like 2>*      | false",
                "path like *>2      | false",
                "path like *>1>*>2>*>3>* | true",
                "path like 1>3      | false",
                "path like 1>*>23   | false",
            })
    void comparesPaths(String text, boolean expected) throws FilterException {
        assertThat(matches(text, Facts.none().with(Field.PATH, 1, 2, 3))).isEqualTo(expected);
        assertThat(matches(text, Facts.none())).isFalse();
    }

    @Test
    void aHopThatIsNotKnownIsNoNode() throws FilterException {
        Facts facts = Facts.none().with(Field.PATH, 1, Subject.ABSENT, 3);

        assertThat(matches("path = 1>2>3", facts)).isFalse();
        assertThat(matches("path like 1>*>3", facts)).isTrue();
        assertThat(matches("path != 1>2>3", facts)).isTrue();
    }
}
