package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.join.PacketAccount;
import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.FlowKey;
import io.pathlore.model.JsonLine;
import io.pathlore.model.ReportRow;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.wire.decode.ReportRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes said of the packet of one report. The journal is read around it: reports of one packet are apart by {@code analysis.join}
 * at most, and a little more of the flow is looked at to know who should have told of it.
 */
final class PacketAnswer {
    static final Operation OPERATION = Operation.of(
                    ReportQuery.GROUP,
                    "The packet that a report is about: what every node said of it, in the order of its way, and who said nothing")
            .at(Parameter.text("id", "EDGE-POSITION-ORDINAL, as in `id` of a report"))
            .answers("Packet")
            .refuses(404, 409);

    private static final long FLOW_NANOS = 1_000_000_000L;

    /** Where datagrams are looked for. */
    interface Source {
        /** The reports of the datagram that this one is in; none where it is not there, or no longer. */
        void at(ReportId id, DecodedReports.Taker taker) throws IOException, Problem;

        /** Those of a time, and of this flow at least; false: it was too much work, and there may be more. */
        boolean between(FlowKey flow, long sinceNanos, long untilNanos, DecodedReports.Taker taker)
                throws IOException, Problem;

        /** Who could not be asked: what they know is missing. */
        default List<Unreached> unreached() {
            return List.of();
        }
    }

    private final Source source;
    private final Inventory inventory;
    private final CountingRules rules;
    private final long joinNanos;
    private final ReportRows encoder = new ReportRows(0);
    private final ByteBuffer bytes = ByteBuffer.allocate(ReportRow.MAX_LENGTH);
    private final ReportRow row = new ReportRow();

    private PacketAnswer(Source source, Config config, long joinNanos) {
        this.source = source;
        this.inventory = config.inventory();
        this.rules = new CountingRules(inventory);
        this.joinNanos = joinNanos;
    }

    /**
     * What the report says of its packet.
     *
     * @param print 0 where it has too little of it to tell it from others of its flow
     */
    private record Asked(@Nullable FlowKey flow, long flowHash, long print, long nanos) {}

    /** Null where nobody has the report, or no longer. */
    static @Nullable Reply of(Source source, Config config, ReportId id, long joinNanos) throws IOException, Problem {
        return new PacketAnswer(source, config, joinNanos).answer(id);
    }

    private @Nullable Reply answer(ReportId id) throws IOException, Problem {
        PacketAccount alone = new PacketAccount();
        Asked asked = find(id, alone);
        if (asked == null) {
            return null;
        }
        if (asked.flow == null || asked.print == 0) {
            return Reply.json(200, json(id, asked.flow, alone, List.of(id.toString()), true));
        }
        PacketAccount account = new PacketAccount();
        List<String> ids = new ArrayList<>();
        long around = Math.max(joinNanos, FLOW_NANOS);
        boolean all = source.between(
                asked.flow, asked.nanos - around, asked.nanos + around, at -> take(at, asked, account, ids));
        return Reply.json(200, json(id, asked.flow, account, ids, all));
    }

    private @Nullable Asked find(ReportId id, PacketAccount account) throws IOException, Problem {
        @Nullable Asked[] found = new Asked[1];
        source.at(id, at -> {
            boolean same = at.envelope().edgeId() == id.edge()
                    && at.envelope().position() == id.position()
                    && at.ordinal() == id.ordinal();
            if (same && at.row(encoder, rules, bytes)) {
                row.wrap(bytes, 0);
                boolean packet = row.hasFlow() && row.dropCount() == ReportRow.ABSENT;
                found[0] = new Asked(row.flow(), row.flowHash(), packet ? row.packetPrint() : 0, row.receivedNanos());
                account.add(row);
            } else if (same) {
                found[0] = new Asked(null, 0, 0, 0); // it was not understood
            }
        });
        return found[0];
    }

    /** In a journal. */
    static Source in(JournalReports reports, Config config, ReportPage.Budget budget) {
        long startTicks = System.nanoTime();
        return new Source() {
            @Override
            public void at(ReportId id, DecodedReports.Taker taker) throws IOException {
                JournalReader ignored = reports.begin(config, Filter.ALL).fromPosition(id.position());
                boolean _ = reports.next(taker);
            }

            @Override
            public boolean between(FlowKey flow, long sinceNanos, long untilNanos, DecodedReports.Taker taker)
                    throws IOException {
                JournalReader ignored = reports.again().between(sinceNanos, untilNanos);
                while (reports.next(taker)) {
                    if (reports.octets() >= budget.octets() || System.nanoTime() - startTicks >= budget.nanos()) {
                        return false;
                    }
                }
                return true;
            }
        };
    }

    private void take(DecodedReports at, Asked asked, PacketAccount account, List<String> ids) {
        if (!at.row(encoder, rules, bytes)) {
            return;
        }
        row.wrap(bytes, 0);
        if (!row.hasFlow() || row.flowHash() != asked.flowHash || row.dropCount() != ReportRow.ABSENT) {
            return;
        }
        if (row.packetPrint() != asked.print) {
            account.other(row);
        } else if (Math.abs(row.receivedNanos() - asked.nanos) <= joinNanos) {
            account.add(row);
            ids.add(new ReportId(at.envelope().edgeId(), at.envelope().position(), at.ordinal()).toString());
        }
    }

    private String json(ReportId id, @Nullable FlowKey flow, PacketAccount account, List<String> ids, boolean all) {
        JsonLine json = new JsonLine().begin();
        json.text("report", id.toString());
        if (flow != null) {
            json.flow("flow", flow);
        }
        json.texts("reports", ids);
        List<PacketAccount.Hop> hops = account.hops();
        json.openArray("hops");
        for (PacketAccount.Hop hop : hops) {
            hop(json.openElement(), hop, ids.get(hop.report())).close();
        }
        json.closeArray().openArray("missing");
        for (PacketAccount.Missing missing : account.missing()) {
            missing(json.openElement(), missing, hops).close();
        }
        List<Unreached> unreached = source.unreached();
        json.closeArray().bool("whole", all && unreached.isEmpty() && account.isWhole());
        if (!all) {
            json.bool("cut", true);
        }
        if (!unreached.isEmpty()) {
            json.openArray("unreached");
            for (Unreached each : unreached) {
                json.openElement()
                        .text("edge", each.edge())
                        .text("why", each.why())
                        .close();
            }
            json.closeArray();
        }
        return json.end();
    }

    private JsonLine hop(JsonLine json, PacketAccount.Hop hop, String report) {
        node(json, "node", "name", hop.node());
        json.number("ingress", hop.ingress()).number("egress", hop.egress());
        json.number("latencyNs", hop.latency() < ReportRow.IMPLAUSIBLE_NANOS ? hop.latency() : ReportRow.ABSENT);
        json.number("queue", hop.queue()).number("occupancy", hop.occupancy()).number("ttl", hop.ttl());
        if (hop.dropped()) {
            json.bool("dropped", true).number("dropReason", hop.dropReason());
            String reason = DropReasons.name((int) hop.dropReason(), inventory.byId(hop.node()));
            if (reason != null) {
                json.text("dropReasonName", reason);
            }
        }
        return json.text("report", report);
    }

    private JsonLine missing(JsonLine json, PacketAccount.Missing missing, List<PacketAccount.Hop> hops) {
        json.number("count", missing.count());
        if (missing.after() >= 0) {
            node(json, "after", "afterName", hops.get(missing.after()).node());
        }
        if (missing.after() + 1 < hops.size()) {
            node(json, "before", "beforeName", hops.get(missing.after() + 1).node());
        }
        return json.numbers("nodes", missing.nodes())
                .texts("names", missing.nodes().stream().map(this::called).toList());
    }

    private void node(JsonLine json, String key, String nameKey, long node) {
        json.number(key, node);
        String name = name(node);
        if (name != null) {
            json.text(nameKey, name);
        }
    }

    private @Nullable String name(long node) {
        Inventory.Node known = node == ReportRow.ABSENT ? null : inventory.byId(node);
        return known == null ? null : known.name();
    }

    private String called(long node) {
        String name = name(node);
        return name == null ? Long.toString(node) : name;
    }
}
