package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.filter.ReportSubject;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.model.Fault;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportRows;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.envelope.Envelope;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.tree.ReportTree;
import io.pathlore.wire.tree.TreeNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reports in datagrams that were kept, decoded one after the other. Belongs to one thread. */
final class DecodedReports implements ReportSink {
    private static final int EXPORTERS = 4096;

    /** Is told of each report that is wanted, while it is at hand. */
    @FunctionalInterface
    interface Taker {
        void take(DecodedReports at);
    }

    private record Address(boolean v6, long high, long low) {}

    private final ReportJson json = new ReportJson();
    private final Origin origin = new Origin();
    private final ReportSubject subject = new ReportSubject();
    private final Map<Address, Exporter> exporters = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Address, Exporter> eldest) {
            return size() > EXPORTERS;
        }
    };

    private ReportDecoder decoder = new ReportDecoder(Pipeline.options(Config.defaults()));
    private ExporterTable.Profiles profiles = ExporterTable.Profiles.AUTO;
    private Filter filter = Filter.ALL;
    private Taker taker = at -> {};
    private long datagrams;
    private long reports;

    // What is at hand.
    private Envelope envelope = new Envelope();
    private int ordinal;
    private @Nullable ReportView report;
    private Fault fault = Fault.NONE;
    private int faultOffset;

    /** What follows is decoded as this configuration says. */
    void begin(Config config, Filter wanted) {
        decoder = new ReportDecoder(Pipeline.options(config));
        profiles = Collector.profiles(config.inventory());
        exporters.clear();
        filter = wanted;
        datagrams = 0;
        reports = 0;
    }

    /** Tells of the reports in this datagram that are wanted. */
    void decode(Envelope next, Taker of) {
        envelope = next;
        taker = of;
        datagrams++;
        ordinal = -1;
        boolean v6 = envelope.v6();
        origin.atPlace(envelope.edgeId(), envelope.position(), envelope.receivedNanos());
        origin.between(
                v6,
                envelope.exporterHigh(),
                envelope.exporterLow(),
                envelope.exporterPort(),
                envelope.destinationHigh(),
                envelope.destinationLow(),
                envelope.destinationPort());
        if (envelope.destinationHigh() == 0 && envelope.destinationLow() == 0) {
            origin.toUnknownAddress();
        }
        subject.exporter(true, v6, envelope.exporterHigh(), envelope.exporterLow());
        Exporter exporter = exporters.computeIfAbsent(
                new Address(v6, envelope.exporterHigh(), envelope.exporterLow()),
                address -> new Exporter(profiles.of(address.v6, address.high, address.low)));
        decoder.decode(envelope.buffer(), envelope.datagramOffset(), envelope.datagramEnd(), exporter, this);
    }

    @Override
    public void onReport(ReportView view) {
        ordinal++;
        reports++;
        report = view;
        if (filter.matches(subject.report(view))) {
            taker.take(this);
        }
    }

    @Override
    public void onRejected(Fault why, int offset) {
        ordinal++;
        reports++;
        report = null;
        fault = why;
        faultOffset = offset;
        if (filter.matches(subject.rejected(why))) {
            taker.take(this);
        }
    }

    // What is at hand
    // --------------------------------------------------------------------------------------------------------------

    Envelope envelope() {
        return envelope;
    }

    /** Which of its datagram, from 0. */
    int ordinal() {
        return ordinal;
    }

    /** Of the report at hand, without a line feed; {@code raw}: with its datagram. */
    String json(boolean raw) {
        origin.nth(ordinal);
        if (raw) {
            origin.with(envelope.buffer(), envelope.datagramOffset(), envelope.datagramEnd());
        }
        ReportView view = report;
        if (view == null) {
            json.rejected(origin, fault, faultOffset - envelope.datagramOffset(), decoder.warnings());
        } else {
            json.report(origin, view);
        }
        return new String(json.bytes(), 0, json.length() - 1, StandardCharsets.US_ASCII);
    }

    /** The report at hand as those see it who analyse; false where it was rejected. */
    boolean row(ReportRows encoder, CountingRules rules, ByteBuffer to) {
        ReportView view = report;
        if (view == null) {
            return false;
        }
        long high = envelope.exporterHigh();
        long low = envelope.v6() ? envelope.exporterLow() : Addresses.mapped((int) envelope.exporterLow());
        long node = view.nodeId() == ReportView.ABSENT ? rules.nodeAt(high, low) : view.nodeId();
        int _ = encoder.encode(view, node, envelope.receivedNanos(), high, low, to, 0);
        rules.scale(to, 0, ReportRow.hops(to, 0));
        return true;
    }

    /** The same with {@code tree}; {@code before} are the trees of the reports that were decoded before it. */
    String jsonWithTree(List<TreeNode> before) {
        ReportView view = report;
        int start = envelope.datagramOffset();
        String tree = view == null
                ? TreeJson.rejected(
                        before, fault, decoder.warnings(), start, faultOffset - start, envelope.datagramLength())
                : TreeJson.of(view);
        String whole = json(true);
        return whole.substring(0, whole.length() - 1) + ",\"tree\":" + tree + "}";
    }

    /** Of the report at hand; none where it was rejected. */
    List<TreeNode> tree() {
        ReportView view = report;
        return view == null ? List.of() : List.of(ReportTree.of(view));
    }

    // What was gone through
    // --------------------------------------------------------------------------------------------------------------

    long datagrams() {
        return datagrams;
    }

    /** Also those that were rejected. */
    long reports() {
        return reports;
    }
}
