package io.pathlore.bench.attacks;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.plan.Network;
import io.pathlore.analysis.plan.Planner;
import io.pathlore.analysis.plan.RuleValidator;
import io.pathlore.bench.accuracy.LabRun;
import io.pathlore.model.EventKind;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Much traffic of one kind that nobody means any harm with. */
public record HarmlessTrial(Kind kind, int seconds, long seed) {
    private static final int MINUTE = 60;

    /** What people do with a network that looks large. */
    public enum Kind {
        /** Ten seconds of every minute. */
        SPEED_TEST("speed-test, from: client-1, to: internet-1", 10),
        BACKUP("backup, from: client-2, to: internet-1, rate: 50Mbps", MINUTE),
        CDN_FILL("cdn-fill, from: client-3, to: internet-2, rate: 50Mbps", MINUTE),
        FLASH_CROWD("flash-crowd, to: client-1, flows: 60, response: 2KB..50KB", MINUTE),
        PORT_SCAN("port-scan, from: client-1, to: internet-1", MINUTE),
        GAME_UPDATE("game-update, from: \"client:4\", to: internet, rate: 10Mbps", MINUTE);

        private final String traffic;
        private final int lasting;

        Kind(String traffic, int lasting) {
            this.traffic = traffic;
            this.lasting = lasting;
        }

        /** An entry for each minute. */
        private String entries(int seconds) {
            StringBuilder entries = new StringBuilder();
            for (int start = 0; start < seconds; start += MINUTE) {
                entries.append("  - { name: it-%d, kind: %s, start: %ds, duration: %ds }%n"
                        .formatted(start / MINUTE, traffic, start, Math.min(lasting, seconds - start)));
            }
            return entries.toString();
        }

        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What came of it.
     *
     * @param attacks that were told of
     * @param rules that would have been made to hold without anybody being asked
     */
    public record Outcome(List<Event> attacks, int rules, long reports) {}

    public Outcome run(Path directory) throws IOException {
        String yaml = """
                duration: %ds
                topology: { kind: access, aggregations: 2, homes-per-aggregation: 4, devices-per-home: 4, internet-hosts: 4 }
                telemetry:
                  dialect: transparent-security
                  watch:
                    - { name: all, sampling: 10 }
                traffic:
                  - { kind: request-response, name: web, from: client, to: internet, flows: 4, response: 1KB..200KB }
                  - { kind: iot, name: sensors, from: sensor, to: internet-3, period: 2s }
                %s
                """.formatted(seconds, kind.entries(seconds));
        LabRun run = LabRun.of(yaml, seed, directory);
        List<Event> attacks = run.events().stream()
                .filter(event -> event.kind() == EventKind.ATTACK)
                .toList();
        Planner planner = new Planner(OBEDIENT, new RuleValidator(List.of()));
        int rules = attacks.stream()
                .mapToInt(event -> planner.plan(event).proposals().size())
                .sum();
        return new Outcome(attacks, rules, run.reports());
    }

    /** A network in which every rule could be made to hold. */
    private static final Network OBEDIENT = new Network() {
        @Override
        public boolean isBound(long node) {
            return true;
        }

        @Override
        public long bitsPerSecond(long node, long interfaceId) {
            return Long.MAX_VALUE;
        }

        @Override
        public List<String> enforcers(long node) {
            return List.of("any");
        }

        @Override
        public boolean canSay(String enforcer, Rule rule) {
            return true;
        }

        @Override
        public boolean isOneReporterEnough() {
            return true;
        }
    };

    @Override
    public String toString() {
        return "%s, %d s, seed %d".formatted(kind.label(), seconds, seed);
    }
}
