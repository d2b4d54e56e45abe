package io.pathlore.cli.service;

import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.analysis.sequence.SequenceTracker;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.Service;
import io.pathlore.engine.Engine;
import io.pathlore.engine.EngineOptions;
import io.pathlore.engine.Intake;
import io.pathlore.engine.Tally;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Shed;
import io.pathlore.ingest.udp.Decoding;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.wire.DecodeOptions;
import java.util.List;

/** What one thread does with the datagrams it accepted: decode, number, keep, analyse. The same live and over a file. */
public final class Pipeline {
    private final ExporterTable exporters;
    private final SequenceTable sequences;
    private final Census census = new Census();
    private final ReportIntake intake;
    private final Decoding decoding;
    private final StreamWatch health;
    private final ExporterMinutes minutes;

    /**
     * For the thread that decodes.
     *
     * @param streams of sequence numbers that are followed
     * @param health is told what the numbers say
     * @param minutes adds up what exporters send
     * @param onSelf told of a report about a packet to this collector itself
     */
    public Pipeline(
            Config config,
            int streams,
            ExporterTable exporters,
            NodeBinding binding,
            Intake engine,
            Journalling journal,
            Ledger ledger,
            Ledger.Worker counts,
            long seed,
            StreamWatch health,
            ExporterMinutes minutes,
            Runnable onSelf) {
        this.exporters = exporters;
        this.health = health;
        this.minutes = minutes;
        sequences = new SequenceTable(streams, seed, SequenceTracker.Rules.DEFAULT);
        ledger.addCount(Term.SEQUENCE_LOST, () -> sequences.totals().lost());
        DecodeOptions options = options(config);
        intake = new ReportIntake(
                sequences,
                engine,
                counts,
                census,
                new CountingRules(config.inventory()),
                options.maxReports(),
                seed,
                health,
                minutes,
                onSelf);
        decoding = new Decoding(options, exporters, binding, intake, journal, counts);
    }

    /** One thread that does all that a collector does, and tells what adds up. */
    public static Pipeline whole(
            Service service,
            int flows,
            ExporterTable exporters,
            NodeBinding binding,
            Journalling journal,
            Ledger ledger,
            Ledger.Worker counts,
            long seed,
            RowSink rows) {
        TableFeed feed = new TableFeed(rows, service.config().inventory(), PathBook.of(service));
        EventSink events = event -> {};
        Engine engine = new Engine(
                new EngineOptions(1, 0, flows, 1),
                Analysts.operators(service, seed, feed, events),
                feed::flows,
                () -> tally(counts));
        return new Pipeline(
                service.config(),
                SequenceTable.DEFAULT_CAPACITY,
                exporters,
                binding,
                engine.intake(0),
                journal,
                ledger,
                counts,
                seed,
                Analysts.health(service, events),
                feed.exporters(),
                () -> {});
    }

    static DecodeOptions options(Config config) {
        return config.decode().strict()
                ? config.decode().strictOptions()
                : config.decode().lenientOptions();
    }

    /** Counts in the ledger for the engine. */
    public static Tally tally(Ledger.Worker counts) {
        return new Tally() {
            @Override
            public void analysed(long reports) {
                counts.add(Term.ANALYSED, reports);
            }

            @Override
            public void shed(long reports) {
                counts.shed(Shed.OVERLOAD, reports);
            }

            @Override
            public void publish() {
                counts.publish();
            }
        };
    }

    /** Those who remember something of the datagrams that came before. */
    public List<Object> remembering() {
        return List.of(exporters, sequences, intake, health, minutes);
    }

    public Decoding decoding() {
        return decoding;
    }

    ReportIntake intake() {
        return intake;
    }

    ExporterTable exporters() {
        return exporters;
    }

    /** What the sequence numbers say, of all streams. Any thread. */
    public SequenceTotals totals() {
        return sequences.totals();
    }

    SequenceTable sequences() {
        return sequences;
    }

    Census census() {
        return census;
    }
}
