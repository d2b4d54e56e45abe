package io.pathlore.ingest.udp;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
    private static boolean allows(AllowList list, String text) {
        InetAddress address = InetAddress.ofLiteral(text);
        return list.allows(address instanceof Inet6Address, Listen.high(address), Listen.low(address));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0,true",
        "10.255.255.255,true",
        "9.255.255.255,false",
        "11.0.0.0,false",
        "172.15.255.255,false",
        "172.16.0.0,true",
        "172.31.255.255,true",
        "172.32.0.0,false",
        "192.168.1.1,true",
        "192.169.0.0,false",
        "127.0.0.1,true",
        "169.254.7.7,true",
        "203.0.113.7,false",
        "0.0.0.0,false",
        "255.255.255.255,false",
        "::1,true",
        "::2,false",
        "fe80::1,true",
        "febf::1,true",
        "fec0::1,false",
        "fc00::1,true",
        "fdff::1,true",
        "2001:db8::1,false",
        "::,false"
    })
    void privateIsWhatTheRegistriesSay(String address, boolean allowed) {
        assertThat(allows(AllowList.of(List.of("private")), address)).isEqualTo(allowed);
    }

    @Test
    void anyIsAll() {
        AllowList any = AllowList.of(List.of("any"));
        assertThat(List.of("0.0.0.0", "255.255.255.255", "::", "ffff:ffff::ffff", "8.8.8.8"))
                .allMatch(address -> allows(any, address));
    }

    @Test
    void emptyIsNobody() {
        assertThat(allows(AllowList.of(List.of()), "127.0.0.1")).isFalse();
    }

    @Test
    void aSingleAddressIsItself() {
        AllowList list = AllowList.of(List.of("203.0.113.7", "2001:db8::7"));
        assertThat(allows(list, "203.0.113.7")).isTrue();
        assertThat(allows(list, "203.0.113.6")).isFalse();
        assertThat(allows(list, "2001:db8::7")).isTrue();
        assertThat(allows(list, "2001:db8::8")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0/8x", "", "10.0.0.0/-1", "privat"})
    void namesWhatItDoesNotUnderstand(String entry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowList.of(List.of(entry)))
                .withMessageStartingWith("listen.allow: '" + entry + "' ");
    }

    @Test
    void doesNotGuessWhatBitsBehindThePrefixMean() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowList.of(List.of("10.0.0.3/8")))
                .withMessage("listen.allow: '10.0.0.3/8' has bits set behind its prefix of 8");
    }

    @Test
    void agreesWithArithmetic() {
        forAll(random -> random.longs(60).toArray(), words -> {
            List<BigInteger[]> ranges = IntStream.range(0, 10)
                    .mapToObj(i -> {
                        int bits = (int) Math.floorMod(words[3 * i], 129L);
                        BigInteger all = whole(words[3 * i + 1] & 0xFFL << 56, words[3 * i + 2]);
                        BigInteger size = BigInteger.ONE.shiftLeft(128 - bits);
                        BigInteger from = all.divide(size).multiply(size);
                        return new BigInteger[] {from, from.add(size), BigInteger.valueOf(bits)};
                    })
                    .toList();
            AllowList list = AllowList.of(ranges.stream()
                    .map(range -> text(range[0]) + "/" + range[2])
                    .toList());
            for (int i = 0; i < 20; i++) {
                long hi = words[30 + i] & 0xFFL << 56;
                BigInteger address = whole(hi, words[59 - i]);
                boolean inside = ranges.stream()
                        .anyMatch(range -> address.compareTo(range[0]) >= 0 && address.compareTo(range[1]) < 0);
                assertThat(list.allows(true, hi, words[59 - i])).isEqualTo(inside);
            }
            for (BigInteger[] range : ranges) {
                for (BigInteger edge : List.of(range[0], range[1].subtract(BigInteger.ONE))) {
                    assertThat(list.allows(true, edge.shiftRight(64).longValue(), edge.longValue()))
                            .isTrue();
                }
            }
        });
    }

    private static BigInteger whole(long hi, long lo) {
        return new BigInteger(Long.toUnsignedString(hi)).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(lo)));
    }

    private static String text(BigInteger address) {
        return io.pathlore.model.IpText.of(true, address.shiftRight(64).longValue(), address.longValue());
    }
}
