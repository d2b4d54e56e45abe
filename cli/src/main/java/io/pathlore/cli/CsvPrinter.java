package io.pathlore.cli;

import io.pathlore.cli.filter.TravelPath;
import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** A flat table, one row per report; absent is empty [RFC 4180, with plain line feeds as Unix tools like them]. */
final class CsvPrinter implements ReportPrinter {
    private static final String HEADER =
            "time,exporter,version,dialect,node_id,hw_id,sequence,dropped,congested,tracked,"
                    + "source,destination,protocol,source_port,destination_port,vni,path,hops,"
                    + "ingress_interface,egress_interface,hop_latency,queue_id,queue_occupancy,"
                    + "ingress_timestamp,egress_timestamp,drop_reason,error,warnings";
    private static final int REPORT_COLUMNS = 8;
    private static final int FLOW_COLUMNS = 6;
    private static final int METADATA_COLUMNS = 8;

    private final Output out;
    private final Text row = new Text();
    private final TravelPath path = new TravelPath();

    CsvPrinter(Output out, boolean header, boolean journal) {
        this.out = out;
        if (header) {
            out.write(row.add(journal ? "id," : "frame,").add(HEADER).line());
        }
    }

    @Override
    public void report(Place place, ReportView report) {
        begin(place);
        text(report.version().label());
        text(report.dialect() == Profile.SPEC ? "" : report.dialect().label());
        number(report.nodeId());
        number(report.hwId());
        number(report.sequence());
        flag(report.flagsKnown(), report.dropped());
        flag(report.flagsKnown(), report.congested());
        flag(report.flagsKnown(), report.tracked());
        flow(report.packet().flow());
        path.of(report);
        path();
        if (report.hasMetadata()) {
            HopView metadata = report.metadata();
            number(metadata.ingressInterface());
            number(metadata.egressInterface());
            number(metadata.hopLatency());
            number(metadata.queueId());
            number(metadata.queueOccupancy());
            unsigned(metadata.ingressTimestamp());
            unsigned(metadata.egressTimestamp());
            number(metadata.dropReason());
        } else {
            empty(METADATA_COLUMNS);
        }
        empty(1);
        warnings(report.warnings());
    }

    @Override
    public void packet(Place place, PacketView packet, Warnings warnings) {
        begin(place);
        empty(REPORT_COLUMNS);
        flow(packet.flow());
        path.ofPacket(packet);
        path();
        empty(METADATA_COLUMNS + 1);
        warnings(warnings);
    }

    @Override
    public void rejected(Place place, Fault fault, int offset, Warnings warnings, ByteBuffer buffer, int end) {
        begin(place);
        empty(REPORT_COLUMNS + FLOW_COLUMNS + 2 + METADATA_COLUMNS);
        text(fault.name());
        warnings(warnings);
    }

    private void begin(Place place) {
        row.clear().decimal(place.number).add(',');
        if (place.timeNanos != Place.UNKNOWN_TIME) {
            row.timestamp(place.timeNanos);
        }
        row.add(',');
        if (place.addressed) {
            row.address(place.v6, place.sourceHigh, place.sourceLow);
        }
    }

    private void flow(FlowView flow) {
        if (!flow.known()) {
            empty(FLOW_COLUMNS);
            return;
        }
        row.add(',').address(flow.v6(), flow.sourceHigh(), flow.sourceLow());
        row.add(',').address(flow.v6(), flow.destinationHigh(), flow.destinationLow());
        number(flow.protocol());
        number(flow.sourcePort());
        number(flow.destinationPort());
        number(flow.vni());
    }

    private void path() {
        row.add(',');
        for (int i = 0; i < path.size(); i++) {
            if (i > 0) {
                row.add('>');
            }
            if (path.node(i) == TravelPath.ABSENT) {
                row.add('?');
            } else {
                row.decimal(path.node(i));
            }
        }
        number(path.hasStack() ? path.stackHops() : TravelPath.ABSENT);
    }

    /** Ends the row. */
    private void warnings(Warnings warnings) {
        row.add(',');
        for (int i = 0; i < warnings.count(); i++) {
            row.add(i == 0 ? "" : ";").add(warnings.name(i));
        }
        out.write(row.line());
    }

    private void text(String value) {
        row.add(',').add(quoted(value));
    }

    /**
     * A text that came from elsewhere: a name is not a formula, whatever a spreadsheet thinks. Numbers have their sign without being one, and
     * are not given to this.
     */
    static String cell(String text) {
        boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
        return quoted(formula ? "'" + text : text);
    }

    /** Quotes only what needs quotes. */
    static String quoted(String value) {
        boolean plain =
                value.indexOf(',') < 0 && value.indexOf('"') < 0 && value.indexOf('\n') < 0 && value.indexOf('\r') < 0;
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }

    private void number(long value) {
        row.add(',');
        if (value >= 0) {
            row.decimal(value);
        }
    }

    /** A 64-bit value, of which only all ones is absent. */
    private void unsigned(long value) {
        row.add(',');
        if (value != HopView.ABSENT) {
            row.decimal(value);
        }
    }

    private void flag(boolean known, boolean value) {
        row.add(',');
        if (known) {
            row.add(value ? "true" : "false");
        }
    }

    private void empty(int columns) {
        for (int i = 0; i < columns; i++) {
            row.add(',');
        }
    }
}
