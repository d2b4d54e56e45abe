package io.pathlore.analysis.ddos;

import static io.pathlore.analysis.ddos.Traffic.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.ddos.Traffic.Watched;
import io.pathlore.analysis.event.Event;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Whoever has which networks: what is found is the same. */
class SharedAttacksTest {
    private static final long MAC = 0x0200_0000_0000L;

    /** Others than that of {@link Traffic#VICTIM} and of sources. */
    private static final long OTHER = 0xCB00_7107L;

    private static final long THIRD = 0xC0A8_0909L;

    /** What was told of each, one after the other. */
    private static Map<String, List<Event>> told(int parts, Rules rules, Traffic... all) {
        Watched host = new Watched(rules, node -> 1, parts);
        host.see(all);
        host.end();
        Map<String, List<Event>> byId = new TreeMap<>();
        host.events.forEach(event -> byId.computeIfAbsent(event.id().toString(), each -> new ArrayList<>())
                .add(event));
        host.seconds.sort(Comparator.comparing(one -> one.attack() + " " + one.startNanos()));
        assertThat(host.seconds).doesNotHaveDuplicates();
        return byId;
    }

    private static Map<String, List<Event>> sameInParts(Rules rules, Supplier<Traffic[]> all) {
        Map<String, List<Event>> whole = told(1, rules, all.get());
        assertThat(whole).isNotEmpty();
        for (int parts : new int[] {2, 3, 7, 32}) {
            assertThat(told(parts, rules, all.get())).as("%d parts", parts).isEqualTo(whole);
        }
        return whole;
    }

    private static Traffic towards(long destination, Traffic traffic) {
        traffic.destination = destination;
        return traffic;
    }

    private static Traffic asPostcards(Traffic traffic) {
        traffic.postcards = true;
        traffic.way = new long[] {4, 5, 6};
        return traffic;
    }

    @Test
    void floodsOfSeveralNetworksAndWhatTheirVictimsAnswer() {
        Map<String, List<Event>> found = sameInParts(Rules.usual(1).withHold(2 * SECOND), () -> {
            Traffic flood = Traffic.udp(2_000).by(MAC + 1).at(SECOND, 4 * SECOND);
            Traffic stream = towards(OTHER, Traffic.udp(3_000).by(MAC + 2).at(0, 6 * SECOND));
            Traffic syns = towards(THIRD, Traffic.tcp(1_200, ReportRow.SYN).by(MAC + 3));
            Traffic pings = towards(OTHER + 9, Traffic.icmp(900).by(MAC + 4));
            Traffic asked = towards(THIRD + 9, Traffic.udp(1_500).by(MAC + 5));
            asked.sourcePort = 53;
            return new Traffic[] {flood, stream, stream.answered(1_000), syns, pings, asked};
        });
        assertThat(found.values())
                .extracting(of -> of.getFirst().identity())
                .containsExactlyInAnyOrder(
                        "udp-flood|198.51.100.1,80,17",
                        "syn-flood|192.168.9.9,443,6",
                        "icmp-flood|203.0.113.16,,1",
                        "reflection|192.168.9.18,80,17");
    }

    @Test
    void morePacketsThanAreLookedAt() {
        sameInParts(Rules.usual(1), () -> new Traffic[] {
            Traffic.udp(50_000).by(MAC + 1).at(0, 2 * SECOND),
            Traffic.udp(20_000).by(MAC + 2).at(0, 2 * SECOND),
            towards(OTHER, Traffic.udp(40_000).by(MAC + 3)).at(0, 2 * SECOND)
        });
    }

    @Test
    void aWholeNetwork() {
        Map<String, List<Event>> found = sameInParts(Rules.usual(1), () -> {
            Traffic wide = Traffic.udp(3_000).by(MAC + 1).at(SECOND, 4 * SECOND);
            wide.everyAddress = 8;
            wide.everyPort = true;
            Traffic sixth =
                    Traffic.udp(3_000).by(MAC + 2).at(SECOND, 4 * SECOND).sixth();
            sixth.everyAddress = 8;
            sixth.everyPort = true;
            return new Traffic[] {wide, sixth, towards(OTHER, Traffic.udp(1_500))};
        });
        assertThat(found.values())
                .extracting(of -> of.getFirst().identity())
                .contains("carpet-bombing|198.51.100.0/24,,17");
    }

    @Test
    void scannersOfOnePortInSeveralNetworks() {
        Map<String, List<Event>> found = sameInParts(Rules.usual(1).withHold(5 * SECOND), () -> {
            Traffic[] all = new Traffic[8];
            for (int i = 0; i < all.length; i++) {
                Traffic scan = Traffic.tcp(20, ReportRow.SYN).by(MAC + i).at(SECOND, 10 * SECOND);
                scan.source = 0x0A00_0001L + ((long) i << 18);
                scan.everyAddress = 6;
                scan.destinationPort = i < 6 ? 23 : 8_000 + i;
                all[i] = scan;
            }
            all[7].source = all[6].source; // two ports, one device
            return all;
        });
        assertThat(found.values())
                .extracting(of -> of.getFirst().identity())
                .containsExactlyInAnyOrder("scan|198.51.100.0/26,23,6", "scan|198.51.100.0/26,,6");
        assertThat(found.values())
                .anySatisfy(
                        of -> assertThat(((Event.Details.Attack) of.getLast().details()).sources())
                                .hasSize(6));
    }

    @Test
    void packetsOfWhichEveryNodeTells() {
        sameInParts(Rules.usual(1), () -> {
            Traffic flood = asPostcards(Traffic.udp(2_000).at(0, 4 * SECOND));
            Traffic other = asPostcards(towards(OTHER, Traffic.udp(2_500).at(SECOND, 4 * SECOND)));
            other.source = 0x0A77_0001L;
            return new Traffic[] {flood, other, asPostcards(flood.answered(5))};
        });
    }

    @Test
    void packetsOfWhichEveryNodeTellsAndNoneSaysWhereTheyCameIn() {
        Map<String, List<Event>> found = sameInParts(Rules.usual(1), () -> {
            Traffic flood = asPostcards(Traffic.udp(2_000).at(0, 4 * SECOND));
            flood.ingress = ReportRow.ABSENT;
            flood.innerIngress = false;
            Traffic little = asPostcards(towards(OTHER, Traffic.udp(450).at(0, 4 * SECOND)));
            little.ingress = ReportRow.ABSENT;
            little.innerIngress = false;
            return new Traffic[] {flood, little};
        });
        assertThat(found).hasSize(1);
    }
}
