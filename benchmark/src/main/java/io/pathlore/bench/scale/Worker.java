package io.pathlore.bench.scale;

import io.pathlore.analysis.sequence.Rehearsal;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.scale.Part;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import io.pathlore.wire.envelope.Envelope;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures, in a process of its own with one processor, and writes a number a line, each behind its name. */
final class Worker {
    /** Of stream time: what comes by in them is one value. */
    static final int ROUND_SECONDS = 10;

    static final int PER_SECOND = 100_000;
    static final List<Integer> FLOWS = List.of(10_000, 100_000, 1_000_000);

    private static final long SEED = 1;

    /** As the job has it: 1 GiB for all parts of a stage. */
    private static final long WAITING_BYTES = (1L << 30) / Parts.DEFAULT;

    private final Embedded embedded;
    private final Job job;
    private final Traffic traffic = Traffic.ofAFabric(PER_SECOND);
    private long given;

    private Worker(Parts parts) {
        embedded = new Embedded(parts.service(), SEED);
        job = new Job(parts);
    }

    static void main(String[] arguments) {
        int warm = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        Rehearsal.run(); // as the collector does
        Service service =
                new ConfigLoader(Path.of("."), Path.of("."), Map.of("HOME", "/")).loadService(null, List.of());
        Parts parts =
                new Parts(service, Parts.DEFAULT, Parts.DEFAULT, Parts.DEFAULT, Parts.DEFAULT, SEED, WAITING_BYTES);
        say("envelope.octets", Envelope.LENGTH + Traffic.DATAGRAM);
        new Worker(parts).stages(warm, rounds);
        for (int flows : FLOWS) {
            System.err.printf("bench: state of %d flows%n", flows);
            FlowStates.Size size = FlowStates.of(parts, flows);
            String key = "flows." + flows;
            say(key + ".known", (double) size.flows());
            say(key + ".octets", (double) size.octets());
            say(key + ".octetsPerFlow", (double) size.octets() / size.flows());
            say(key + ".writeMillis", size.writeMillis());
            say(key + ".restoreMillis", size.restoreMillis());
        }
        System.out.println(ScaleMeasurement.END);
    }

    private static void say(String name, double number) {
        System.out.printf(Locale.ROOT, "%s %s%n", name, number);
    }

    private void stages(int warm, int rounds) {
        for (int i = 0; i < warm; i++) {
            System.err.printf("bench: warm-up %d of %d%n", i + 1, warm);
            round(new Cost(), new EnumMap<>(Stage.class));
        }
        Cost ofEmbedded = new Cost();
        Map<Stage, Job.Costs> ofJob = new EnumMap<>(Stage.class);
        long before = given;
        long rowsOfEmbedded = embedded.rows();
        long rowsOfJob = job.rows();
        Map<Stage, Long> blocks = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
            blocks.put(stage, job.blockOctets(stage));
        }
        double lowest = Double.MAX_VALUE;
        double highest = 0;
        for (int i = 0; i < rounds; i++) {
            Cost one = new Cost();
            Map<Stage, Job.Costs> many = new EnumMap<>(Stage.class);
            round(one, many);
            double ratio = (double) one.nanos() / all(many).nanos();
            lowest = Math.min(lowest, ratio);
            highest = Math.max(highest, ratio);
            System.err.printf(Locale.ROOT, "bench: round %d of %d: %.2f%n", i + 1, rounds, ratio);
            ofEmbedded.add(one);
            many.forEach((stage, costs) -> {
                Job.Costs sum = ofJob.computeIfAbsent(stage, _ -> new Job.Costs());
                sum.work().add(costs.work());
                sum.state().add(costs.state());
            });
        }
        embedded.check(given);
        job.check();
        double reports = given - before;
        say("reports", reports);
        say("flows", (double) job.figure(Stage.FLOWS, Part.Figures::flows));
        cost("embedded", ofEmbedded, reports);
        say("embedded.rows", (embedded.rows() - rowsOfEmbedded) / reports);
        ofJob.forEach((stage, costs) -> {
            String key = key(stage);
            cost(key, costs.work(), reports);
            cost(key + ".state", costs.state(), reports);
            say(key + ".state.octets", (double) job.stateOctets(stage));
            say(key + ".block.octets", (job.blockOctets(stage) - blocks.getOrDefault(stage, 0L)) / reports);
        });
        cost("job", all(ofJob), reports);
        say("job.rows", (job.rows() - rowsOfJob) / reports);
        say("job.ratio", (double) ofEmbedded.nanos() / all(ofJob).nanos());
        say("job.ratioMin", lowest);
        say("job.ratioMax", highest);
    }

    static String key(Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT);
    }

    private static Cost all(Map<Stage, Job.Costs> costs) {
        Cost sum = new Cost();
        costs.values().forEach(each -> {
            sum.add(each.work());
            sum.add(each.state());
        });
        return sum;
    }

    private static void cost(String key, Cost cost, double reports) {
        say(key + ".ns", cost.nanos() / reports);
        say(key + ".allocated", cost.octets() / reports);
        say(key + ".collecting.ns", cost.collectingNanos() / reports);
    }

    /** One and the other are first by turns. */
    private void round(Cost ofEmbedded, Map<Stage, Job.Costs> ofJob) {
        for (int second = 1; second <= ROUND_SECONDS; second++) {
            long from = traffic.nanos();
            byte[][] envelopes = traffic.next(PER_SECOND);
            boolean jobFirst = second % 2 == 0;
            if (!jobFirst) {
                embedded(envelopes, ofEmbedded);
            }
            job.second(envelopes, from, second == ROUND_SECONDS, ofJob);
            if (jobFirst) {
                embedded(envelopes, ofEmbedded);
            }
            given += envelopes.length;
        }
    }

    private void embedded(byte[][] envelopes, Cost cost) {
        cost.start();
        embedded.on(envelopes);
        cost.stop();
    }
}
