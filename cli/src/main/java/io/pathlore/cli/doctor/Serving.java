package io.pathlore.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import java.util.ArrayList;
import java.util.List;

/** The stages of a process that serves and does not receive, from what it tells of itself. */
public final class Serving {
    private static final String SERVER = "server";
    private static final String READ = "read";
    private static final String STORED = "stored";
    private static final String REPORTS = "reports";

    private Serving() {}

    /** Whether a status is that of one. */
    public static boolean isServing(JsonNode status) {
        return status.has("serves");
    }

    /** Takes what {@code /api/v1/status} answered. */
    public static Diagnosis diagnose(JsonNode status) {
        List<Stage> stages = new ArrayList<>();
        stages.add(Stage.green(
                SERVER,
                "version " + status.path("version").asText("?") + " serves "
                        + status.path("serves").asText("?") + ", and receives nothing",
                List.of()));
        if (status.has("kafka")) {
            stages.add(read(status.path("kafka")));
        }
        stages.add(stored(status));
        if (status.has("edges")) {
            stages.add(reports(status.path("edges")));
        }
        return new Diagnosis(stages, List.of());
    }

    private static Stage read(JsonNode kafka) {
        String bootstrap = kafka.path("bootstrap").asText("?");
        JsonNode read = kafka.path("read");
        List<Trouble> warnings = new ArrayList<>();
        long rejected = read.path("rejected").asLong();
        if (rejected > 0) {
            warnings.add(new Trouble(
                    Reason.KAFKA_REJECTED,
                    Amount.count(rejected, "record") + " read from " + bootstrap + " " + (rejected == 1 ? "is" : "are")
                            + " not known to this program",
                    "see who publishes to pathlore.events.v1 and pathlore.rollups.v1; a newer collector needs a newer"
                            + " pathlore here"));
        }
        long missed = read.path("missed").asLong();
        if (missed > 0) {
            warnings.add(new Trouble(
                    Reason.KAFKA_MISSED,
                    Amount.count(missed, "record") + " had been removed by the brokers before they were read",
                    "keep more there: retention.ms and retention.bytes of the topics, or compact them"));
        }
        return switch (read.path("state").asText("ok")) {
            case "error" ->
                Stage.red(
                        READ,
                        new Trouble(
                                Reason.KAFKA_FAILS,
                                "nothing can be read from " + bootstrap + ": "
                                        + read.path("detail").asText("?"),
                                "see that a broker answers there and has the topics: kafka-topics.sh"
                                        + " --bootstrap-server " + bootstrap + " --list",
                                "what was read before is served; the rest is read as soon as one answers"),
                        warnings);
            case "connecting" ->
                Stage.red(
                        READ,
                        new Trouble(
                                Reason.KAFKA_CONNECTING,
                                "no broker has answered yet at " + bootstrap,
                                "ask again in a few seconds"),
                        warnings);
            default ->
                Stage.green(
                        READ,
                        Amount.count(read.path("events").asLong(), "event") + " and "
                                + Amount.count(read.path("rollups").asLong(), "rollup") + " from " + bootstrap + "; "
                                + Amount.count(read.path("waiting").asLong()) + " wait there",
                        warnings);
        };
    }

    /** One that cannot be asked is red: what it has is missing from every answer about reports. */
    private static Stage reports(JsonNode edges) {
        if (edges.isEmpty()) {
            return Stage.green(
                    REPORTS,
                    "are with the collectors, and cannot be shown",
                    List.of(new Trouble(
                            Reason.EDGES_UNKNOWN,
                            "nobody has said where the collectors are",
                            "name them in the configuration: edges: [{ name: …, url: …, token-file: … }]")));
        }
        List<Trouble> troubles = new ArrayList<>();
        for (JsonNode edge : edges) {
            String name = edge.path("name").asText("?");
            String url = edge.path("url").asText("?");
            String state = edge.path("state").asText("");
            if (state.equals("error")) {
                troubles.add(new Trouble(
                        Reason.EDGE_FAILS,
                        "edge " + name + " cannot be asked: "
                                + edge.path("detail").asText("?"),
                        "pathlore doctor --server " + url,
                        "reports of the others are shown; each answer says that these are missing"));
            } else if (!state.equals("ok")) {
                troubles.add(new Trouble(
                        Reason.EDGE_CONNECTING,
                        "edge " + name + " has not answered yet",
                        "ask again in a few seconds"));
            }
        }
        return troubles.isEmpty()
                ? Stage.green(
                        REPORTS,
                        edges.size() == 1 ? "the edge that has them answers" : "all " + edges.size() + " edges answer",
                        List.of())
                : Stage.red(REPORTS, troubles.getFirst(), troubles.subList(1, troubles.size()));
    }

    private static Stage stored(JsonNode status) {
        JsonNode store = status.path("store");
        String directory = store.path("directory").asText("?");
        if (!store.path("state").asText("ok").equals("ok")) {
            return Stage.red(
                    STORED,
                    new Trouble(
                            Reason.TABLES_FAIL,
                            "the tables in " + directory + " cannot be used now: "
                                    + store.path("detail")
                                            .asText(store.path("state").asText()),
                            "df -h " + directory + "; it is tried again by itself"),
                    List.of());
        }
        JsonNode recording = status.path("recording");
        String until = recording.has("to")
                ? "from " + recording.path("from").asText() + " to "
                        + recording.path("to").asText()
                : "whole up to " + store.path("storedTo").asText("nowhere yet");
        return Stage.green(STORED, directory + " " + until, List.of());
    }
}
