package io.pathlore.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import java.util.ArrayList;
import java.util.List;

/** Whether what is journalled gets to Kafka. */
final class Publishing {
    static final String NAME = "published";
    private static final double BEHIND_SECONDS = 60;

    private Publishing() {}

    /** Takes what the status says of Kafka. */
    static Stage stage(JsonNode kafka) {
        String bootstrap = kafka.path("bootstrap").asText("?");
        List<Trouble> failing = new ArrayList<>();
        List<Trouble> warnings = new ArrayList<>();
        List<String> fine = new ArrayList<>();
        for (String what : List.of("datagrams", "events", "rollups")) {
            if (kafka.has(what)) {
                JsonNode topic = kafka.path(what);
                look(topic, bootstrap, failing, warnings);
                fine.add(Amount.count(topic.path("published").asLong()) + " " + what);
            }
        }
        if (!failing.isEmpty()) {
            warnings.addAll(0, failing.subList(1, failing.size()));
            return Stage.red(NAME, failing.getFirst(), warnings);
        }
        return Stage.green(NAME, String.join(", ", fine) + " to " + bootstrap, warnings);
    }

    private static void look(JsonNode topic, String bootstrap, List<Trouble> failing, List<Trouble> warnings) {
        String name = topic.path("topic").asText("?");
        switch (topic.path("state").asText("ok")) {
            case "error" ->
                failing.add(new Trouble(
                        Reason.KAFKA_FAILS,
                        "nothing can be published to " + bootstrap + ": "
                                + topic.path("detail").asText("?"),
                        "see that a broker answers there and has the topic: kafka-topics.sh --bootstrap-server "
                                + bootstrap + " --describe --topic " + name,
                        "where it wants TLS or a password, name a file with the client's settings: kafka.properties"));
            case "silent" ->
                failing.add(new Trouble(
                        Reason.KAFKA_SILENT,
                        Amount.count(topic.path("waiting").asLong(), name.contains("datagrams") ? "datagram" : "record")
                                + " sent to " + bootstrap
                                + ", and no broker says that they arrived",
                        "look at the brokers; the journal keeps what waits, until journal.keep"));
            case "connecting" ->
                warnings.add(new Trouble(
                        Reason.KAFKA_CONNECTING,
                        "no broker has answered yet at " + bootstrap,
                        "ask again in a few seconds; the journal keeps what waits"));
            default -> {
                // All is well.
            }
        }
        double behind = topic.path("behindSeconds").asDouble();
        if (behind > BEHIND_SECONDS) {
            warnings.add(new Trouble(
                    Reason.KAFKA_BEHIND,
                    "what is published now was received " + Math.round(behind) + " s ago",
                    "where it does not get less, the brokers or the way to them are too slow"));
        }
        long missed = topic.path("missed").asLong();
        if (missed > 0) {
            warnings.add(new Trouble(
                    Reason.KAFKA_MISSED,
                    Amount.count(missed) + " could not be kept until they were published to " + name,
                    name.contains("rollups")
                            ? "keep more: store.seconds"
                            : "keep more: journal.keep, journal.keep-bytes"));
        }
    }
}
