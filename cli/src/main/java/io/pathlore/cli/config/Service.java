package io.pathlore.cli.config;

import io.pathlore.analysis.ddos.Rules;
import io.pathlore.analysis.plan.NeverBlock;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.mitigate.ledger.Limits;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.serve.HttpOptions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a process that stays: what {@code collect} and the commands around it need beyond {@link Config}.
 *
 * @param data where everything is kept
 * @param memoryBytes ceiling of all tables and queues together, but for {@link Storing#memoryBytes}
 * @param kafka null where there is none
 * @param edges who has the reports of what comes from Kafka
 * @param origins every key with its value and where that was said, as JSON: {@link ConfigDump#json}
 */
public record Service(
        Config config,
        Path data,
        long memoryBytes,
        Listening listen,
        Journalling journal,
        Storing store,
        Analysis analysis,
        Defending defend,
        HttpOptions http,
        @Nullable Kafka kafka,
        List<EdgeSetting> edges,
        String origins) {
    public Service {
        edges = List.copyOf(edges);
    }

    /** Instead of a number: as many as fit the machine. */
    public static final int AUTO = 0;

    /** The same, but for how tables are kept. */
    public Service with(Storing storing) {
        return new Service(
                config, data, memoryBytes, listen, journal, storing, analysis, defend, http, kafka, edges, origins);
    }

    /** Where the journal is. */
    public Path journalDirectory() {
        return data.resolve("journal");
    }

    /** Where the ledger of mitigations and the audit are. */
    public Path mitigationDirectory() {
        return data.resolve("mitigations");
    }

    public Path auditFile() {
        return mitigationDirectory().resolve("audit.jsonl");
    }

    /** Where the tables for SQL are. */
    public Path storeDirectory() {
        return data.resolve("store");
    }

    /** Where it is remembered what was published. */
    public Path kafkaDirectory() {
        return data.resolve("kafka");
    }

    public record Listening(
            List<InetAddress> addresses,
            List<Integer> ports,
            int receiveBufferBytes,
            int workers,
            boolean gro,
            AllowList allow,
            NodeBinding.Mode binding,
            long rateLimit) {
        public Listening {
            addresses = List.copyOf(addresses);
            ports = List.copyOf(ports);
        }
    }

    public record Journalling(boolean enabled, Duration sync, long segmentBytes, Duration keep, long keepBytes) {}

    /**
     * The tables for SQL: how long rows are kept, zero for ever.
     *
     * @param memoryBytes for the database: caches, writing and all questions together
     */
    public record Storing(boolean enabled, Duration seconds, Duration minutes, Duration events, long memoryBytes) {}

    /**
     * How much is remembered, and by how many threads.
     *
     * @param enabled false: others analyse what is published, and here it is only accounted for
     * @param join how long reports of one packet may be apart
     * @param shards threads that analyse; {@link #AUTO} is none where there are no processors to spare
     */
    public record Analysis(boolean enabled, int flows, int paths, int shards, Duration join, Duration silentAfter) {}

    /** Where Kafka is, and what is published there. */
    public record Kafka(Brokers brokers, boolean datagrams, boolean events, boolean rollups) {
        /** Nothing is published. */
        public boolean isSilent() {
            return !datagrams && !events && !rollups;
        }
    }

    /**
     * What is an attack, and what may be done about one.
     *
     * @param isOneSinkEnough the network of Transparent Security, in which one node reports
     * @param rules without room and seed
     * @param neverBlock whose packets are never stopped
     * @param limits of what is done
     * @param enforcers who can make a rule hold: the first that serves a node is asked
     * @param notices who is told
     */
    public record Defending(
            Mode mode,
            boolean isOneSinkEnough,
            Rules rules,
            List<NeverBlock> neverBlock,
            Limits limits,
            List<EnforcerSetting> enforcers,
            List<EnforcerSetting.Notify> notices,
            List<EnforcerSetting.Quiet> maintenance) {
        public Defending {
            neverBlock = List.copyOf(neverBlock);
            enforcers = List.copyOf(enforcers);
            notices = List.copyOf(notices);
            maintenance = List.copyOf(maintenance);
        }
    }
}
