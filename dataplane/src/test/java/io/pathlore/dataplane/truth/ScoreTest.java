package io.pathlore.dataplane.truth;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.model.EventKind;
import io.pathlore.model.FlowKey;
import io.pathlore.testkit.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScoreTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long TIMEOUT = 30 * SECOND;
    private static final long T = 1_794_765_600L * SECOND;

    private static Observed truth(EventKind kind, String identity, double start, double visibleAt) {
        return new Observed(
                kind, kind + identity + start, identity, new Span(at(start), Span.ABSENT, at(visibleAt)), Span.ABSENT);
    }

    private static Observed invisible(EventKind kind, String identity, double start) {
        Span span = new Span(at(start), at(start), Span.ABSENT);
        return new Observed(kind, kind + identity + start, identity, span, Span.ABSENT);
    }

    private static Observed detected(EventKind kind, String identity, double start, double detectedAt) {
        Span span = new Span(at(start), Span.ABSENT, Span.ABSENT);
        return new Observed(kind, "d" + kind + identity + start, identity, span, at(detectedAt));
    }

    private static long at(double seconds) {
        return T + Math.round(seconds * SECOND);
    }

    private static Score score(List<Observed> truth, List<Observed> events) {
        return Score.of(truth, events, TIMEOUT);
    }

    private static void assertCounts(Score score, int right, int falseOnes, int missed) {
        assertThat(score.pairs()).hasSize(right);
        assertThat(score.falseOnes()).hasSize(falseOnes);
        assertThat(score.missed()).hasSize(missed);
    }

    @Test
    void matchesAtBothEndsOfTheWindow() {
        List<Observed> truth = List.of(truth(EventKind.DROPS, "3|80", 1, 1.5));
        assertCounts(score(truth, List.of(detected(EventKind.DROPS, "3|80", 1, 3))), 1, 0, 0);
        assertCounts(score(truth, List.of(detected(EventKind.DROPS, "3|80", 2.5, 3))), 1, 0, 0);
    }

    @Test
    void rejectsWhatIsEarlyLateOrAnother() {
        List<Observed> truth = List.of(truth(EventKind.DROPS, "3|80", 1, 1.5));
        assertCounts(score(truth, List.of(detected(EventKind.DROPS, "3|80", 0.999999999, 3))), 0, 1, 1);
        assertCounts(score(truth, List.of(detected(EventKind.DROPS, "3|80", 2.500000001, 3))), 0, 1, 1);
        assertCounts(score(truth, List.of(detected(EventKind.DROPS, "3|81", 1.2, 3))), 0, 1, 1);
        assertCounts(score(truth, List.of(detected(EventKind.LATENCY, "3|80", 1.2, 3))), 0, 1, 1);
    }

    @Test
    void aSecondDetectionIsFalse() {
        Score score = score(
                List.of(truth(EventKind.DROPS, "3|80", 1, 1.5)),
                List.of(detected(EventKind.DROPS, "3|80", 1.2, 3), detected(EventKind.DROPS, "3|80", 1.3, 3)));
        assertCounts(score, 1, 1, 0);
        assertThat(score.precision()).isEqualTo(0.5);
        assertThat(score.recall()).isEqualTo(1.0);
        assertThat(score.falseOnes().getFirst().span().startNanos()).isEqualTo(at(1.3));
    }

    @Test
    void theLastLineOfAnIdCounts() {
        Observed first = detected(EventKind.DROPS, "3|80", 9, 9);
        Observed last = new Observed(
                first.kind(), first.id(), first.identity(), new Span(at(1.2), Span.ABSENT, Span.ABSENT), at(2));
        assertCounts(score(List.of(truth(EventKind.DROPS, "3|80", 1, 1.5)), List.of(first, last)), 1, 0, 0);
    }

    @Test
    void listsWhatNoReportCouldShow() {
        Score score = score(
                List.of(invisible(EventKind.LINK_DOWN, "1/2|2/1", 1), truth(EventKind.DROPS, "3|80", 1, 1.5)),
                List.of(detected(EventKind.LINK_DOWN, "1/2|2/1", 2, 3)));
        assertCounts(score, 0, 0, 1);
        assertThat(score.invisible()).hasSize(1);
        assertThat(score.unjudged()).hasSize(1);
        assertThat(score.kinds()).extracting(Score.KindScore::kind).containsExactly(EventKind.DROPS);
    }

    @Test
    void silenceHasTheTimeOutOnTop() {
        List<Observed> truth = List.of(truth(EventKind.EXPORTER_SILENT, "3|0", 1, 1));
        assertCounts(score(truth, List.of(detected(EventKind.EXPORTER_SILENT, "3|0", 32, 32))), 1, 0, 0);
        assertCounts(score(truth, List.of(detected(EventKind.EXPORTER_SILENT, "3|0", 32.1, 32.1))), 0, 1, 1);
    }

    @Test
    void findsAsManyPairsAsThereAre() {
        // To give the first detection to the fact that began last would leave the second one without any.
        List<Observed> truth = List.of(truth(EventKind.LATENCY, "3|1", 0, 1), truth(EventKind.LATENCY, "3|1", 4, 20));
        List<Observed> events =
                List.of(detected(EventKind.LATENCY, "3|1", 5, 6), detected(EventKind.LATENCY, "3|1", 15, 16));
        assertCounts(score(truth, events), 2, 0, 0);
    }

    @Test
    void tellsDelays() {
        List<Observed> truth = new ArrayList<>();
        List<Observed> events = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            truth.add(truth(EventKind.DROPS, "3|" + i, 1, 1.5));
            events.add(detected(EventKind.DROPS, "3|" + i, 1, 1.5 + i / 10.0));
        }
        Score score = score(truth, events);
        assertThat(score.kinds().getFirst().delay())
                .isEqualTo(new Score.Delay(1000 * MILLI, 1900 * MILLI, 2000 * MILLI));
    }

    @Test
    void aQuietRunIsPerfect() {
        Score score = score(List.of(), List.of());
        assertThat(score.precision()).isEqualTo(1.0);
        assertThat(score.recall()).isEqualTo(1.0);
        assertThat(score.delay()).isNull();
    }

    @Test
    void truthAgainstItselfIsPerfect() {
        forAll(200, ScoreTest::facts, facts -> {
            List<Observed> truth = facts.stream().map(Observed::of).toList();
            String file = new TruthWriter().write(new TruthWriter.Run("x", 1, "md", "2.0", T), facts);
            List<Observed> read = new ArrayList<>();
            file.lines().forEach(line -> Observed.of(Json.object(line)).ifPresent(read::add));
            assertThat(read).containsExactlyInAnyOrderElementsOf(truth);
            Score score = score(truth, read);
            assertThat(score.precision()).isEqualTo(1.0);
            assertThat(score.recall()).isEqualTo(1.0);
            assertThat(score.falseOnes()).isEmpty();
            assertThat(score.pairs().size() + score.unjudged().size())
                    .isEqualTo((int) truth.stream().map(Observed::id).distinct().count());
        });
    }

    private static List<Fact> facts(RandomGenerator random) {
        List<Fact> facts = new ArrayList<>();
        int count = random.nextInt(30);
        for (int i = 0; i < count; i++) {
            facts.add(fact(random));
        }
        return facts.stream().collect(Collectors.toMap(Fact::id, f -> f, (a, b) -> a)).values().stream()
                .sorted(TruthWriter.ORDER)
                .toList();
    }

    private static Fact fact(RandomGenerator random) {
        long start = T + random.nextLong(20 * SECOND);
        Span span = new Span(
                start,
                random.nextBoolean() ? Span.ABSENT : start + random.nextLong(SECOND),
                random.nextInt(3) == 0 ? Span.ABSENT : start + random.nextLong(SECOND));
        FlowKey flow = random.nextBoolean()
                ? FlowKey.ipv4(1, 2, 6, random.nextInt(2), 80)
                : new FlowKey(true, 1, 2, 3, 4, 58, -1, -1, 128, 0, -1);
        long node = random.nextInt(2);
        int number = random.nextInt(2);
        Fact.LinkEnd end = new Fact.LinkEnd(node, number);
        return switch (random.nextInt(12)) {
            case 0 -> new Fact.PathChange(span, flow, List.of(1L, 2L), List.of(1L, 3L + node));
            case 1 -> new Fact.Loop(span, flow, List.of(1L, 2L, 1L));
            case 2 -> new Fact.Congestion(span, node, number, 0, 5, 100, List.of(), List.of(flow));
            case 3 -> new Fact.Latency(span, node, number, 0, 1, 2);
            case 4 -> new Fact.Drops(span, node, number, null, List.of(flow), 3);
            case 5 -> new Fact.LinkDown(span, end, new Fact.LinkEnd(7, 7));
            case 6 -> new Fact.LinkUp(span, end, new Fact.LinkEnd(7, 7));
            case 7 -> new Fact.ReportLoss(span, node, number, 3);
            case 8 -> new Fact.ExporterRestart(span, node, number);
            case 9 -> new Fact.ExporterSilent(span, node, number);
            case 10 -> new Fact.SpoofSuspected(span, node, List.of("10.0.0.1"));
            default ->
                new Fact.Attack(
                        span,
                        "syn-flood",
                        new Fact.Victim(Fact.Prefix.ipv4(5, 32 - number), number == 0 ? -1 : 80, 6),
                        List.of(),
                        9);
        };
    }

    @Test
    void readsAnEventByExporterAddress() {
        Observed event = Observed.of(Map.of(
                        "kind", "exporter-silent", "start", "2026-11-15T18:00:00Z", "exporter", "10.0.0.3", "hwId", 1))
                .orElseThrow();
        assertThat(event.identity()).isEqualTo("10.0.0.3|1");
        assertThat(event.id()).hasSize(16);
    }

    @Test
    void skipsLinesThatAreNoEvents() {
        assertThat(Observed.of(Map.of("kind", "lab"))).isEmpty();
        assertThat(Observed.of(Map.of("kind", "packet"))).isEmpty();
        assertThat(Observed.of(Map.of("kind", "of tomorrow"))).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithAnEvent() {
        assertBad(Map.of(), "'kind': missing, expected a string");
        assertBad(Map.of("kind", "drops", "node", "x", "reason", 1), "'node': expected a number");
        assertBad(Map.of("kind", "drops", "node", 1, "reason", 1), "drops without 'start'");
        assertBad(
                Map.of("kind", "drops", "node", 1, "reason", 1, "start", "noon"), "'start': expected an RFC 3339 time");
        assertBad(
                Map.of("kind", "loop", "flow", Map.of("id", "xyz"), "start", "2026-11-15T18:00:00Z"),
                "'flow.id': 'xyz' is not 16 hex digits");
    }

    private static void assertBad(Map<String, ?> json, String message) {
        assertThatThrownBy(() -> Observed.of(json))
                .isInstanceOf(Observed.BadEvent.class)
                .hasMessage(message);
    }
}
