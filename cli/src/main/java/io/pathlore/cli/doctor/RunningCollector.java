package io.pathlore.cli.doctor;

import static io.pathlore.cli.doctor.Diagnosis.ALLOWED;
import static io.pathlore.cli.doctor.Diagnosis.ANALYSED;
import static io.pathlore.cli.doctor.Diagnosis.COLLECTOR;
import static io.pathlore.cli.doctor.Diagnosis.DECODED;
import static io.pathlore.cli.doctor.Diagnosis.JOURNALLED;
import static io.pathlore.cli.doctor.Diagnosis.PACKETS;
import static io.pathlore.cli.doctor.Diagnosis.PORT;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.model.Fault;
import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The stages of a running collector, from what it tells of itself. */
public final class RunningCollector {
    private static final List<String> TERMS = List.of(
            "datagramsRead",
            "accepted",
            "queueDropped",
            "decodedDatagrams",
            "reportsSeen",
            "reportsDecoded",
            "analysed");

    /** Warnings of the collector about what is looked at further down. */
    private static final List<String> TOLD_ELSEWHERE = List.of(
            "net.core.rmem_max",
            "are refused; to accept them",
            "the kernel dropped",
            "(shed self)",
            "too much to analyse",
            "journal: ",
            "kafka",
            "analysed, and not kept");

    private static final int SHOWN = 3;
    private static final double SILENT_SECONDS = 30;
    private static final double NANOS = 1e9;

    private final JsonNode status;
    private final JsonNode ledger;
    private final List<JsonNode> exporters;
    private final long nowNanos;
    private final String filter;
    private final int port;

    /**
     * Takes what {@code /api/v1/status}, {@code ledger} and {@code exporters} answered.
     *
     * @param nowNanos by the clock of the collector
     */
    public RunningCollector(JsonNode status, JsonNode ledger, List<JsonNode> exporters, long nowNanos) {
        this.status = status;
        this.ledger = ledger;
        this.exporters = List.copyOf(exporters);
        this.nowNanos = nowNanos;
        List<Integer> ports = ports(status);
        port = ports.getFirst();
        filter = ports.stream().map(each -> "udp port " + each).collect(Collectors.joining(" or "));
    }

    private static List<Integer> ports(JsonNode status) {
        Set<Integer> ports = new LinkedHashSet<>();
        for (JsonNode socket : status.path("listen")) {
            String text = socket.path("socket").asText().replaceFirst("#.*", ""); // several workers share a port
            String number = text.substring(text.lastIndexOf(':') + 1);
            if (number.matches("[0-9]{1,5}")) {
                ports.add(Integer.valueOf(number));
            }
        }
        return ports.isEmpty() ? List.of(8555) : List.copyOf(ports);
    }

    /** Keys of the ledger without which nothing can be said. */
    public static String[] terms() {
        return TERMS.toArray(String[]::new);
    }

    public Diagnosis diagnose() {
        List<Stage> stages = new ArrayList<>();
        stages.add(collector());
        next(stages, PORT, this::port);
        next(stages, PACKETS, this::packets);
        next(stages, ALLOWED, this::allowed);
        next(stages, DECODED, this::decoded);
        // The journal is beside the way to the analysis, not on it: where it fails, reports are analysed all the same.
        boolean reached = stages.getLast().state() == Stage.State.GREEN;
        stages.add(reached ? journalled() : Stage.notReached(JOURNALLED));
        stages.add(reached ? analysed() : Stage.notReached(ANALYSED));
        if (status.has("kafka")) {
            stages.add(reached ? Publishing.stage(status.path("kafka")) : Stage.notReached(Publishing.NAME));
        }
        return new Diagnosis(stages, List.of());
    }

    private static void next(List<Stage> stages, String name, Supplier<Stage> look) {
        stages.add(stages.getLast().state() == Stage.State.GREEN ? look.get() : Stage.notReached(name));
    }

    private Stage collector() {
        String text = "version " + status.path("version").asText("?") + ", up "
                + (status.path("uptimeSeconds").isNumber()
                        ? Amount.seconds(status.path("uptimeSeconds").doubleValue())
                        : "?")
                + (status.path("synthetic").asBoolean(false) ? ", with synthetic data" : "");
        List<Trouble> warnings = new ArrayList<>();
        Set<String> lines = new LinkedHashSet<>();
        status.path("warnings").forEach(warning -> lines.add(warning.asText()));
        lines.stream()
                .filter(line -> TOLD_ELSEWHERE.stream().noneMatch(line::contains))
                .forEach(line -> warnings.add(new Trouble(Reason.COLLECTOR_WARNS, line)));
        return Stage.green(COLLECTOR, text, warnings);
    }

    private Stage port() {
        List<String> sockets = new ArrayList<>();
        List<Trouble> warnings = new ArrayList<>();
        for (JsonNode socket : status.path("listen")) {
            sockets.add(socket.path("socket").asText("?"));
            long asked = socket.path("receiveBufferAsked").asLong();
            long granted = socket.path("receiveBufferGranted").asLong();
            if (granted < asked && warnings.isEmpty()) {
                warnings.add(new Trouble(
                        Reason.RECEIVE_BUFFER_CAPPED,
                        "the kernel gives " + Amount.bytes(granted) + " of the " + Amount.bytes(asked)
                                + " of listen.receive-buffer: bursts may be lost in it",
                        "sysctl -w net.core.rmem_max=" + asked
                                + "   (to keep it: a file in /etc/sysctl.d), then start the collector again"));
            }
        }
        if (sockets.isEmpty()) {
            return Stage.red(
                    PORT,
                    new Trouble(
                            Reason.NOT_LISTENING,
                            "this process does not receive",
                            "only 'pathlore collect' does: ask that one with --server"),
                    List.of());
        }
        String technique = status.path("listen").path(0).path("technique").asText("");
        return Stage.green(
                PORT, String.join(", ", sockets) + (technique.isEmpty() ? "" : " by " + technique), warnings);
    }

    private Stage packets() {
        long read = term("datagramsRead");
        List<Trouble> warnings = new ArrayList<>();
        long dropped = sum("kernelDropped");
        if (dropped > 0) {
            warnings.add(new Trouble(
                    Reason.KERNEL_DROPS,
                    Amount.count(dropped, "datagram") + " (" + Amount.share(dropped, dropped + read)
                            + ") came and were dropped by the kernel: they were not read fast enough",
                    "a larger buffer outlasts a burst: listen.receive-buffer; more readers a flood: listen.workers"));
        }
        if (read == 0) {
            return Stage.red(PACKETS, nothingArrives(), warnings);
        }
        sequenceLoss(warnings, dropped);
        JsonNode latest = latest();
        Long seen =
                latest == null ? null : TimeText.parse(latest.path("lastSeen").asText());
        if (latest != null && seen != null && nowNanos - seen > SILENT_SECONDS * NANOS) {
            warnings.add(new Trouble(
                    Reason.SILENT,
                    "nothing has come for " + Amount.seconds((nowNanos - seen) / NANOS) + "; the last was from "
                            + nameOf(latest),
                    "see whether packets still reach this machine: tcpdump -ni any " + filter));
        }
        String bytes = ledger.path("bytesRead").canConvertToLong() ? ", " + Amount.bytes(term("bytesRead")) : "";
        String age = seen == null ? "" : "; the last " + Amount.age(seen, nowNanos);
        return Stage.green(PACKETS, Amount.count(read, "datagram") + bytes + age, warnings);
    }

    private Trouble nothingArrives() {
        List<String> remedies = new ArrayList<>();
        boolean loopbackOnly = true;
        for (JsonNode socket : status.path("listen")) {
            String text = socket.path("socket").asText();
            loopbackOnly &= text.startsWith("127.") || text.startsWith("[::1]");
        }
        if (loopbackOnly) {
            remedies.add("it listens on loopback only, where no exporter elsewhere can send to: listen.addresses");
        }
        remedies.add("see whether packets reach this machine: tcpdump -ni any " + filter);
        remedies.add(
                "they do: a firewall is in the way (nft list ruleset; iptables -L -n), or the address is not one that"
                        + " is listened on");
        remedies.add(
                "they do not: look at the collector's address and port in the exporters, and the route from there");
        remedies.add("to see that the rest works: pathlore lab run quiet --duration 5s --to 127.0.0.1:" + port);
        return new Trouble(Reason.NOTHING_ARRIVES, "not one datagram has come", remedies);
    }

    private @Nullable JsonNode latest() {
        return exporters.stream()
                .filter(exporter -> exporter.path("lastSeen").isTextual())
                .max(Comparator.comparing(exporter -> exporter.path("lastSeen").textValue()))
                .orElse(null);
    }

    private void sequenceLoss(List<Trouble> warnings, long dropped) {
        long lost = ledger.path("sequenceLost").asLong();
        if (lost == 0) {
            return;
        }
        // All of these leave a gap in the numbers, and are no fault of the network.
        long here = dropped + term("queueDropped") + count("rejected", "rate");
        boolean kernelCounts = status.path("listen").path(0).has("kernelDropped");
        String where;
        if (here >= lost) {
            where = Amount.count(here) + " were dropped on this machine, which explains it";
        } else if (!kernelCounts) {
            where = "how many the kernel of this machine dropped is not known";
        } else if (here == 0) {
            where = "none was dropped on this machine: they were lost in the exporter or on the way";
        } else {
            where = "at most " + Amount.count(here)
                    + " of them were dropped on this machine; the others were lost in the exporter or on the way";
        }
        warnings.add(new Trouble(
                Reason.SEQUENCE_LOSS,
                Amount.count(lost, "number") + " never came: " + most("lost", "in all") + "; " + where,
                "pathlore get exporters --sort lost"));
    }

    /** The exporters with most of something, with their numbers. */
    private String most(String key, String nobody) {
        List<JsonNode> those = exporters.stream()
                .filter(exporter -> exporter.path(key).asLong() > 0)
                .sorted(Comparator.comparingLong(exporter -> -exporter.path(key).asLong()))
                .toList();
        String names = those.stream()
                .limit(SHOWN)
                .map(exporter ->
                        nameOf(exporter) + " " + Amount.count(exporter.path(key).asLong()))
                .collect(Collectors.joining(", "));
        int more = those.size() - SHOWN;
        return names.isEmpty()
                ? nobody
                : "of " + names + (more > 0 ? " and " + Amount.count(more, "other exporter") : "");
    }

    private static String nameOf(JsonNode exporter) {
        String address = exporter.path("address").asText("?");
        return exporter.path("name").isTextual() ? exporter.path("name").textValue() + " (" + address + ")" : address;
    }

    private Stage allowed() {
        long read = term("datagramsRead");
        long accepted = term("accepted");
        Map<Reason, Long> refusals = new LinkedHashMap<>();
        refusals.put(Reason.NOT_ALLOWED, count("rejected", "acl"));
        refusals.put(Reason.OVER_RATE, count("rejected", "rate"));
        refusals.put(Reason.EMPTY, count("rejected", "empty"));
        refusals.put(Reason.OVERSIZE, count("rejected", "oversize"));
        refusals.put(Reason.QUEUE_FULL, term("queueDropped"));
        List<Trouble> troubles = new ArrayList<>();
        refusals.entrySet().stream()
                .filter(refusal -> refusal.getValue() > 0)
                .sorted(Map.Entry.<Reason, Long>comparingByValue().reversed())
                .forEach(refusal -> troubles.add(refusal(refusal.getKey(), refusal.getValue(), read)));
        if (accepted > 0) {
            return Stage.green(ALLOWED, Amount.count(accepted) + " accepted", troubles);
        }
        return red(ALLOWED, troubles, read);
    }

    /** The first trouble is the reason; with none to name, something holds what came. */
    private Stage red(String name, List<Trouble> troubles, long waiting) {
        if (troubles.isEmpty()) {
            return Stage.red(
                    name,
                    new Trouble(
                            Reason.STUCK,
                            Amount.count(waiting) + " came this far and no further, for no reason that is counted; "
                                    + Amount.count(ledger.path("inFlight").asLong()) + " wait between threads",
                            "ask again; where it stays so, the log of the collector may tell, and it is worth a report"),
                    List.of());
        }
        return Stage.red(name, troubles.getFirst(), troubles.subList(1, troubles.size()));
    }

    private Trouble refusal(Reason reason, long count, long read) {
        String amount =
                count == read ? "all " + Amount.count(count) : Amount.count(count) + " of " + Amount.count(read);
        return switch (reason) {
            case NOT_ALLOWED -> notAllowed(amount);
            case OVER_RATE ->
                new Trouble(
                        reason,
                        amount + " datagrams were more than listen.rate-limit lets an exporter send: "
                                + most("overRate", "the exporters are not told"),
                        "raise listen.rate-limit (0: no limit), or let the exporter sample");
            case EMPTY ->
                new Trouble(
                        reason,
                        amount + " datagrams had no bytes in them: they are no reports",
                        "somebody probes the port; see who: tcpdump -ni any " + filter);
            case OVERSIZE ->
                new Trouble(
                        reason,
                        amount + " datagrams were longer than any report can be",
                        "see who sends them: tcpdump -ni any " + filter);
            default ->
                new Trouble(
                        reason,
                        amount + " datagrams were read and dropped: decoding did not keep up",
                        "more processors help, with listen.workers; or fewer reports from the exporters");
        };
    }

    private Trouble notAllowed(String amount) {
        Map<String, Long> sources = new LinkedHashMap<>(); // each worker names those it saw
        for (JsonNode source : status.path("refused").path("sources")) {
            sources.merge(
                    source.path("address").asText("?"), source.path("datagrams").asLong(), Long::sum);
        }
        List<Map.Entry<String, Long>> shown = sources.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(SHOWN)
                .toList();
        int others = sources.size() - shown.size();
        String who = shown.stream()
                .map(source -> source.getKey() + " (" + Amount.count(source.getValue()) + ")")
                .collect(Collectors.joining(", "));
        List<String> wanted = new ArrayList<>();
        status.path("allow").forEach(entry -> wanted.add(entry.asText()));
        shown.forEach(source -> wanted.add(source.getKey()));
        String remedy = shown.isEmpty()
                ? "add the exporters to listen.allow"
                : "to accept them: listen.allow: [" + String.join(", ", wanted) + "]";
        return new Trouble(
                Reason.NOT_ALLOWED,
                amount + " datagrams came from addresses that listen.allow does not have"
                        + (who.isEmpty() ? "" : ": " + who)
                        + (others > 0 ? " and " + Amount.count(others, "other") : ""),
                remedy);
    }

    private Stage decoded() {
        long accepted = term("accepted");
        long datagrams = term("decodedDatagrams");
        long seen = term("reportsSeen");
        long reports = term("reportsDecoded");
        List<Trouble> troubles = new ArrayList<>();
        long undecodable = sum("undecodable");
        if (undecodable > 0) {
            troubles.add(new Trouble(
                    Reason.UNDECODABLE,
                    part(undecodable, accepted) + " datagrams are no reports that can be read: " + top("undecodable")
                            + "; " + most("undecodable", "the exporters are not told"),
                    lookCloser()));
        }
        long rejected = sum("reportsRejected");
        if (rejected > 0) {
            troubles.add(new Trouble(
                    Reason.REPORTS_REJECTED,
                    part(rejected, seen) + " reports were rejected: " + top("reportsRejected") + "; "
                            + most("rejectedReports", "the exporters are not told"),
                    lookCloser()));
        }
        if (reports > 0) {
            return Stage.green(
                    DECODED, Amount.count(reports, "report") + " in " + Amount.count(datagrams, "datagram"), troubles);
        }
        if (datagrams > 0) {
            troubles.sort(Comparator.comparing(trouble -> trouble.reason() != Reason.REPORTS_REJECTED));
        }
        return red(DECODED, troubles, datagrams > 0 ? Math.max(seen, datagrams) : accepted);
    }

    private static String part(long part, long whole) {
        return part >= whole
                ? "all " + Amount.count(part)
                : Amount.count(part) + " (" + Amount.share(part, whole) + ") of " + Amount.count(whole);
    }

    private String[] lookCloser() {
        return new String[] {
            "take some and look closer: tcpdump -ni any -c 100 -w reports.pcap " + filter,
            "pathlore check --port " + port + " reports.pcap   names what is wrong with them, and the clause"
        };
    }

    /** The most frequent fault, and what it means. */
    private String top(String term) {
        Map<String, Long> counts = new TreeMap<>();
        ledger.path(term)
                .properties()
                .forEach(fault -> counts.put(fault.getKey(), fault.getValue().asLong()));
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(fault -> (counts.size() == 1 ? "" : Amount.count(fault.getValue()) + " of them ")
                        + fault.getKey()
                        + meaning(fault.getKey()))
                .orElse("?");
    }

    private static String meaning(String name) {
        for (Fault fault : Fault.values()) {
            if (fault.name().equals(name)) {
                return ", " + fault.meaning() + " [" + fault.clause() + "]";
            }
        }
        return ""; // of a newer collector
    }

    private Stage journalled() {
        JsonNode journal = status.path("journal");
        if (!ledger.has("journalled") || !journal.path("enabled").asBoolean(true)) {
            return Stage.green(JOURNALLED, "the journal is off: nothing is kept to look at again", List.of());
        }
        long journalled = term("journalled");
        long accepted = term("accepted");
        String directory = journal.path("directory").asText("?");
        String state = journal.path("state").asText("ok");
        String detail = journal.path("detail").asText("");
        List<Trouble> troubles = new ArrayList<>();
        journalTrouble(troubles, Reason.JOURNAL_FULL, "full", state, accepted, detail, directory);
        journalTrouble(troubles, Reason.JOURNAL_ERROR, "error", state, accepted, detail, directory);
        journalTrouble(troubles, Reason.JOURNAL_SLOW, "slow", state, accepted, detail, directory);
        List<Trouble> damage = new ArrayList<>();
        long damaged = journal.path("damaged").asLong();
        if (damaged > 0) {
            damage.add(new Trouble(
                    Reason.JOURNAL_DAMAGED,
                    Amount.count(damaged, "place") + " in the journal " + (damaged == 1 ? "is" : "are")
                            + " damaged, from a crash or the disk; the rest is readable",
                    "where it comes again after every start, look at the disk: dmesg"));
        }
        boolean failing = state.equals("full") || state.equals("error");
        if (failing || journalled == 0 && !troubles.isEmpty()) {
            // What fails now is the reason, whatever was dropped more often before.
            troubles.sort(Comparator.comparing(
                    trouble -> failing && !trouble.reason().label().equals("journal-" + state)));
            List<Trouble> rest = new ArrayList<>(troubles.subList(1, troubles.size()));
            rest.addAll(damage);
            return Stage.red(JOURNALLED, troubles.getFirst(), rest);
        }
        troubles.addAll(damage);
        String size = journal.path("bytes").canConvertToLong()
                ? "; " + Amount.bytes(journal.path("bytes").asLong()) + " in " + directory
                : "";
        String waiting = journalled == 0 ? ", " + Amount.count(accepted) + " wait to be written" : "";
        return Stage.green(JOURNALLED, Amount.count(journalled, "datagram") + waiting + size, troubles);
    }

    private void journalTrouble(
            List<Trouble> into,
            Reason reason,
            String drop,
            String state,
            long accepted,
            String detail,
            String directory) {
        long dropped = count("journalDropped", drop);
        if (dropped == 0 && !state.equals(drop)) {
            return;
        }
        String amount = dropped == 0 ? "" : "; " + part(dropped, accepted) + " datagrams are not in the journal";
        String also = detail.isEmpty() || !state.equals(drop) ? "" : " (" + detail + ")";
        String past = state.equals(drop) ? "is" : "was";
        into.add(
                switch (reason) {
                    case JOURNAL_FULL ->
                        new Trouble(
                                reason,
                                "the disk of the journal " + past + " full" + also + amount,
                                "df -h " + directory,
                                "make room, or keep less: journal.keep-bytes, journal.keep; it goes on by itself");
                    case JOURNAL_ERROR ->
                        new Trouble(
                                reason,
                                "the journal " + (state.equals(drop) ? "cannot" : "could not") + " be written" + also
                                        + amount,
                                "ls -ld " + directory + "; dmesg",
                                "the user that the collector runs as needs to write there; it tries again by itself");
                    default ->
                        new Trouble(
                                reason,
                                "the disk " + past + " too slow for the journal" + amount,
                                "a faster disk for data, a longer journal.sync, or journal.enabled: false");
                });
    }

    private Stage analysed() {
        long decoded = term("reportsDecoded");
        long analysed = term("analysed");
        long duplicates = ledger.path("duplicates").asLong();
        List<Trouble> troubles = new ArrayList<>();
        Map<Reason, Long> shed = new LinkedHashMap<>();
        shed.put(Reason.SHED_OVERLOAD, count("shed", "overload"));
        shed.put(Reason.SHED_LATE, count("shed", "late"));
        shed.put(Reason.SHED_BINDING, count("shed", "binding"));
        shed.put(Reason.SHED_SELF, count("shed", "self"));
        shed.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .sorted(Map.Entry.<Reason, Long>comparingByValue().reversed())
                .forEach(each -> troubles.add(shed(each.getKey(), part(each.getValue(), decoded))));
        long elsewhere = count("shed", "elsewhere");
        if (elsewhere > 0 && !status.path("analysis").path("enabled").asBoolean(true)) {
            binding(troubles);
            return Stage.green(
                    ANALYSED,
                    "not here, but by others: " + Amount.count(elsewhere, "report") + " accounted for",
                    troubles);
        }
        if (analysed == 0) {
            if (duplicates > 0) {
                troubles.add(new Trouble(
                        Reason.ALL_DUPLICATES,
                        part(duplicates, decoded) + " reports had been seen before, byte for byte",
                        "a capture is sent again, or a mirror doubles the packets"));
            }
            return red(ANALYSED, troubles, decoded);
        }
        JsonNode engine = status.path("engine");
        long evicted = engine.path("flowsEvicted").asLong();
        if (evicted > 0) {
            troubles.add(new Trouble(
                    Reason.FLOWS_EVICTED,
                    Amount.count(evicted, "flow") + " had to make room for others",
                    "a larger table: analysis.flows, within memory"));
        }
        long skipped = engine.path("operatorsSkipped").asLong();
        if (skipped > 0) {
            troubles.add(new Trouble(
                    Reason.OPERATORS_SKIPPED,
                    part(skipped, analysed) + " reports were counted by flow, but no events were looked for in them",
                    "faster processors help, or fewer reports: sample in the exporters"));
        }
        binding(troubles);
        String flows = engine.path("flows").canConvertToLong()
                ? "; " + Amount.count(engine.path("flows").asLong(), "flow")
                : "";
        return Stage.green(ANALYSED, Amount.count(analysed, "report") + flows, troubles);
    }

    private Trouble shed(Reason reason, String amount) {
        return switch (reason) {
            case SHED_OVERLOAD ->
                new Trouble(
                        reason,
                        amount + " reports were not analysed: there were more than this machine can take",
                        "more processors help (analysis.shards), or fewer reports: sample in the exporters");
            case SHED_LATE ->
                new Trouble(
                        reason,
                        amount + " reports came later than analysis.lateness allows",
                        "raise analysis.lateness, or see what holds them up");
            case SHED_BINDING ->
                new Trouble(
                        reason,
                        amount
                                + " reports spoke for a node that belongs to another address, and listen.binding is enforce",
                        "list the addresses that may speak for it in the inventory: { node: N, addresses: [A, B] }",
                        "or only mark them: listen.binding: learn");
            default ->
                new Trouble(
                        reason,
                        amount + " reports are about the report packets themselves",
                        "let the switches not watch UDP port " + port + " towards this collector");
        };
    }

    private void binding(List<Trouble> warnings) {
        JsonNode binding = status.path("binding");
        long violations = binding.path("violations").asLong();
        long unknown = binding.path("unknown").asLong();
        List<String> suspects = exporters.stream()
                .filter(exporter -> exporter.path("suspected").asBoolean(false))
                .map(RunningCollector::nameOf)
                .limit(SHOWN)
                .toList();
        if (violations > 0) {
            warnings.add(new Trouble(
                    Reason.BINDING_VIOLATIONS,
                    Amount.count(violations, "datagram") + " spoke for a node that another address spoke for first"
                            + (suspects.isEmpty() ? "" : "; suspected: " + String.join(", ", suspects)),
                    "where a node has several addresses, list them in the inventory: { node: N, addresses: [A, B] }",
                    "else somebody else sends as this node"));
        }
        if (unknown > 0) {
            warnings.add(new Trouble(
                    Reason.BINDING_VIOLATIONS,
                    Amount.count(unknown, "datagram") + " spoke for nodes there was no room to remember",
                    "nodes are invented, or there are very many: list yours in the inventory"));
        }
    }

    private long term(String name) {
        return ledger.path(name).asLong();
    }

    private long count(String term, String reason) {
        return ledger.path(term).path(reason).asLong();
    }

    private long sum(String term) {
        long sum = 0;
        for (JsonNode count : ledger.path(term)) {
            sum += count.asLong();
        }
        return sum;
    }
}
