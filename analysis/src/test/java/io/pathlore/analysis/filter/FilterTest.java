package io.pathlore.analysis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be written, and what it is taken for: in one spelling, with names and units resolved. */
class FilterTest {
    private static Filter parse(String text) throws FilterException {
        return Filter.parse(text, Network.NAMES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "node = leaf-3 and hop.latency > 50us and dst in 10.2.0.0/16 and not drop.reason = acl_deny"
                        + " ; node = 3 and hop.latency > 50us and dst in 10.2.0.0/16 and drop.reason != 80",
                // connectives
                "dropped                              ; dropped",
                "not congested                        ; not congested",
                "!tracked                             ; not tracked",
                "not not dropped                      ; not not dropped",
                "dropped or congested and tracked     ; dropped or congested and tracked",
                "(dropped or congested) and tracked   ; (dropped or congested) and tracked",
                "dropped and (congested and tracked)  ; dropped and congested and tracked",
                "((dropped))                          ; dropped",
                "DROPPED AND Not Congested            ; dropped and not congested",
                "dropped && congested || tracked      ; dropped and congested or tracked",
                "not (dropped or congested)           ; not (dropped or congested)",
                "not dropped = true                   ; not dropped",
                // flags
                "dropped = true                       ; dropped",
                "dropped != yes                       ; not dropped",
                "dropped = FALSE                      ; not dropped",
                "dropped != 0                         ; dropped",
                // operators
                "vni=5                                ; vni = 5",
                "vni == 5                             ; vni = 5",
                "vni<>5                               ; vni != 5",
                "not vni = 5                          ; vni != 5",
                "vni<5 or vni>=7                      ; vni < 5 or vni >= 7",
                "not vni <= 5                         ; not vni <= 5",
                // lists and ranges
                "port in (80, 443)                    ; port in (80, 443)",
                "port in {80,443}                     ; port in (80, 443)",
                "port in [80]                         ; port = 80",
                "port in 80                           ; port = 80",
                "port not in (80, 443)                ; port not in (80, 443)",
                "port in 1..1023                      ; port in 1..1023",
                "port = 1 .. 1023                     ; port in 1..1023",
                "port in (22, 1024..2047)             ; port in (22, 1024..2047)",
                "port in (22..22)                     ; port = 22",
                "src in (10.0.0.0/8, 192.168.1.1, 1.1.1.1..1.1.1.9, 2001:db8::/32)"
                        + " ; src in (10.0.0.0/8, 192.168.1.1, 1.1.1.1..1.1.1.9, 2001:db8::/32)",
                // units
                "latency > 50                         ; latency > 50ns",
                "latency > 50ns                       ; latency > 50ns",
                "latency > 1.5ms                      ; latency > 1500us",
                "latency > 50 us                      ; latency > 50us",
                "latency > 50µs                       ; latency > 50us",
                "latency > 2S                         ; latency > 2s",
                "latency > 0                          ; latency > 0ns",
                "latency in 1ms..2ms                  ; latency in 1ms..2ms",
                "hop.occupancy > 64KB                 ; hop.occupancy > 64000",
                "hop.occupancy > 1.5mb                ; hop.occupancy > 1500000",
                "hop.occupancy > 1GB                  ; hop.occupancy > 1000000000",
                "hop.occupancy > 1KiB                 ; hop.occupancy > 1024",
                "hop.occupancy > 12                   ; hop.occupancy > 12",
                // numbers
                "vni = 0x17                           ; vni = 23",
                "node = 4294967294                    ; node = 4294967294",
                "version = 2                          ; version = 2.0",
                "version >= 0.5                       ; version >= 0.5",
                "version in 0.5..1.0                  ; version in 0.5..1.0",
                // words
                "proto = TCP                          ; proto = 6",
                "proto in (udp, icmpv6, 47)           ; proto in (17, 58, 47)",
                "severity >= Warning                  ; severity >= warning",
                "severity in (info, critical)         ; severity in (info, critical)",
                "kind = Path-Change                   ; kind = path-change",
                "dialect != geant                     ; dialect != geant",
                "error like TR20_*                    ; error like TR20_*",
                "error not like %TLV%                 ; error not like %TLV%",
                "flow = 63D04C9C1D4DF139              ; flow = 63d04c9c1d4df139",
                "flow like 63d*                       ; flow like 63d*",
                // names
                "node = LEAF-3                        ; node = 3",
                "node = core                          ; node in (201, 202)",
                "node != core                         ; node not in (201, 202)",
                "node in (core, spine-1)              ; node in (201, 202, 101)",
                "node = \"rack 7\"                    ; node = 7",
                "node = 'rack 7'                      ; node = 7",
                "node = 55                            ; node = 55",
                "node = \"55\"                        ; node = 5500",
                "node = \"56\"                        ; node = 56",
                "node like leaf-*                     ; node in (3, 4)",
                "hop.node not like \"LEAF%\"          ; hop.node not in (3, 4)",
                "drop.reason = \"ACL deny\"           ; drop.reason = 80",
                "drop.reason = Acl-Deny               ; drop.reason = 80",
                "drop.reason = full                   ; drop.reason in (71, 160)",
                "drop.reason like *ttl*               ; drop.reason = 26",
                // devices
                "device = 02:00:00:00:01:0A           ; device = 02:00:00:00:01:0a",
                "device = 02-00-00-00-01-0A           ; device = 02:00:00:00:01:0a",
                "device = 0200.0000.010A              ; device = 02:00:00:00:01:0a",
                "device = 3/17                        ; device = 3/17",
                "device = leaf-3/17                   ; device = 3/17",
                "device like 02:00:*                  ; device like 02:00:*",
                // paths
                "path = 1>2>3                         ; path = 1 > 2 > 3",
                "path = \"1>2>3\"                     ; path = 1 > 2 > 3",
                "path = leaf-3 > spine-1 > leaf-4     ; path = 3 > 101 > 4",
                "path != 1 > 2                        ; path != 1 > 2",
                "path in (1>2>3, 1>4>3)               ; path in (1 > 2 > 3, 1 > 4 > 3)",
                "path like 1>*>3                      ; path like 1 > * > 3",
                "path like leaf-3 > %                 ; path like 3 > *",
                "path = 3 and vni > 2                 ; path = 3 and vni > 2",
            })
    void isTakenFor(String text, String plain) throws FilterException {
        assertThat(parse(text)).hasToString(plain);
        assertThat(parse(plain)).isEqualTo(parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t\n"})
    void blankTextMatchesEverything(String text) throws FilterException {
        assertThat(parse(text)).isEqualTo(Filter.ALL);
        assertThat(parse(text).matches(Facts.none())).isTrue();
    }

    @Test
    void everyFieldCanBeAskedForInAnyCase() throws FilterException {
        for (Field field : Field.values()) {
            String value = switch (field.type()) {
                case NODE, NUMBER, TIME, SIZE, PROTOCOL, REASON, PATH -> "1";
                case VERSION, SEVERITY, WORD, FLAG -> field.words().getFirst();
                case ADDRESS -> "10.0.0.1";
                case FLOW -> "63d04c9c1d4df139";
                case DEVICE -> "1/1";
            };
            Filter filter = parse(field.text().toUpperCase(java.util.Locale.ROOT) + " = " + value);
            assertThat(filter.fields()).containsExactly(field);
        }
    }

    @Test
    void everyWordOfAFieldCanBeWrittenWithoutQuotes() throws FilterException {
        for (Field field : Field.values()) {
            for (String word : field.words()) {
                assertThat(parse(field.text() + " = " + word).fields()).containsExactly(field);
            }
        }
    }

    @Test
    void linesAndTabsAreBlanks() throws FilterException {
        assertThat(parse("dropped\n\tand\r\ncongested")).hasToString("dropped and congested");
    }
}
