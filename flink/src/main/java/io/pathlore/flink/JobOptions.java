package io.pathlore.flink;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the job is told when it is submitted.
 *
 * @param config the file, or null
 * @param sets settings over those of the file
 * @param parts that exporters, flows and nodes are spread over: the most machines that can share the work
 * @param untilNow ends with what is there now
 */
record JobOptions(@Nullable Path config, List<String> sets, int parts, boolean untilNow) {
    static final String USAGE = """
            flink run pathlore-job.jar --set kafka.bootstrap=broker:9092
            flink run -p 8 pathlore-job.jar --config /etc/pathlore/pathlore.yaml
            flink run -s SAVEPOINT -p 16 pathlore-job.jar --config /etc/pathlore/pathlore.yaml

            --config FILE    the collector's configuration: inventory, analysis, defend, kafka
            --set NAME=VALUE a setting over those of the file; may be given again
            --parts N        what exporters, flows, nodes and networks are spread over, 1 to 1024 (32); the most
                             slots that are of use, and fixed once there is state
            --until-now      ends with what is in the topic now
            --help           this
            """;

    private static final int DEFAULT_PARTS = 32;
    private static final int MOST_PARTS = 1_024;

    static JobOptions parse(String... args) {
        Path config = null;
        List<String> sets = new ArrayList<>();
        int parts = DEFAULT_PARTS;
        boolean untilNow = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--config" -> config = Path.of(value(args, ++i));
                case "--set" -> sets.add(value(args, ++i));
                case "--parts" -> parts = number(value(args, ++i));
                case "--until-now" -> untilNow = true;
                default -> throw new IllegalArgumentException("unknown option '" + args[i] + "'\n" + USAGE);
            }
        }
        return new JobOptions(config, sets, parts, untilNow);
    }

    private static String value(String[] args, int index) {
        if (index >= args.length) {
            throw new IllegalArgumentException(args[index - 1] + " needs a value\n" + USAGE);
        }
        return args[index];
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= MOST_PARTS) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As if it were out of range.
        }
        throw new IllegalArgumentException("--parts must be 1 to " + MOST_PARTS + ", is '" + text + "'");
    }
}
