package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.store.tables.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What an explanation does not know, in words: whoever reads it must not take silence for health. */
record Unseen(
        JsonNode flow,
        List<Hop> hops,
        List<FlowExplanation.Told> told,
        Labels labels,
        double completeness,
        Duration before) {
    private static final int MINUTES_OF_A_HABIT = 10;

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (hops.isEmpty()) {
            lines.add("its path is not known: no report told it in that time");
        } else if (!flow.path("path").path("complete").asBoolean()) {
            lines.add("its path has holes: reports of some nodes are missing, or they do not speak INT");
        }
        for (Hop hop : hops) {
            ofHop(lines, hop);
        }
        if (hops.stream().anyMatch(Hop::hasLatency)) {
            lines.add("times of hops are those of all packets in these queues, not of this flow alone;"
                    + " the time on links is not in them");
        }
        if (!flow.has("drops")) {
            lines.add("whether packets of it were dropped: its nodes do not report drops");
        }
        for (FlowExplanation.Told each : told) {
            if (each.kind().equals("exporter-silent")) {
                lines.add(labels.called(each.event().path("node").asLong()) + " sends nothing since "
                        + Verdict.clock(each.event().path("start").asText()));
            }
        }
        if (Double.isNaN(completeness)) {
            lines.add("whether reports were lost on their way: exporters do not number them");
        } else if (completeness < 1) {
            lines.add("reports that were lost on their way: completeness is " + Amount.share(completeness));
        }
        return lines;
    }

    private void ofHop(List<String> lines, Hop hop) {
        String name = labels.called(hop.node);
        if (hop.reports == 0) {
            lines.add(name + ": no report of it in that time");
            return;
        }
        if (!hop.hasLatency()) {
            lines.add(name + ": it tells no latency");
            return;
        }
        if (hop.interfaces.isEmpty()) {
            lines.add(name + ": the interface the flow leaves by is not known, its figures are of all");
        } else if (hop.interfaces.size() > 1) {
            lines.add(name + ": the flow may leave by interface "
                    + hop.interfaces.stream().map(String::valueOf).collect(Collectors.joining(" or "))
                    + ", its figures are of all of these");
        }
        if (hop.usual() == Row.ABSENT) {
            lines.add(name + ": what is usual there, nothing was stored in the " + before.toHours() + " h before");
        } else if (hop.minutesBefore() > 0 && hop.minutesBefore() < MINUTES_OF_A_HABIT) {
            lines.add(name + ": what is usual there is known from " + Amount.count(hop.minutesBefore(), "minute")
                    + " only");
        }
    }
}
