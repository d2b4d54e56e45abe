package io.pathlore.flink;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What every machine of the cluster has to know, as it travels there: the words of the configuration, and not what they name on the
 * machine that submits.
 *
 * @param config the words of the file; empty where there is none
 * @param sets single settings, later ones over earlier ones
 * @param parts that exporters, and flows, nodes and networks, are spread over
 * @param seed of hashes, until there is state that knows another
 */
record Plan(String config, List<String> sets, int parts, long seed) implements Serializable {
    private static final long serialVersionUID = 1;

    /** For all reports that wait for their time, of all parts of a stage. */
    private static final long WAITING_BYTES = 512L << 20;

    Plan {
        sets = new ArrayList<>(sets); // that can travel
    }

    /** What it says, where a machine needs it. */
    Parts open() {
        List<String> all = new ArrayList<>(sets);
        all.add("kafka.bootstrap="); // who submits the job has read it, with the files it names
        return new Parts(load(all), parts, parts, parts, parts, seed, WAITING_BYTES);
    }

    /** All of it, with Kafka, where it is submitted: from the same words as everywhere else. */
    Service submitted() {
        return load(sets);
    }

    private Service load(List<String> settings) {
        try {
            Path directory = Files.createTempDirectory("pathlore-job");
            Path file = directory.resolve("pathlore.yaml");
            try {
                Files.writeString(file, config);
                List<String> all = new ArrayList<>(settings);
                all.add("data=" + directory);
                Path here = Path.of("").toAbsolutePath();
                return new ConfigLoader(here, directory, Map.of()).loadService(file, all);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int count(Stage stage) {
        return stage == Stage.VERDICTS ? 1 : parts;
    }
}
