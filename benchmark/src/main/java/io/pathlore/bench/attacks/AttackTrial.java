package io.pathlore.bench.attacks;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.bench.accuracy.LabRun;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One attack among ordinary traffic, and how well it is found.
 *
 * @param devices that send it: 1 or 20
 * @param sampling one packet in so many is reported
 */
public record AttackTrial(Where where, AttackVector vector, boolean v6, int devices, int sampling, long seed) {
    /** Networks, and what their nodes tell. */
    public enum Where {
        /** Homes; reports name the device. */
        HOMES,
        /** Leaves and spines, of which the last one reports for all. */
        STACKS,
        /** The same, of which each one reports. */
        POSTCARDS
    }

    private static final int SEEDS = 4;
    private static final int SAMPLED = 100;
    private static final int MANY = 20;

    /**
     * How it went.
     *
     * @param devices named by the events, in all
     * @param right of them that take part
     * @param part devices that take part
     */
    public record Outcome(Score score, int devices, int right, int part, long delayNanos, long reports) {}

    /** Each vector, with one device and many, with all packets reported and few, in both families, for some seeds. */
    public static List<AttackTrial> all(int seeds) {
        List<AttackTrial> trials = new ArrayList<>();
        Where[] networks = Where.values();
        for (int seed = 1; seed <= Math.min(seeds, SEEDS); seed++) {
            for (AttackVector vector : AttackVector.values()) {
                for (int devices : new int[] {1, MANY}) {
                    for (int sampling : new int[] {1, SAMPLED}) {
                        for (boolean v6 : new boolean[] {false, true}) {
                            Where where = networks[(seed + trials.size() / 2) % networks.length];
                            trials.add(new AttackTrial(where, vector, v6, devices, sampling, seed));
                        }
                    }
                }
            }
        }
        return trials;
    }

    public Outcome run(Path directory) throws IOException {
        LabRun run = LabRun.of(scenario(), seed, directory);
        List<Event> told = run.events().stream()
                .filter(event -> event.kind() == EventKind.ATTACK)
                .toList();
        Score score = run.score(kind -> kind == EventKind.ATTACK);
        Map<String, Event> last = new HashMap<>();
        told.forEach(event -> last.put(event.id().toString(), event));
        Set<String> named = new HashSet<>();
        for (Event event : last.values()) {
            ((Attack) event.details())
                    .sources().stream().map(AttackSource::device).forEach(named::add);
        }
        Set<String> part = new HashSet<>();
        for (Fact fact : run.facts()) {
            if (fact instanceof Fact.Attack attack) {
                attack.sources().forEach(source -> part.add(source.device()));
            }
        }
        int right = (int) named.stream().filter(part::contains).count();
        long delay = score.pairs().isEmpty() ? 0 : score.pairs().getFirst().delayNanos();
        return new Outcome(score, named.size(), right, part.size(), delay, run.reports());
    }

    private String scenario() {
        return where == Where.HOMES ? homes() : fabric();
    }

    /** Fast enough that one packet in a hundred shows it while it lasts. */
    private String rate() {
        if (vector != AttackVector.SCAN) {
            return "10kpps";
        }
        return sampling == 1 ? 20 * devices + "pps" : 400 * devices + "pps";
    }

    private String attack(String from, String to) {
        String more = vector == AttackVector.SCAN ? ", prefix: " + (v6 ? 112 : 24) : "";
        return "  - { kind: %s, name: attack, from: %s, to: %s, ip: %d, rate: %s, start: 5s, duration: %s%s }%n"
                .formatted(
                        vector.label(), from, to, v6 ? 6 : 4, rate(), vector == AttackVector.SCAN ? "20s" : "5s", more);
    }

    private String homes() {
        // What is reflected comes from outside and goes to a home; all else goes the other way.
        boolean inward = vector == AttackVector.REFLECTION;
        String from = inward ? devices == 1 ? "internet-3" : "internet" : "\"camera:" + devices + "\"";
        return """
                duration: %s
                topology: { kind: access, aggregations: 2, homes-per-aggregation: 10, devices-per-home: 4, internet-hosts: 20 }
                telemetry:
                  dialect: transparent-security
                  watch:
                    - { name: all, sampling: %d }
                traffic:
                  - { kind: request-response, name: web, from: client, to: internet, flows: 10, response: 1KB..50KB }
                  - { kind: video, name: streams, from: "speaker:4", to: internet-2, fps: 5, bytes: 8KB }
                  - { kind: iot, name: sensors, from: sensor, to: internet-1, period: 2s }
                """.formatted(vector == AttackVector.SCAN ? "26s" : "11s", sampling)
                + attack(from, inward ? "client-1" : "internet-1");
    }

    private String fabric() {
        String from = devices == 1 ? "h1-2" : "[\"h1-*\", \"h2-*\", \"h3-*\", h4-1, h4-2]";
        return """
                duration: %s
                topology: { kind: leaf-spine, leaves: 4, spines: 2, hosts-per-leaf: 6 }
                telemetry:
                  mode: %s
                  watch:
                    - { name: all, sampling: %d }
                traffic:
                  - { kind: request-response, name: web, flows: 10, response: 1KB..50KB }
                  - { kind: video, name: streams, from: h2-1, to: h4-6, fps: 5, bytes: 8KB }
                  - { kind: ping, period: 5s }
                """.formatted(vector == AttackVector.SCAN ? "26s" : "11s", where == Where.STACKS ? "md" : "xd", sampling)
                + attack(from, "h4-6");
    }

    @Override
    public String toString() {
        return "%s %s IPv%d, %d device%s, 1 in %d, seed %d"
                .formatted(
                        where.name().toLowerCase(Locale.ROOT),
                        vector.label(),
                        v6 ? 6 : 4,
                        devices,
                        devices == 1 ? "" : "s",
                        sampling,
                        seed);
    }
}
