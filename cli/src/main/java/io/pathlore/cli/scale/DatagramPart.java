package io.pathlore.cli.scale;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.rollup.Arrivals;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Collector;
import io.pathlore.cli.service.PathBook;
import io.pathlore.cli.service.Pipeline;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Intake;
import io.pathlore.engine.state.State;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Decodes the datagrams of some exporters and follows their numbers. Who may speak for whom was decided where they were received. */
final class DatagramPart implements Part {
    private static final int EXPORTERS = 8_192;
    private static final int STREAMS = 65_536;
    private static final int LEAST = 256;

    /** Up to where an edge's datagrams of an exporter have come: what is not behind it was here before. */
    private static final class Position {
        long last = Long.MIN_VALUE;
    }

    private final Envelope envelope = new Envelope();
    private final LongMap<Position> positions;
    private final RecordedDatagrams datagrams;
    private final Arrivals arrivals;
    private final Outbox outbox;
    private final List<Object> remembering = new ArrayList<>();
    private final Tallies tallies = new Tallies();

    /** What is worth knowing after a restart, too. */
    private static final class Tallies {
        long again;
        long unreadable;
        boolean dropsTold;
        long lastNanos = Long.MIN_VALUE;
    }

    DatagramPart(Parts parts, int part, Outbox outbox) {
        Service service = parts.service();
        Room room = Room.part(parts.datagrams());
        int exporterCount = Math.max(LEAST, EXPORTERS / parts.datagrams());
        positions = new LongMap<>(4 * exporterCount);
        this.outbox = outbox;
        arrivals = Analysts.arrivals(room, what -> {
            tallies.lastNanos = Math.max(tallies.lastNanos, what.lastNanos());
            outbox.arrived(what);
        });
        TableFeed feed = new TableFeed(outbox.rows(part), service.config().inventory(), PathBook.of(service, room));
        Ledger ledger = new Ledger(false);
        Ledger.Worker counts = ledger.addWorker();
        ExporterTable exporters = new ExporterTable(
                exporterCount, 0, Collector.profiles(service.config().inventory()), parts.seed());
        Admission admission = new Admission(
                DatagramBatch.LARGEST_DATAGRAM, AllowList.of(List.of(AllowList.ANY)), exporters, counts, parts.seed());
        EventSink events = outbox::event;
        Pipeline pipeline = new Pipeline(
                service.config(),
                Math.max(LEAST, STREAMS / parts.datagrams()),
                exporters,
                new NodeBinding(NodeBinding.Mode.OFF, 1, Map.of(), parts.seed()),
                new Spread(parts, outbox),
                (batch, index) -> {},
                ledger,
                counts,
                parts.seed(),
                Analysts.health(service, room, events),
                feed.exporters(),
                () -> {});
        datagrams = RecordedDatagrams.oneByOne(admission, pipeline.decoding(), counts);
        remembering.addAll(pipeline.remembering());
        remembering.add(positions);
        remembering.add(datagrams);
        remembering.add(feed);
        remembering.add(arrivals);
        remembering.add(tallies);
    }

    /** Gives each report to those who look at it. */
    private final class Spread implements Intake {
        private final ReportRow row = new ReportRow();
        private final Parts parts;
        private final Outbox outbox;
        private final ToHops hops;
        private final ToAttacks attacks;

        Spread(Parts parts, Outbox outbox) {
            this.parts = parts;
            this.outbox = outbox;
            hops = new ToHops(parts.hops(), outbox);
            attacks = new ToAttacks(parts.attacks(), outbox);
        }

        @Override
        public void report(ByteBuffer bytes, int at) {
            row.wrap(bytes, at);
            if (!tallies.dropsTold && row.dropped()) {
                tallies.dropsTold = true;
                for (int part = 0; part < parts.flows(); part++) {
                    outbox.found(Stage.FLOWS, part, ReportRow.receivedNanos(bytes, at), FlowPart.DropsTold.YES);
                }
            }
            outbox.report(Stage.FLOWS, Parts.part(ReportRow.flowHash(bytes, at), parts.flows()), bytes, at);
            attacks.report(bytes, at);
            hops.report(bytes, at);
            arrivals.on(row);
        }

        @Override
        public void flush() {}

        @Override
        public void endBatch() {}

        @Override
        public void onTick(long nowNanos) {}

        @Override
        public void onPressure(int percent, long ticks) {}

        @Override
        public void end() {}
    }

    @Override
    public void on(byte[] block) {
        if (!envelope.wrap(ByteBuffer.wrap(block), 0, block.length)) {
            tallies.unreadable++;
            return;
        }
        long exporter = ReportRow.mix(envelope.exporterLow() ^ ReportRow.mix(envelope.exporterHigh()));
        Position position = positions.get(ReportRow.mix(exporter ^ envelope.edgeId()), Position::new, gone -> {});
        if (envelope.position() <= position.last) {
            tallies.again++;
            return;
        }
        position.last = envelope.position();
        datagrams.add(envelope);
    }

    @Override
    public void onTime(long untilNanos) {
        datagrams.onTime(untilNanos);
        arrivals.onWake(untilNanos + 1);
    }

    @Override
    public void end() {
        datagrams.end();
        arrivals.end();
        if (tallies.lastNanos != Long.MIN_VALUE) {
            outbox.last(tallies.lastNanos);
        }
    }

    @Override
    public byte[] state() {
        return State.of(remembering.toArray());
    }

    @Override
    public void restore(byte[] state) {
        State.restore(state, remembering.toArray());
    }

    @Override
    public Figures figures() {
        return new Figures(0, 0, 0, 0, tallies.again, tallies.unreadable);
    }
}
