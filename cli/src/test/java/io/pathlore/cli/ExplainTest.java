package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.ServedCollector;
import io.pathlore.model.FlowKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {
    private static final FlowKey FLOW = new FlowKey(
            false, 0, 0x0A00_0101, 0, 0x0A00_0202, 6, 45_678, 80, FlowKey.ABSENT, FlowKey.ABSENT, FlowKey.ABSENT);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void aloneItListsWhatCanBeExplained() {
        Ended ended = Program.run("explain");
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).contains("drop-reason  ", "field  ", "event  ");
    }

    @Test
    void aReasonIsExplainedByNumberAndByName() {
        Ended byNumber = Program.run("explain", "drop-reason", "80");
        assertThat(byNumber.out())
                .startsWith("drop reason 80: ACL deny (fabric-tna)\n")
                .contains("access list", "Look at next:\n- ");
        assertThat(Program.run("explain", "drop-reason", "acl-deny")).isEqualTo(byNumber);
        assertThat(Program.run("explain", "drop-reason", "15").out()).contains("(transparent-security)");
        assertThat(Program.run("explain", "drop-reason", "15", "--table", "fabric-tna")
                        .out())
                .startsWith("drop reason 15: no name in fabric-tna\n");
        assertThat(Program.run("explain", "drop-reason").lines()).hasSizeGreaterThan(20);
    }

    @Test
    void aNodeMayMeanSomethingElse() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                inventory:
                  - { node: 3, name: leaf-3, drop-reasons: { 80: egress queue full } }
                """);
        Ended ended =
                new Program().in(directory).with("explain", "drop-reason", "80", "--node", "leaf-3", "-o", "json");
        JsonNode json = new JsonMapper().readTree(ended.out()).path(0);
        assertThat(json.path("name").asText()).isEqualTo("egress queue full");
        assertThat(json.path("cause").asText()).isEqualTo("queue");
        assertThat(new Program()
                        .in(directory)
                        .with("explain", "drop-reason", "80", "--node", "4")
                        .status())
                .isEqualTo(1);
    }

    @Test
    void whatThereIsNotIsOneLine() {
        assertThat(Program.run("explain", "drop-reason", "acl_denny").err())
                .isEqualTo("pathlore: there is no drop reason 'acl_denny'; did you mean 'acl_deny'?\n");
        assertThat(Program.run("explain", "drop-reason", "256").status()).isEqualTo(2);
        assertThat(Program.run("explain", "drop-reason", "1", "--table", "nobody")
                        .status())
                .isEqualTo(2);
        assertThat(Program.run("explain", "field", "hopLatncy").err())
                .isEqualTo("pathlore: reports have no 'hopLatncy'; did you mean 'hopLatency'?\n");
        assertThat(Program.run("explain", "event", "xyz").status()).isEqualTo(2);
        assertThat(Program.run("explain", "event", "0123456789abcdef", "--server", "http://127.0.0.1:1")
                        .status())
                .isEqualTo(5);
    }

    @Test
    void aFieldIsExplained() throws Exception {
        assertThat(Program.run("explain", "field", "hopLatency").out())
                .startsWith("metadata.hopLatency, int.hops.hopLatency\n  Time the packet spent in the node")
                .contains("\n  unit     ", "\n  clause   TR 2.0 §3.3.1", "\n  absent   ");
        JsonNode json = new JsonMapper()
                .readTree(Program.run("explain", "field", "report.sequence", "-o", "json")
                        .out());
        assertThat(json.path(0).path("paths").path(0).asText()).isEqualTo("report.sequence");
        assertThat(Program.run("explain", "field").lines()).hasSizeGreaterThan(100);
    }

    @Test
    void everyKindOfEventIsExplainedFromWhatIsInIt() throws Exception {
        Reporter reporter = new Reporter(3, null);
        List<Details> all = List.of(
                new Details.PathChange(FLOW, List.of(1L, 5L, 3L), List.of(1L, 6L, 3L)),
                new Details.Loop(FLOW, List.of(1L, 2L, 1L)),
                new Details.Congestion(3, 2, 0, 4_096, List.of(new Event.Culprit(FLOW, 9_000)), List.of()),
                new Details.Latency(3, 2, 0, 1_000, 5_000),
                new Details.Drops(3, 80, List.of(FLOW), 17),
                new Details.LinkDown(new LinkEnd(1, 2), new LinkEnd(4, 1)),
                new Details.LinkUp(new LinkEnd(1, 2), new LinkEnd(4, 1)),
                new Details.ReportLoss(reporter, 0, 5),
                new Details.ExporterRestart(reporter, 0),
                new Details.ExporterSilent(reporter, 0),
                new Details.SpoofSuspected(3, List.of("10.9.9.9")));
        try (ServedCollector collector = new ServedCollector(directory)) {
            for (Details details : all) {
                Event event = new Event(1_000_000_000L, Event.OPEN, 2_000_000_000L, details);
                collector.happens(event);
                Ended ended = Program.run("explain", "event", event.id().toString(), "--server", collector.url());
                assertThat(ended.status()).as(ended.err()).isZero();
                assertThat(ended.lines().getFirst())
                        .isEqualTo(event.kind().label() + ", "
                                + event.kind().severity().label() + ", since 1970-01-01T00:00:01.000000000Z, goes on");
                assertThat(ended.out()).doesNotContain("node ?", "= ?").contains("Look at next:\n- ");
            }
            Event drops = new Event(1_000_000_000L, Event.OPEN, 2_000_000_000L, all.get(4));
            Ended text = Program.run("explain", "event", drops.id().toString(), "--server", collector.url());
            assertThat(text.out())
                    .contains("node 3: 17 packets, reason 80 (ACL deny), 10.0.1.1:45678 > 10.0.2.2:80 tcp\n")
                    .contains("access list");
            Ended json =
                    Program.run("explain", "event", drops.id().toString(), "--server", collector.url(), "-o", "json");
            assertThat(new JsonMapper().readTree(json.out()).path("next").size())
                    .isGreaterThan(2);
            Ended none = Program.run("explain", "event", "0123456789abcdef", "--server", collector.url());
            assertThat(none.status()).isEqualTo(1);
            assertThat(none.err()).startsWith("pathlore: there is no event 0123456789abcdef at the collector");
        }
    }
}
