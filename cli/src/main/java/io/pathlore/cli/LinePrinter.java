package io.pathlore.cli;

import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.TravelPath;
import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One line per report, for people. What a report does not say is left out or a question mark, never a zero. */
final class LinePrinter implements ReportPrinter {
    private static final String[] TITLES = {"", "TIME", "EXPORTER", "NODE", "SEQ", "FLAG", "FLOW"};
    private static final int NUMBER = 0;
    private static final int TIME = 1;

    private final Ink ink;
    private final Inventory inventory;
    private final boolean header;
    private final Columns columns;
    private Text line;
    private final TravelPath path = new TravelPath();
    private boolean headerDone;
    private long day = Long.MIN_VALUE;

    LinePrinter(Output out, Ink ink, Inventory inventory, boolean header) {
        this.ink = ink;
        this.inventory = inventory;
        this.header = header;
        columns = new Columns(out, 19, 18, 39, 20, 10, 4, 60);
        line = columns.begin();
    }

    @Override
    public void flush() {
        columns.release();
    }

    @Override
    public void report(Place place, ReportView report) {
        begin(place);
        Inventory.Node known = report.nodeId() == ReportView.ABSENT ? null : inventory.byId(report.nodeId());
        node(report.nodeId(), known);
        columns.endCell();
        line.decimal(report.sequence());
        columns.endCell();
        flags(report);
        columns.endCell();
        flow(report.packet());
        columns.endCell();
        path.of(report);
        path();
        if (!path.hasStack()) {
            ownInterfaces(report);
        }
        drop(report, known);
        if (report.dialect() != Profile.SPEC) {
            line.add("  ").add(report.dialect().label());
        }
        warnings(report.warnings());
        columns.endLine();
    }

    @Override
    public void packet(Place place, PacketView packet, Warnings warnings) {
        begin(place);
        columns.endCell();
        columns.endCell();
        columns.endCell();
        flow(packet);
        columns.endCell();
        path.ofPacket(packet);
        path();
        warnings(warnings);
        columns.endLine();
    }

    @Override
    public void rejected(Place place, Fault fault, int offset, Warnings warnings, ByteBuffer buffer, int end) {
        begin(place);
        line.ink(ink.wrong())
                .add(fault.name())
                .add(" at byte ")
                .decimal(offset)
                .add(": ")
                .add(fault.meaning())
                .ink(ink.end());
        warnings(warnings);
        columns.endLine();
    }

    private void begin(Place place) {
        header(place);
        line = columns.begin();
        line.decimal(place.number);
        columns.endCell();
        if (place.timeNanos != Place.UNKNOWN_TIME) {
            line.timeOfDay(place.timeNanos);
        }
        columns.endCell();
        if (place.addressed) {
            line.address(place.v6, place.sourceHigh, place.sourceLow);
        }
        columns.endCell();
    }

    /** Names the columns, and the day that the times below are of; again when it changes. */
    private void header(Place place) {
        long today = place.timeNanos == Place.UNKNOWN_TIME ? day : Text.epochDay(place.timeNanos);
        if (!header || (headerDone && today == day)) {
            return;
        }
        headerDone = true;
        day = today;
        line = columns.begin().ink(ink.faint());
        for (int column = 0; column < TITLES.length; column++) {
            if (column == NUMBER) {
                line.add(place.inJournal ? "ID" : "FRAME");
            } else if (column == TIME && day != Long.MIN_VALUE) {
                line.date(day).add(" UTC");
            } else {
                line.add(TITLES[column]);
            }
            columns.endCell();
        }
        line.add("PATH").ink(ink.end());
        columns.endLine();
    }

    private void node(long nodeId, Inventory.@Nullable Node known) {
        if (nodeId < 0) {
            line.add('?');
        } else if (known != null && known.name() != null) {
            line.add(known.name());
        } else {
            line.decimal(nodeId);
        }
    }

    private void flags(ReportView report) {
        if (!report.flagsKnown()) {
            line.add('?');
            return;
        }
        if (report.dropped()) {
            line.ink(ink.wrong()).add('D').ink(ink.end());
        } else {
            line.add('-');
        }
        line.add(report.congested() ? 'Q' : '-').add(report.tracked() ? 'F' : '-');
        if (report.version() == ReportVersion.V2_0) {
            line.add(report.intermediate() ? 'I' : '-');
        }
    }

    private void flow(PacketView packet) {
        FlowView flow = packet.flow();
        if (!flow.known()) {
            line.add(packet.layers() > 0 ? packet.layer(packet.layers() - 1).label() : "");
            return;
        }
        endpoint(flow.v6(), flow.sourceHigh(), flow.sourceLow(), flow.sourcePort());
        line.add(" > ");
        endpoint(flow.v6(), flow.destinationHigh(), flow.destinationLow(), flow.destinationPort());
        line.add(' ');
        String protocol = Protocols.name(flow.protocol());
        if (protocol == null) {
            line.add("proto ").decimal(flow.protocol());
        } else {
            line.add(protocol);
        }
        if (flow.icmpType() >= 0) {
            line.add(' ').decimal(flow.icmpType()).add('/').decimal(flow.icmpCode());
        }
        if (flow.vni() >= 0) {
            line.add(" vni ").decimal(flow.vni());
        }
    }

    private void endpoint(boolean v6, long high, long low, int port) {
        boolean brackets = v6 && port >= 0;
        if (brackets) {
            line.add('[');
        }
        line.address(v6, high, low);
        if (brackets) {
            line.add(']');
        }
        if (port >= 0) {
            line.add(':').decimal(port);
        }
    }

    private void path() {
        for (int i = 0; i < path.size(); i++) {
            if (i > 0) {
                line.add(" > ");
            }
            long node = path.node(i);
            line.ink(ink.strong());
            node(node, node < 0 ? null : inventory.byId(node));
            line.ink(ink.end());
            hopDetail(i);
        }
    }

    private void hopDetail(int index) {
        boolean latency = path.latency(index) != TravelPath.ABSENT;
        boolean queue = path.occupancy(index) != TravelPath.ABSENT;
        if (!latency && !queue) {
            return;
        }
        line.add('(');
        if (latency) {
            line.add("lat ").decimal(path.latency(index));
        }
        if (queue) {
            line.add(latency ? ", q" : "q");
            if (path.queueId(index) != TravelPath.ABSENT) {
                line.decimal(path.queueId(index));
            }
            line.add(' ').decimal(path.occupancy(index));
        }
        line.add(')');
    }

    /** A report about one hop has room to say where the packet came in and went out. */
    private void ownInterfaces(ReportView report) {
        if (!report.hasMetadata()) {
            return;
        }
        HopView own = report.metadata();
        if (own.ingressInterface() >= 0) {
            line.add(" in ").decimal(own.ingressInterface());
        }
        if (own.egressInterface() >= 0) {
            line.add(" out ").decimal(own.egressInterface());
        }
    }

    private void drop(ReportView report, Inventory.@Nullable Node known) {
        long reason = report.hasMetadata() ? report.metadata().dropReason() : HopView.ABSENT;
        if (reason >= 0) {
            line.add("  ").ink(ink.wrong()).add("drop ").decimal(reason);
            String name = DropReasons.name((int) reason, known);
            if (name != null) {
                line.add(" (").add(name).add(')');
            }
            line.ink(ink.end());
        }
        int at = report.dropOffset();
        if (at >= 0) {
            ByteBuffer buffer = report.buffer();
            line.add("  count ").decimal(Integer.toUnsignedLong(buffer.getInt(at + 4)));
            line.add(" key ").hex(buffer.getLong(at + 16), 16);
        }
    }

    private void warnings(Warnings warnings) {
        if (warnings.count() == 0) {
            return;
        }
        line.add("  ").ink(ink.faint());
        for (int i = 0; i < warnings.count(); i++) {
            line.add(i == 0 ? "" : " ").add(warnings.name(i));
        }
        line.ink(ink.end());
    }
}
