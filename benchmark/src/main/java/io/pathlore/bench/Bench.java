package io.pathlore.bench;

import io.pathlore.bench.accuracy.AccuracyMeasurement;
import io.pathlore.bench.attacks.AttackMeasurement;
import io.pathlore.bench.decode.DecodeMeasurement;
import io.pathlore.bench.defend.DefendMeasurement;
import io.pathlore.bench.lab.LabMeasurement;
import io.pathlore.bench.load.LoadMeasurement;
import io.pathlore.bench.load.WholeMeasurement;
import io.pathlore.bench.replay.ReplayMeasurement;
import io.pathlore.bench.scale.JobMeasurement;
import io.pathlore.bench.scale.ScaleMeasurement;
import java.io.IOException;
import java.util.List;

/** {@code ./bench list} and {@code ./bench NAME}. */
public final class Bench {
    private static final int RUNTIME_ERROR = 1;
    private static final int USAGE = 2;
    private static final List<Measurement> MEASUREMENTS = List.of(
            new DecodeMeasurement(),
            new ReplayMeasurement(),
            new LabMeasurement(),
            new LoadMeasurement(),
            new WholeMeasurement(),
            new ScaleMeasurement(),
            new JobMeasurement(),
            new AccuracyMeasurement(),
            new AttackMeasurement(),
            new DefendMeasurement());

    private Bench() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) throws InterruptedException {
        if (arguments.size() == 1 && arguments.getFirst().equals("list")) {
            MEASUREMENTS.forEach(each -> System.out.printf("%-10s %s%n", each.name(), each.about()));
            return 0;
        }
        boolean quick = arguments.contains("--quick");
        List<String> names =
                arguments.stream().filter(each -> !each.equals("--quick")).toList();
        if (names.size() != 1) {
            System.err.println("usage: bench list | bench NAME [--quick]");
            return USAGE;
        }
        for (Measurement each : MEASUREMENTS) {
            if (each.name().equals(names.getFirst())) {
                return measure(each, quick);
            }
        }
        System.err.println("bench: there is no " + names.getFirst() + "; bench list shows what there is");
        return USAGE;
    }

    private static int measure(Measurement measurement, boolean quick) throws InterruptedException {
        try {
            Results results = measurement.run(quick, System.out);
            System.out.println(results.json(measurement.name(), Machine.describe()));
            return 0;
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return RUNTIME_ERROR;
        }
    }
}
