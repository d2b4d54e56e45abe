package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.model.TimeText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever turns the pages of events sees each once, though more of them happen and old ones go on meanwhile. */
class EventPagesTest {
    private static final long SECOND = 1_000_000_000L;

    private static Event event(int number) {
        Event.LinkEnd from = new Event.LinkEnd(number, 1);
        return new Event(
                number * SECOND, Event.OPEN, number * SECOND, new Details.LinkDown(from, new Event.LinkEnd(0, 1)));
    }

    private static List<Integer> nodes(JsonNode page) {
        List<Integer> nodes = new ArrayList<>();
        page.path("items")
                .forEach(item -> nodes.add(item.path("from").path("node").asInt()));
        return nodes;
    }

    @Test
    void newEventsDisturbNobody(@TempDir Path directory) throws Exception {
        String cursor;
        try (ServedCollector collector = new ServedCollector(directory.resolve("a"))) {
            for (int i = 1; i <= 5; i++) {
                collector.happens(event(i));
            }
            JsonNode first = collector.get("/api/v1/events?limit=2");
            assertThat(nodes(first)).containsExactly(5, 4);
            collector.happens(event(6));
            collector.happens(event(2)); // told again: it stays where it was
            cursor = "&cursor=" + first.path("next").asText();
            JsonNode second = collector.get("/api/v1/events?limit=2" + cursor);
            assertThat(nodes(second)).containsExactly(3, 2);
            JsonNode third = collector.get(
                    "/api/v1/events?limit=2&cursor=" + second.path("next").asText());
            assertThat(nodes(third)).containsExactly(1);
            assertThat(third.has("next")).isFalse();
            assertThat(collector.get("/api/v1/events?limit=6").has("next")).isFalse();
            assertThat(collector
                            .get("/api/v1/events?limit=2&kind=link-up" + cursor)
                            .path("items"))
                    .isEmpty();
            for (String wrong : List.of("x", "..", "1.1", "0.zzzzzzzzzzzzzzzz", "-1.1")) {
                assertThat(collector
                                .get("/api/v1/events?cursor=" + wrong)
                                .path("status")
                                .asInt())
                        .as(wrong)
                        .isEqualTo(400);
            }
        }
        try (ServedCollector other = new ServedCollector(directory.resolve("b"))) {
            assertThat(other.get("/api/v1/events?limit=2" + cursor)
                            .path("detail")
                            .asText())
                    .isEqualTo("cursor: of before the last start of this server; begin again without it");
        }
    }

    /** What happened before a restart is shown after it; what had not ended was followed as long as anybody did. */
    @Test
    void theyAreThereAfterARestart(@TempDir Path directory) throws Exception {
        long start = LiveCollector.START;
        Event.LinkEnd from = new Event.LinkEnd(1, 1);
        Event.LinkEnd to = new Event.LinkEnd(2, 1);
        Event open = new Event(start, Event.OPEN, start + SECOND, new Details.LinkDown(from, to));
        Event over = new Event(start + 1, start + 2, start + 3, new Details.LinkUp(from, to));
        try (LiveCollector before = new LiveCollector(directory)) {
            EventJson json = new EventJson(EventJson.ReasonNames.NONE);
            before.store(
                    start + 60 * SECOND,
                    TableFeed.event(open, json.line(open).strip()),
                    TableFeed.event(over, json.line(over).strip()));
        }
        try (LiveCollector after = new LiveCollector(directory)) {
            LiveCollector.until(
                    "they are there again",
                    () -> after.json("/api/v1/events").path("items").size() == 2);
            JsonNode items = after.json("/api/v1/events").path("items");
            assertThat(items.get(0).path("id").asText()).isEqualTo(over.id().toString());
            assertThat(items.get(0).path("end").asText()).isEqualTo(TimeText.of(start + 2));
            assertThat(items.get(1).path("end").asText()).isEqualTo(TimeText.of(start + 60 * SECOND));
            JsonNode page = after.json("/api/v1/events?limit=1");
            assertThat(after.json("/api/v1/events?limit=1&cursor="
                                    + page.path("next").asText())
                            .path("items")
                            .get(0)
                            .path("id")
                            .asText())
                    .isEqualTo(open.id().toString());
            assertThat(after.get("/metrics").body()).contains("pathlore_events_total{kind=\"link-down\"} 0");
        }
    }
}
