package io.pathlore.it.lab;

import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.ReportSink;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.TruthWriter;
import io.pathlore.wire.decode.ReportVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shipped scenarios as the tests run them: cut off once everything they promise has happened. */
public final class Shipped {
    /** 2026-01-01, where the command starts too. */
    public static final long EPOCH = 1_767_225_600_000_000_000L;

    static final long SECOND = 1_000_000_000L;

    /** Seconds, where less than the whole will do. */
    private static final Map<String, Integer> SECONDS = Map.ofEntries(
            Map.entry("quiet", 10),
            Map.entry("demo", 82),
            Map.entry("demo-access", 17),
            Map.entry("link-failure", 21),
            Map.entry("slow-hop", 17),
            Map.entry("microburst", 9),
            Map.entry("incast", 7),
            Map.entry("queue-buildup", 12),
            Map.entry("acl-drops", 12),
            Map.entry("ttl-loop", 12),
            Map.entry("mtu", 19),
            Map.entry("hidden-hop", 4),
            Map.entry("postcard", 10),
            Map.entry("exporter-restart", 13),
            Map.entry("report-loss", 12),
            Map.entry("silent-exporter", 62),
            Map.entry("forged-reports", 11),
            Map.entry("ddos-udp-flood", 31),
            Map.entry("ddos-syn-flood", 17),
            Map.entry("carpet-bombing", 17),
            Map.entry("flash-crowd", 20));

    private Shipped() {}

    public static List<String> names() {
        return ScenarioFiles.shipped();
    }

    /** Also a file, by its name with a dot. */
    public static Scenario load(String name) {
        Scenario scenario = ScenarioFiles.load(name, Path.of("src", "test", "resources", "lab"));
        Integer seconds = SECONDS.get(name);
        return seconds == null ? scenario : scenario.withDuration(seconds * SECOND);
    }

    public static Scenario load(String name, Mode mode, ReportVersion version) {
        Scenario scenario = load(name);
        scenario = scenario.withTelemetry(scenario.telemetry().withMode(mode));
        return scenario.withTelemetry(scenario.telemetry()
                .withReporting(scenario.telemetry().reporting().withVersion(version)));
    }

    public static ScenarioRun begin(Scenario scenario, long seed, LabListener listener, ReportSink sink) {
        return new ScenarioRun(scenario, seed, WorldTime.from(EPOCH), new ScenarioNodes(), listener, sink);
    }

    /** The file of facts, as the command writes it. */
    static String truth(Scenario scenario, long seed, List<Fact> facts) {
        TruthWriter.Run run = new TruthWriter.Run(
                scenario.name(),
                seed,
                scenario.telemetry().mode().name().toLowerCase(Locale.ROOT),
                scenario.telemetry().reporting().version().label(),
                EPOCH);
        return new TruthWriter().write(run, facts);
    }
}
