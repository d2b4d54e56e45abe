package io.pathlore.bench.defend;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.analysis.ddos.Limits;
import io.pathlore.analysis.ddos.Rules;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.model.AttackVector;
import io.pathlore.model.TimeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One attack in a network that runs, beside a collector that may act by itself. */
record DefendTrial(AttackVector vector, boolean v6, int devices, long seed) {
    private static final long SECOND = 1_000_000_000L;
    private static final long POLL_MILLIS = 200;
    private static final int RATE = 4_000;
    private static final int START_SECONDS = 4;
    private static final int LASTING_SECONDS = 15;

    /** Longer than any rule may stay behind its attack. */
    private static final int AFTER_SECONDS = 45;

    /** If nothing is thought of by then, nothing will be. */
    private static final int IN_VAIN_SECONDS = 3;

    /**
     * Seconds: until it was told of, sent, in force and proven, of the last device, since the threshold was crossed; until it was withdrawn and
     * gone since the attack ended. Not a number where it did not come to that.
     *
     * @param rules that held
     * @param left that held in the end
     * @param others attacks that were told of and are none
     * @param remark why there is no rule
     */
    record Outcome(
            double detected,
            double sent,
            double blocked,
            double proven,
            double withdrawn,
            double lifted,
            int rules,
            long left,
            int others,
            String remark) {
        static Outcome nothing(String remark) {
            double never = Double.NaN;
            return new Outcome(never, never, never, never, never, never, 0, 0, 0, remark);
        }

        boolean acted() {
            return rules > 0;
        }
    }

    Outcome run(Path directory) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("network.yaml"), scenario());
        Scenario scenario = ScenarioFiles.load("network.yaml", directory);
        if (!isRouted()) {
            return run(directory, scenario, null);
        }
        if (!GobgpRouter.isInstalled()) {
            return Outcome.nothing("gobgpd is not installed: no router to tell");
        }
        try (GobgpRouter router = new GobgpRouter(directory)) {
            return run(directory, scenario, router);
        }
    }

    /** The controller of Transparent Security blocks devices from an address; prefixes are for routers. */
    private boolean isRouted() {
        return vector == AttackVector.CARPET_BOMBING;
    }

    /** What the collector is told, but for its enforcer. */
    static List<String> settings(boolean routed) {
        List<String> settings = new ArrayList<>(List.of(
                "mode: auto", "profile: transparent-security", "rules-per-minute: 64", "rules-per-enforcer: 64"));
        if (routed) {
            settings.add("expiry: 30s");
        }
        return settings;
    }

    private Outcome run(Path directory, Scenario scenario, @Nullable GobgpRouter router)
            throws IOException, InterruptedException {
        try (CollectorProgram collector = new CollectorProgram();
                LiveNetwork network = new LiveNetwork(
                        scenario, collector.port(), seed, 1, router == null ? Set::of : router::routes)) {
            String enforcer = router == null
                    ? "{ name: controller, kind: transparent-security, url: \"" + network.controller() + "\" }"
                    : "{ name: router, kind: flowspec, peer: \"127.0.0.1:"
                            + router.address().getPort()
                            + "\", local-as: 65001, peer-as: 65002, router-id: 10.0.0.9, nodes: [1] }";
            String defend =
                    "defend:\n  " + String.join("\n  ", settings(isRouted())) + "\n  enforcers: [" + enforcer + "]\n";
            Path config =
                    Files.writeString(directory.resolve("pathlore.yaml"), LiveNetwork.inventory(scenario) + defend);
            collector.start(directory, config);
            network.start();
            long end = network.at((START_SECONDS + LASTING_SECONDS) * SECOND);
            while (network.isRunning() && !isOver(collector, network, end)) {
                Thread.sleep(POLL_MILLIS);
            }
            if (router != null && !router.trouble().isEmpty()) {
                throw new IOException("the router failed: " + router.trouble());
            }
            Throwable failure = network.failure();
            if (failure != null) {
                throw new IOException("the network failed: " + failure, failure);
            }
            return outcome(collector, network, end);
        }
    }

    private static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND + now.getNano();
    }

    private static boolean isOver(CollectorProgram collector, LiveNetwork network, long end) throws IOException {
        long since = now() - end;
        if (since < 0) {
            return false;
        }
        boolean waiting = false;
        for (JsonNode one : collector.items("/api/v1/mitigations")) {
            waiting |= one.path("wanted").asBoolean() || one.path("sent").asBoolean();
        }
        return !waiting && since > IN_VAIN_SECONDS * SECOND && network.inForce() == 0 || since > AFTER_SECONDS * SECOND;
    }

    private Outcome outcome(CollectorProgram collector, LiveNetwork network, long end) throws IOException {
        long threshold = network.at(START_SECONDS * SECOND) + thresholdNanos();
        double detected = Double.NaN;
        Set<String> others = new HashSet<>();
        for (JsonNode one : collector.items("/api/v1/attacks")) {
            if (one.path("vector").asText().equals(vector.label())) {
                double after = (time(one.path("detectedAt")) - threshold) / 1e9;
                detected = Double.isNaN(detected) ? after : Math.min(detected, after);
            } else {
                others.add(one.path("id").asText());
            }
        }
        List<LiveNetwork.Change> changes = network.changes();
        long blocked = 0;
        long lifted = 0;
        int rules = 0;
        for (LiveNetwork.Change change : changes) {
            rules += change.begins() ? 1 : 0;
            blocked = change.begins() ? change.nanos() : blocked;
            lifted = change.begins() ? lifted : change.nanos();
        }
        JsonNode audit = collector.items("/api/v1/audit");
        return new Outcome(
                detected,
                since(threshold, last(audit, "sent")),
                since(threshold, blocked),
                since(threshold, last(audit, "proven")),
                since(end, Math.max(last(audit, "withdrawn"), last(audit, "expired"))),
                since(end, lifted),
                rules,
                network.inForce(),
                others.size(),
                rules > 0 ? "" : remark(collector));
    }

    private static double since(long from, long until) {
        return until == 0 ? Double.NaN : (until - from) / 1e9;
    }

    /** The first time of that act for each mitigation, and of those the last; 0 where there is none. */
    private static long last(JsonNode audit, String what) {
        List<JsonNode> lines = new ArrayList<>();
        audit.forEach(lines::addFirst);
        Set<String> seen = new HashSet<>();
        long last = 0;
        for (JsonNode line : lines) {
            if (line.path("what").asText().equals(what)
                    && seen.add(line.path("mitigation").asText())) {
                last = time(line.path("time"));
            }
        }
        return last;
    }

    private static String remark(CollectorProgram collector) throws IOException {
        for (JsonNode one : collector.items("/api/v1/mitigations")) {
            return one.path("state").asText() + ": "
                    + one.path("trouble").asText(one.path("reason").asText());
        }
        return "nothing is proposed";
    }

    private static long time(JsonNode text) {
        Long nanos = TimeText.parse(text.asText());
        return nanos == null ? 0 : nanos;
    }

    /** After its start a victim has too much, or one of the devices has sent too much. */
    private long thresholdNanos() {
        double victim = (double) Limits.USUAL.of(vector) / RATE;
        double device = (double) Rules.TRANSPARENT_SECURITY * devices / RATE;
        // Packets of a device are counted by address, and carpets have many.
        boolean perDevice = vector != AttackVector.CARPET_BOMBING;
        return (long) (SECOND * (perDevice ? Math.min(victim, device) : victim));
    }

    private String scenario() {
        // What is reflected comes from outside and goes to a home; all else goes the other way.
        boolean inward = vector == AttackVector.REFLECTION;
        String from = inward ? devices == 1 ? "internet-3" : "internet" : "\"camera:" + devices + "\"";
        return """
                description: an attack, and what is done about it
                duration: %ds
                topology: { kind: access, aggregations: 2, homes-per-aggregation: 10, devices-per-home: 4, internet-hosts: 20 }
                telemetry:
                  dialect: transparent-security
                  watch:
                    - { name: sampled, sampling: 10 }
                traffic:
                  - { kind: request-response, name: web, from: client, to: internet, flows: 4, response: 1KB..50KB }
                  - { kind: video, name: streams, from: "speaker:4", to: internet-2, fps: 5, bytes: 8KB }
                  - { kind: iot, name: sensors, from: sensor, to: internet-1, period: 2s }
                  - { kind: %s, name: attack, from: %s, to: %s, ip: %d, rate: %dpps, start: %ds, duration: %ds }
                """.formatted(
                        START_SECONDS + LASTING_SECONDS + AFTER_SECONDS + IN_VAIN_SECONDS,
                        vector.label(),
                        from,
                        inward ? "client-1" : "internet-1",
                        v6 ? 6 : 4,
                        RATE,
                        START_SECONDS,
                        LASTING_SECONDS);
    }

    @Override
    public String toString() {
        return "%s IPv%d, %d device%s".formatted(vector.label(), v6 ? 6 : 4, devices, devices == 1 ? "" : "s");
    }
}
