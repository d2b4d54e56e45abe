package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.network.FlowExplanation.Because;
import io.pathlore.cli.network.FlowExplanation.Loss;
import io.pathlore.cli.network.FlowExplanation.Told;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the facts about a flow come to, in a few sentences. Says nothing that no fact shows. */
record Verdict(JsonNode flow, List<Hop> hops, List<Told> told, List<Loss> losses, Labels labels) {
    /** So many times what is usual is slow, if it is also so much of the whole time. */
    private static final double SLOW = 2;

    private static final double WORTH_A_WORD = 0.1;
    private static final double MOST = 0.5;
    private static final int CLOCK_FROM = "2026-11-15T".length();
    private static final int CLOCK_TO = "2026-11-15T18:00:00".length();

    String text() {
        List<String> sentences = new ArrayList<>();
        loop(sentences);
        losses(sentences);
        time(sentences);
        change(sentences);
        return sentences.isEmpty() ? nothing() : String.join(" ", sentences);
    }

    private @Nullable Told last(String kind) {
        return told.reversed().stream()
                .filter(each -> each.names(kind))
                .findFirst()
                .orElse(null);
    }

    private void loop(List<String> sentences) {
        Told loop = last("loop");
        if (loop != null) {
            String way = loop.event().path("path").isEmpty()
                    ? ""
                    : ": " + way(loop.event().path("path"));
            sentences.add((isOver(loop) ? "It ran" : "It runs") + " in a loop " + when(loop) + way + ".");
        }
    }

    private void losses(List<String> sentences) {
        long own = flow.path("drops").asLong(0);
        Told named = last("drops");
        if (named != null) {
            long node = named.event().path("node").asLong();
            sentences.add((isOver(named) ? "Packets of it were dropped at " : "Packets of it are dropped at ")
                    + labels.called(node) + " " + when(named) + ": "
                    + reason(node, named.event().path("reason").asLong(Row.ABSENT)) + ".");
        } else if (own > 0) {
            sentences.add(Amount.count(own, "report") + (own == 1 ? " tells" : " tell") + " of a dropped packet of it; "
                    + suspects());
        }
    }

    /** A second tells what a node dropped, not of whom. */
    private String suspects() {
        if (losses.isEmpty()) {
            return "no node of its path reported one in that time.";
        }
        Loss most = losses.getFirst();
        return "of its path " + labels.called(most.node()) + " dropped most: " + reason(most.node(), most.reason())
                + ", " + Amount.count(most.reports(), "report") + " of all flows.";
    }

    private String reason(long node, long reason) {
        if (reason == Row.ABSENT) {
            return "for a reason that is not told";
        }
        String name = labels.reason(node, reason);
        return name == null ? "reason " + reason : name + " (reason " + reason + ")";
    }

    // Where its time goes
    // --------------------------------------------------------------------------------------------------------------

    private double total() {
        return hops.stream().filter(Hop::hasLatency).mapToDouble(Hop::mean).sum();
    }

    private void time(List<String> sentences) {
        double total = total();
        Hop most = hops.stream()
                .filter(Hop::hasLatency)
                .max(Comparator.comparingDouble(Hop::mean))
                .orElse(null);
        boolean stands = most != null && hops.size() > 1 && most.mean() >= MOST * total;
        if (most != null && stands && most.usual() == Row.ABSENT) {
            sentences.add(adds(most, total) + ", and what is usual there is not known" + cause(most, "") + ".");
        }
        Hop slowest = hops.stream()
                .filter(hop -> hop.factor() >= SLOW && hop.mean() - hop.usual() >= WORTH_A_WORD * total)
                .max(Comparator.comparingDouble(hop -> hop.mean() - hop.usual()))
                .orElse(null);
        if (slowest != null) {
            sentences.add(adds(slowest, total) + ", " + times(slowest.factor()) + " its usual"
                    + cause(slowest, "; no event tells why") + ".");
        }
        Told queue = last("congestion");
        if (queue != null && sentences.isEmpty()) {
            sentences.add("It met a queue that " + congested(queue) + ", at "
                    + labels.called(queue.event().path("node").asLong()) + "; "
                    + (habits() == hops.size() && !hops.isEmpty()
                            ? "on average its hops take about what they usually take." + mostly()
                            : "whether its hops are slower than usual is not known of all of them."));
        }
    }

    /** Where its time goes is worth a word even if that is not new. */
    private String mostly() {
        double total = total();
        return hops.stream()
                .filter(hop -> hops.size() > 1 && hop.hasLatency() && hop.mean() >= MOST * total)
                .findFirst()
                .map(hop -> " Most of its time, " + percent(hop.mean() / total) + ", goes by at "
                        + labels.called(hop.node) + ".")
                .orElse("");
    }

    private long habits() {
        return hops.stream().filter(hop -> !Double.isNaN(hop.factor())).count();
    }

    private String adds(Hop hop, double total) {
        boolean whole = hops.stream().allMatch(Hop::hasLatency);
        return "Node " + labels.called(hop.node) + " adds " + percent(hop.mean() / total) + " of the time"
                + (whole ? "" : " that is told");
    }

    /** Nearly all is not all. */
    private static String percent(double share) {
        long percent = Math.round(100 * share);
        return percent == 100 && share < 1 ? "over 99 %" : percent + " %";
    }

    private static String times(double factor) {
        return String.format(Locale.ROOT, factor < 10 ? "%.1fx" : "%.0fx", factor);
    }

    private String cause(Hop hop, String otherwise) {
        for (Told each : told.reversed()) {
            if (each.isAt("congestion", hop)) {
                return ": queue " + each.event().path("queue").asText() + " of interface " + out(hop, each) + " "
                        + congested(each);
            }
        }
        for (Told each : told.reversed()) {
            if (each.isAt("latency", hop)) {
                return ": interface " + out(hop, each) + (isOver(each) ? " was" : " is") + " slower " + when(each);
            }
        }
        return otherwise;
    }

    private String out(Hop hop, Told event) {
        return labels.interfaceCalled(hop.node, event.event().path("interface").asLong(Row.ABSENT));
    }

    private String congested(Told queue) {
        JsonNode most = queue.event().path("culprits").path(0);
        String text = (isOver(queue) ? "was" : "is") + " congested " + when(queue);
        if (most.isMissingNode()) {
            return text;
        }
        JsonNode culprit = most.path("flow");
        String who = culprit.path("id").asText().equals(flow.path("id").asText())
                ? "this flow itself"
                : FlowText.of(culprit);
        return text + " by " + who + " (" + Math.round(100 * most.path("share").asDouble()) + " %)";
    }

    // Its path
    // --------------------------------------------------------------------------------------------------------------

    private void change(List<String> sentences) {
        Told change = last("path-change");
        if (change == null) {
            return;
        }
        StringBuilder text = new StringBuilder("Its path changed at ")
                .append(clock(change.event().path("start").asText()))
                .append(": ")
                .append(way(change.event().path("before")))
                .append(" is now ")
                .append(way(change.event().path("after")));
        for (Told each : told) {
            if (each.because() == Because.LINK && each.kind().equals("link-down")) {
                text.append("; the link from ")
                        .append(labels.called(
                                each.event().path("from").path("node").asLong()))
                        .append(" to ")
                        .append(labels.called(
                                each.event().path("to").path("node").asLong()))
                        .append(isOver(each) ? " was down " : " is down ")
                        .append(when(each));
                break;
            }
        }
        sentences.add(text.append('.').toString());
    }

    private String way(JsonNode nodes) {
        List<Long> ids = new ArrayList<>();
        nodes.forEach(node -> ids.add(node.asLong()));
        return labels.way(ids);
    }

    // Nothing
    // --------------------------------------------------------------------------------------------------------------

    private String nothing() {
        String drops = flow.has("drops") ? "no report tells of a dropped packet" : "its nodes do not report drops";
        if (hops.isEmpty()) {
            return "Where its time goes cannot be told, for its path is not known; " + drops + ".";
        }
        if (hops.stream().noneMatch(Hop::hasLatency)) {
            return "Where its time goes cannot be told, for no node of its path tells a latency; " + drops + ".";
        }
        long habits = habits();
        if (habits == 0) {
            return "Whether it is slow cannot be told, for what is usual on its path is not known; " + drops + ".";
        }
        return "Nothing unusual is seen: "
                + (habits == hops.size()
                        ? "its hops take about what they usually take"
                        : habits + " of its " + hops.size()
                                + " hops take about what they usually take, of the others it" + " is not known")
                + "; " + drops + "." + mostly();
    }

    // Times
    // --------------------------------------------------------------------------------------------------------------

    private static boolean isOver(Told event) {
        return event.event().has("end");
    }

    private static String when(Told event) {
        String start = clock(event.event().path("start").asText());
        if (!isOver(event)) {
            return "since " + start;
        }
        String end = clock(event.event().path("end").asText());
        return end.equals(start) ? "at " + start : "from " + start + " to " + end;
    }

    /** Of the time of day, in UTC as all times are. */
    static String clock(String time) {
        return time.length() < CLOCK_TO ? time : time.substring(CLOCK_FROM, CLOCK_TO);
    }
}
