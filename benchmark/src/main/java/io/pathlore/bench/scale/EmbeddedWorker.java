package io.pathlore.bench.scale;

import io.pathlore.analysis.sequence.Rehearsal;
import io.pathlore.cli.config.ConfigLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The analysis in one piece, in a process of its own: writes the nanoseconds of processor time that a report takes. */
final class EmbeddedWorker {
    private static final long SEED = 1;

    private EmbeddedWorker() {}

    static void main(String[] arguments) {
        int perSecond = Integer.parseInt(arguments[0]);
        int warmSeconds = Integer.parseInt(arguments[1]);
        int seconds = Integer.parseInt(arguments[2]);
        Rehearsal.run(); // as the collector does
        var service = new ConfigLoader(Path.of("."), Path.of("."), Map.of("HOME", "/")).loadService(null, List.of());
        Embedded embedded = new Embedded(service, SEED);
        Traffic traffic = Traffic.ofAFabric(perSecond);
        Cost cost = new Cost();
        for (int second = 0; second < warmSeconds + seconds; second++) {
            byte[][] envelopes = traffic.next(perSecond);
            Cost one = second < warmSeconds ? new Cost() : cost;
            one.start();
            embedded.on(envelopes);
            one.stop();
        }
        embedded.check((long) (warmSeconds + seconds) * perSecond);
        System.out.println((double) (cost.nanos() + cost.collectingNanos()) / seconds / perSecond);
    }
}
