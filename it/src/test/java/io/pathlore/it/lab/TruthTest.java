package io.pathlore.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Span;
import io.pathlore.model.EventKind;
import io.pathlore.wire.decode.ReportVersion;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the lab says happened, and when it says a collector could know, is what the reports it sent show. */
class TruthTest {
    private static final long SEED = 1;

    /** What a scenario is about; none of it may be hidden from the collector. */
    private static final Map<String, Set<EventKind>> PROMISED = Map.ofEntries(
            Map.entry(
                    "demo",
                    Set.of(
                            EventKind.LINK_DOWN,
                            EventKind.LINK_UP,
                            EventKind.PATH_CHANGE,
                            EventKind.CONGESTION,
                            EventKind.LATENCY,
                            EventKind.DROPS,
                            EventKind.REPORT_LOSS)),
            Map.entry("demo-access", Set.of(EventKind.ATTACK)),
            Map.entry("link-failure", Set.of(EventKind.LINK_DOWN, EventKind.LINK_UP, EventKind.PATH_CHANGE)),
            Map.entry("slow-hop", Set.of(EventKind.LATENCY)),
            Map.entry("microburst", Set.of(EventKind.CONGESTION)),
            Map.entry("incast", Set.of(EventKind.CONGESTION)),
            Map.entry("queue-buildup", Set.of(EventKind.CONGESTION, EventKind.DROPS)),
            Map.entry("acl-drops", Set.of(EventKind.DROPS)),
            Map.entry("ttl-loop", Set.of(EventKind.LOOP, EventKind.DROPS)),
            Map.entry("mtu", Set.of(EventKind.DROPS)),
            Map.entry("exporter-restart", Set.of(EventKind.EXPORTER_RESTART)),
            Map.entry("report-loss", Set.of(EventKind.REPORT_LOSS)),
            Map.entry("silent-exporter", Set.of(EventKind.EXPORTER_SILENT)),
            Map.entry("forged-reports", Set.of(EventKind.SPOOF_SUSPECTED)),
            Map.entry("ddos-udp-flood", Set.of(EventKind.ATTACK, EventKind.DROPS)),
            Map.entry("ddos-syn-flood", Set.of(EventKind.ATTACK)),
            Map.entry("carpet-bombing", Set.of(EventKind.ATTACK)));

    /** In these nothing goes wrong. */
    private static final Set<String> UNEVENTFUL = Set.of("quiet", "hidden-hop", "postcard", "flash-crowd");

    private static final Map<EventKind, Pattern> IDENTITIES = identities();

    private static Map<EventKind, Pattern> identities() {
        Map<EventKind, Pattern> patterns = new EnumMap<>(EventKind.class);
        String address = "[0-9a-f.:]+(/[0-9]+)?";
        patterns.put(EventKind.PATH_CHANGE, Pattern.compile("[0-9a-f]{16}\\|[0-9]+(,[0-9]+)*"));
        patterns.put(EventKind.LOOP, Pattern.compile("[0-9a-f]{16}"));
        patterns.put(EventKind.CONGESTION, Pattern.compile("[0-9]+\\|[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.LATENCY, Pattern.compile("[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.DROPS, Pattern.compile("[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.LINK_DOWN, Pattern.compile("[0-9]+/[0-9]+\\|[0-9]+/[0-9]+"));
        patterns.put(EventKind.LINK_UP, Pattern.compile("[0-9]+/[0-9]+\\|[0-9]+/[0-9]+"));
        patterns.put(EventKind.REPORT_LOSS, Pattern.compile("[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.EXPORTER_RESTART, Pattern.compile("[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.EXPORTER_SILENT, Pattern.compile("[0-9]+\\|[0-9]+"));
        patterns.put(EventKind.SPOOF_SUSPECTED, Pattern.compile("[0-9]+"));
        patterns.put(EventKind.ATTACK, Pattern.compile("[a-z-]+\\|" + address + ",[0-9]*,[0-9]*"));
        return patterns;
    }

    static Stream<Arguments> runs() {
        List<Arguments> runs = new ArrayList<>();
        for (String name : Shipped.names()) {
            boolean dialect = Shipped.load(name).telemetry().reporting().transparentSecurity();
            boolean once = dialect || name.equals("demo"); // which is long, and has what the others have
            for (Mode mode : once ? List.of(Mode.MD) : List.of(Mode.values())) {
                runs.add(Arguments.of(name, mode, ReportVersion.V2_0));
            }
        }
        for (String name : List.of(
                "link-failure",
                "slow-hop",
                "microburst",
                "acl-drops",
                "ttl-loop",
                "report-loss",
                "exporter-restart",
                "silent-exporter",
                "forged-reports")) {
            runs.add(Arguments.of(name, Mode.MD, ReportVersion.V1_0));
            runs.add(Arguments.of(name, Mode.MD, ReportVersion.V0_5));
        }
        for (String name : List.of("microburst", "ttl-loop", "acl-drops", "forged-reports")) {
            runs.add(Arguments.of(name, Mode.XD, ReportVersion.V1_0));
            runs.add(Arguments.of(name, Mode.XD, ReportVersion.V0_5));
            runs.add(Arguments.of(name, Mode.MX, ReportVersion.V1_0));
        }
        return runs.stream();
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("runs")
    void saysWhenTheReportsShowEachFact(String name, Mode mode, ReportVersion version) {
        Witness run = new Witness(Shipped.load(name, mode, version), SEED);
        agreesWithTheReports(run);
        isWellFormed(run);
        keepsItsPromise(name, run.facts());
    }

    static Stream<Arguments> worseRuns() {
        List<Arguments> runs = new ArrayList<>();
        for (String name : List.of(
                "flapping", "fat-tree", "ring", "exporters", "queues", "unwatched-queues", "attacks", "dialect")) {
            String file = name + ".yaml";
            runs.add(Arguments.of(file, Mode.MD, ReportVersion.V2_0));
            if (!name.equals("dialect")) {
                runs.add(Arguments.of(file, Mode.MD, ReportVersion.V1_0));
                runs.add(Arguments.of(file, Mode.MX, ReportVersion.V2_0));
                runs.add(Arguments.of(file, Mode.XD, ReportVersion.V2_0));
                runs.add(Arguments.of(file, Mode.XD, ReportVersion.V0_5));
            }
        }
        return runs.stream();
    }

    /** Networks in which everything goes wrong at once, which no shipped scenario would ask of a reader. */
    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("worseRuns")
    void saysSoInWorseNetworksToo(String file, Mode mode, ReportVersion version) {
        Witness run = new Witness(Shipped.load(file, mode, version), SEED);
        agreesWithTheReports(run);
        isWellFormed(run);
        assertThat(run.facts()).anyMatch(fact -> fact.span().isVisible());
    }

    private static void agreesWithTheReports(Witness run) {
        Visibility visibility = new Visibility(run);
        List<String> disagreements = new ArrayList<>();
        for (Fact fact : run.facts()) {
            long expected = visibility.of(fact);
            if (expected != fact.span().visibleAtNanos()) {
                disagreements.add("%s %s from %d: visible after %s, recorded after %s"
                        .formatted(
                                fact.kind().label(),
                                fact.identity(),
                                fact.span().startNanos() - Shipped.EPOCH,
                                after(fact, expected),
                                after(fact, fact.span().visibleAtNanos())));
            }
        }
        assertThat(disagreements).isEmpty();
    }

    private static String after(Fact fact, long nanos) {
        return nanos == Span.ABSENT ? "never" : (nanos - fact.span().startNanos()) + " ns";
    }

    private static void isWellFormed(Witness run) {
        Set<String> ids = new HashSet<>();
        for (Fact fact : run.facts()) {
            Span span = fact.span();
            assertThat(span.startNanos()).as("start of %s", fact).isBetween(Shipped.EPOCH, run.endNanos());
            if (span.hasEnded()) {
                assertThat(span.endNanos()).as("end of %s", fact).isBetween(span.startNanos(), run.endNanos());
            }
            if (span.isVisible()) {
                assertThat(span.visibleAtNanos())
                        .as("visibleAt of %s", fact)
                        .isBetween(span.startNanos(), run.endNanos());
            }
            assertThat(fact.identity()).matches(IDENTITIES.get(fact.kind()));
            assertThat(fact.id()).hasToString(Ids.event(fact.kind().label(), fact.identity(), span.startNanos()));
            assertThat(ids.add(fact.id().toString()))
                    .as("%s is there once", fact)
                    .isTrue();
        }
    }

    private static void keepsItsPromise(String name, List<Fact> facts) {
        if (UNEVENTFUL.contains(name)) {
            assertThat(facts).isEmpty();
            return;
        }
        Set<EventKind> shown = facts.stream()
                .filter(fact -> fact.span().isVisible())
                .map(Fact::kind)
                .collect(Collectors.toSet());
        assertThat(shown).containsAll(PROMISED.getOrDefault(name, Set.of()));
        if (name.equals("ttl-loop")) {
            assertThat(facts)
                    .anyMatch(fact -> fact instanceof Fact.Drops drops
                            && drops.reason() == 26
                            && drops.span().isVisible());
        }
        if (name.startsWith("ddos-")) {
            assertThat(facts)
                    .anyMatch(fact -> fact instanceof Fact.Attack attack
                            && name.toLowerCase(Locale.ROOT).endsWith(attack.vector()));
        }
    }
}
