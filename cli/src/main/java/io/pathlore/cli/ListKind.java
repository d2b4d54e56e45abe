package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Field.Kind;
import io.pathlore.cli.client.Amount;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * A list of the API, as {@code get} shows it.
 *
 * @param name behind {@code get}, and in the path of the API
 * @param noun one item
 * @param header of the help: what it lists, and examples
 * @param footer of the help
 * @param fields the first tells items apart
 * @param sort key of the field it is sorted by
 * @param times which times can be asked for, and with a filter
 * @param rateOf key of a count whose rate a watcher is shown; empty where counts are of a time
 * @param remarks what else is worth a word about an item; empty where there is nothing
 * @param whenEmpty said instead of an empty table
 */
record ListKind(
        String name,
        String noun,
        List<String> header,
        List<String> footer,
        List<Field> fields,
        String sort,
        Times times,
        String rateOf,
        Function<JsonNode, String> remarks,
        String whenEmpty) {
    enum Times {
        NONE,
        /** Figures are of a time, as far as the tables are filled. */
        STORED,
        /** By the clock. */
        RECEIVED
    }

    /** Of a list that the server sorts: so many, unless others are asked for. */
    static final int FIRST = 50;

    private static final String NOTHING_STORED =
            "nothing of the kind was seen in that time; --since looks further back";
    private static final List<String> OF_A_TIME = List.of(
            "Figures are of the time that is asked about, by default the last five minutes that are stored.",
            "? is unknown, - is nothing. CSV and JSON have every figure, in nanoseconds.");

    static final ListKind EXPORTERS = new ListKind(
            "exporters",
            "exporter",
            List.of(
                    "Who sends reports: when last, how much, and what was lost.",
                    "",
                    "Examples:",
                    "  pathlore get exporters",
                    "  pathlore get exporters --sort lost --limit 5  those that lost most",
                    "  pathlore get exporters --watch                every two seconds, with rates",
                    "  pathlore get exporters -o json | jq '.[] | select(.completeness < 0.999) | .address'",
                    "  pathlore get exporters --server https://collector:8080 --token-file viewer.token"),
            List.of(
                    "LOST are numbers that never came, COMPLETE the share of those that did; ? is unknown, for an",
                    "exporter that does not count its reports, - is nothing. CSV and JSON have every count."),
            List.of(
                    Field.shown("address", "EXPORTER", Kind.ADDRESS),
                    Field.shown("name", "NAME", Kind.WORD),
                    Field.shown("nodes", "NODES", Kind.NODES),
                    Field.exported("firstSeen", Kind.TIME),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME),
                    Field.shown("datagrams", "DATAGRAMS", Kind.COUNT),
                    Field.shown("bytes", "BYTES", Kind.BYTES),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("rejectedReports", "REJECTED", Kind.TROUBLE),
                    Field.shown("lost", "LOST", Kind.TROUBLE),
                    Field.shown("completeness", "COMPLETE", Kind.SHARE),
                    Field.exported("undecodable", Kind.TROUBLE),
                    Field.exported("overRate", Kind.TROUBLE),
                    Field.exported("lastFault", Kind.WORD),
                    Field.exported("streams", Kind.COUNT),
                    Field.exported("missing", Kind.TROUBLE),
                    Field.exported("duplicates", Kind.TROUBLE),
                    Field.exported("reordered", Kind.TROUBLE),
                    Field.exported("late", Kind.TROUBLE),
                    Field.exported("restarts", Kind.TROUBLE),
                    Field.exported("unknownGaps", Kind.TROUBLE),
                    Field.exported("suspected", Kind.FLAG),
                    Field.exported("clockAheadNs", Kind.NANOS)),
            "address",
            Times.NONE,
            "reports",
            ListKind::ofExporter,
            "no exporter has sent anything yet; 'pathlore doctor' says why");

    static final ListKind EVENTS = new ListKind(
            "events",
            "event",
            List.of(
                    "What happened lately: changed paths, queues, drops, links, slow hops, lost reports, attacks.",
                    "",
                    "Examples:",
                    "  pathlore get events",
                    "  pathlore get events --since 1h --filter 'severity >= warning and node = leaf-3'",
                    "  pathlore get events --limit 20",
                    "  pathlore get events --watch                   every two seconds",
                    "  pathlore get events -o json | jq '.[] | select(.severity == \"critical\")'"),
            List.of("An event without END goes on. The collector keeps the last ten thousand."),
            List.of(
                    Field.shown("start", "START", Kind.TIME),
                    Field.shown("end", "END", Kind.TIME),
                    Field.shown("kind", "KIND", Kind.WORD),
                    Field.shown("severity", "SEVERITY", Kind.WORD),
                    Field.exported("node", Kind.COUNT),
                    Field.exported("interface", Kind.COUNT),
                    Field.exported("queue", Kind.COUNT),
                    Field.exported("id", Kind.WORD),
                    Field.exported("detectedAt", Kind.TIME)),
            "start",
            Times.RECEIVED,
            "start",
            EventRemarks::of,
            "nothing has happened yet that reports would show");

    static final ListKind ATTACKS = new ListKind(
            "attacks",
            "attack",
            List.of(
                    "Who is attacked, how, and by which devices.",
                    "",
                    "Examples:",
                    "  pathlore get attacks",
                    "  pathlore get attacks --since 1h --filter 'dst in 203.0.113.0/24'",
                    "  pathlore get attacks --watch                  every two seconds",
                    "  pathlore get attacks -o json | jq '.[] | .sources[] | .device'",
                    "  pathlore get attacks 3c7d34bb321fd61f --evidence attack.pcap   the reports that show it"),
            List.of(
                    "An attack without END goes on. PACKETS/S is ? where the sampling of who reports is not known; JSON has",
                    "reportsPerSecond then. Remarks name the devices that send most, their share, and the switch nearest to each."),
            List.of(
                    Field.shown("id", "ID", Kind.WORD),
                    Field.shown("start", "START", Kind.TIME),
                    Field.shown("end", "END", Kind.TIME),
                    Field.shown("vector", "VECTOR", Kind.WORD),
                    Field.shown("target", "TARGET", Kind.WORD),
                    Field.shown("packetsPerSecond", "PACKETS/S", Kind.COUNT),
                    Field.exported("reportsPerSecond", Kind.COUNT),
                    Field.exported("bytesPerSecond", Kind.BYTES),
                    Field.shown("devices", "DEVICES", Kind.COUNT),
                    Field.exported("confidence", Kind.SHARE),
                    Field.exported("lastSeen", Kind.TIME),
                    Field.exported("detectedAt", Kind.TIME)),
            "start",
            Times.RECEIVED,
            "",
            EventRemarks::devices,
            "nobody was attacked lately, as far as reports show");

    static final ListKind MITIGATIONS = new ListKind(
            "mitigations",
            "mitigation",
            List.of(
                    "What is done about attacks: proposed, sent, proven, withdrawn.",
                    "",
                    "Examples:",
                    "  pathlore get mitigations",
                    "  pathlore get mitigations --watch              every two seconds",
                    "  pathlore get mitigations -o json | jq '.[] | select(.state == \"proposed\") | .id'",
                    "  pathlore mitigate approve ID                  makes a proposed one hold"),
            List.of(
                    "WANTED, SENT and PROVEN are facts apart: it should hold, the enforcer said yes, drop reports tell that it does.",
                    "STOPPED/S is ? where nobody reports what is dropped. OTHERS is the most of the last hour's other traffic it would hit."),
            List.of(
                    Field.shown("id", "ID", Kind.WORD),
                    Field.shown("state", "STATE", Kind.WORD),
                    Field.shown("enforcer", "ENFORCER", Kind.WORD),
                    Field.shown("wanted", "WANTED", Kind.FLAG),
                    Field.shown("sent", "SENT", Kind.FLAG),
                    Field.shown("proven", "PROVEN", Kind.FLAG),
                    Field.shown("packetsPerSecond", "STOPPED/S", Kind.COUNT),
                    Field.shown("blastRadius", "OTHERS", Kind.SHARE),
                    Field.shown("expiresAt", "EXPIRES", Kind.UNTIL),
                    Field.exported("createdAt", Kind.TIME),
                    Field.exported("owner", Kind.WORD),
                    Field.exported("attack", Kind.WORD),
                    Field.exported("revision", Kind.COUNT)),
            "createdAt",
            Times.NONE,
            "",
            item -> item.path("trouble").asText(item.path("reason").asText("")),
            "nothing is done about any attack");

    static final ListKind NODES = new ListKind(
            "nodes",
            "node",
            List.of(
                    "The nodes that reports tell of: heard or silent, how slow, how full, what they dropped.",
                    "",
                    "Examples:",
                    "  pathlore get nodes",
                    "  pathlore get nodes --sort p99                 the slowest first",
                    "  pathlore get nodes --since 1h --filter 'exporter in 10.0.0.0/24'",
                    "  pathlore get nodes -o json | jq '.[] | select(.state == \"silent\") | .name'"),
            OF_A_TIME,
            List.of(
                    Field.shown("id", "NODE", Kind.ID),
                    Field.shown("name", "NAME", Kind.WORD),
                    Field.shown("state", "STATE", Kind.WORD),
                    Field.exported("firstSeen", Kind.TIME),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("latencyNs.p50", "P50", Kind.NANOS),
                    Field.shown("latencyNs.p99", "P99", Kind.NANOS),
                    Field.shown("latencyNs.max", "MAX", Kind.NANOS),
                    Field.shown("occupancyMax", "OCCUPANCY", Kind.COUNT),
                    Field.shown("drops", "DROPS", Kind.TROUBLE),
                    Field.shown("completeness", "COMPLETE", Kind.SHARE),
                    Field.shown("exporter", "EXPORTER", Kind.WORD),
                    Field.exported("version", Kind.WORD)),
            "id",
            Times.STORED,
            "",
            item -> "",
            "no node was told of yet; 'pathlore doctor' says why");

    static final ListKind LINKS = new ListKind(
            "links",
            "link",
            List.of(
                    "Links between nodes, each direction for itself: up or down, and what leaves through them.",
                    "",
                    "Examples:",
                    "  pathlore get links",
                    "  pathlore get links --sort p99                 behind the slowest queues first",
                    "  pathlore get links --filter 'hop.node = spine-1'",
                    "  pathlore get links -o json | jq '.[] | select(.state == \"down\")'"),
            OF_A_TIME,
            List.of(
                    Field.shown("from", "FROM", Kind.PLACE),
                    Field.shown("to", "TO", Kind.PLACE),
                    Field.exported("from.node", Kind.ID),
                    Field.exported("from.name", Kind.WORD),
                    Field.exported("from.interface", Kind.ID),
                    Field.exported("to.node", Kind.ID),
                    Field.exported("to.name", Kind.WORD),
                    Field.exported("to.interface", Kind.ID),
                    Field.shown("state", "STATE", Kind.WORD),
                    Field.exported("downSince", Kind.TIME),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("latencyNs", "LATENCY", Kind.NANOS),
                    Field.shown("latencyErrorNs", "ERROR", Kind.NANOS),
                    Field.exported("hiddenHops", Kind.COUNT),
                    Field.shown("egress.latencyNs.p99", "P99", Kind.NANOS),
                    Field.shown("egress.occupancyMax", "OCCUPANCY", Kind.COUNT),
                    Field.shown("egress.drops", "DROPS", Kind.TROUBLE),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME)),
            "from",
            Times.STORED,
            "",
            item -> "",
            NOTHING_STORED);

    static final ListKind FLOWS = new ListKind(
            "flows",
            "flow",
            List.of(
                    "Flows: how much is reported of them, which way they go, how long they take, what they lose.",
                    "",
                    "Examples:",
                    "  pathlore get flows                            those with most reports",
                    "  pathlore get flows --sort drops --limit 10    those that lose most",
                    "  pathlore get flows --sort latency --filter 'dst in 10.2.0.0/16 and proto = tcp'",
                    "  pathlore get flows -o json | jq -r '.[0].id' | xargs pathlore explain flow"),
            List.of(
                    "The collector sorts them: by reports, drops or latency; the first 50 unless --limit says more.",
                    "LATENCY is the median of the last minute, WORST the worst 99th percentile of a minute.",
                    "A flow is stored when its minute is over. ? is unknown, - is nothing."),
            List.of(
                    Field.shown("", "FLOW", Kind.FLOW),
                    Field.shown("id", "ID", Kind.WORD),
                    Field.exported("source", Kind.ADDRESS),
                    Field.exported("destination", Kind.ADDRESS),
                    Field.exported("protocol", Kind.ID),
                    Field.exported("sourcePort", Kind.ID),
                    Field.exported("destinationPort", Kind.ID),
                    Field.exported("vni", Kind.ID),
                    Field.exported("firstSeen", Kind.TIME),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.exported("packets", Kind.COUNT),
                    Field.shown("drops", "DROPS", Kind.TROUBLE),
                    Field.shown("latencyNs.last", "LATENCY", Kind.NANOS),
                    Field.shown("latencyNs.worst", "WORST", Kind.NANOS),
                    Field.shown("path", "PATH", Kind.WAY),
                    Field.exported("path.id", Kind.WORD),
                    Field.exported("path.nodes", Kind.NODES),
                    Field.exported("lastSeen", Kind.TIME)),
            "reports",
            Times.STORED,
            "",
            item -> "",
            "no flow was stored in that time; one is when its minute is over");

    static final ListKind PATHS = new ListKind(
            "paths",
            "path",
            List.of(
                    "Paths that flows take, and how reports are shared out over those from one node to another.",
                    "",
                    "Examples:",
                    "  pathlore get paths",
                    "  pathlore get paths --filter 'path like leaf-1 > * > leaf-3'",
                    "  pathlore get paths --sort imbalance           where load is balanced worst",
                    "  pathlore get paths -o json | jq '.[] | select(.imbalance > 1.5)'"),
            List.of(
                    "SHARE is of the reports of all whole paths between the same ends, of which there are OF; IMBALANCE",
                    "is the greatest of these shares times their number: 1 is even. ? is unknown, - is nothing."),
            List.of(
                    Field.shown("", "PATH", Kind.WAY),
                    Field.exported("id", Kind.WORD),
                    Field.exported("nodes", Kind.NODES),
                    Field.shown("complete", "WHOLE", Kind.FLAG),
                    Field.shown("flows", "FLOWS", Kind.COUNT),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("share", "SHARE", Kind.SHARE),
                    Field.shown("alternatives", "OF", Kind.COUNT),
                    Field.shown("imbalance", "IMBALANCE", Kind.RATIO),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME)),
            "reports",
            Times.STORED,
            "",
            item -> "",
            "no path was stored in that time; one is when the minute of a flow on it is over");

    static final ListKind DROPS = new ListKind(
            "drops",
            "drop",
            List.of(
                    "What was dropped where, and why.",
                    "",
                    "Examples:",
                    "  pathlore get drops",
                    "  pathlore get drops --since 1h --filter 'node = leaf-3'",
                    "  pathlore get drops --filter 'not drop.reason = acl_deny'",
                    "  pathlore explain drop-reason 71               what a reason means, and what to look at"),
            OF_A_TIME,
            List.of(
                    Field.shown("", "WHERE", Kind.PLACE),
                    Field.exported("node", Kind.ID),
                    Field.exported("name", Kind.WORD),
                    Field.exported("interface", Kind.ID),
                    Field.shown("queue", "QUEUE", Kind.ID),
                    Field.shown("reason", "REASON", Kind.ID),
                    Field.shown("reasonName", "NAME", Kind.WORD),
                    Field.shown("cause", "CAUSE", Kind.WORD),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("packets", "PACKETS", Kind.COUNT),
                    Field.exported("firstSeen", Kind.TIME),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME)),
            "reports",
            Times.STORED,
            "",
            item -> "",
            "no drop was reported in that time; --since looks further back");

    static final ListKind QUEUES = new ListKind(
            "queues",
            "queue",
            List.of(
                    "Queues: how full they were, how long packets stood in them, and whether they are congested.",
                    "",
                    "Examples:",
                    "  pathlore get queues --sort occupancy --limit 10",
                    "  pathlore get queues --filter 'node = leaf-3 and hop.latency > 50us'",
                    "  pathlore get queues --watch --sort p99",
                    "  pathlore get queues -o json | jq '.[] | select(.congested)'"),
            OF_A_TIME,
            List.of(
                    Field.shown("", "WHERE", Kind.PLACE),
                    Field.exported("node", Kind.ID),
                    Field.exported("name", Kind.WORD),
                    Field.exported("interface", Kind.ID),
                    Field.shown("queue", "QUEUE", Kind.ID),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("occupancyMax", "OCCUPANCY", Kind.COUNT),
                    Field.shown("latencyNs.p50", "P50", Kind.NANOS),
                    Field.shown("latencyNs.p99", "P99", Kind.NANOS),
                    Field.shown("latencyNs.max", "MAX", Kind.NANOS),
                    Field.exported("utilizationMax", Kind.COUNT),
                    Field.shown("drops", "DROPS", Kind.TROUBLE),
                    Field.shown("episodes", "EPISODES", Kind.COUNT),
                    Field.shown("congested", "CONGESTED", Kind.FLAG),
                    Field.exported("burst", Kind.WORD),
                    Field.exported("completeness", Kind.SHARE)),
            "",
            Times.STORED,
            "",
            item -> "",
            NOTHING_STORED);

    static final List<ListKind> ALL =
            List.of(EXPORTERS, NODES, LINKS, FLOWS, PATHS, DROPS, QUEUES, EVENTS, ATTACKS, MITIGATIONS);

    ListKind {
        header = List.copyOf(header);
        footer = List.copyOf(footer);
        fields = List.copyOf(fields);
    }

    String path() {
        return "/api/v1/" + name;
    }

    /** There may be a million of them. */
    boolean isSortedByServer() {
        return name.equals("flows");
    }

    List<Field> sortable() {
        return isSortedByServer()
                ? fields.stream().filter(field -> !serverWord(field).isEmpty()).toList()
                : fields;
    }

    /** What the API calls the order; empty where it has none. */
    static String serverWord(Field field) {
        return switch (field.key()) {
            case "reports", "drops" -> field.key();
            case "latencyNs.last", "latencyNs.worst" -> "latency";
            default -> "";
        };
    }

    /** What is rare, and then worth a word: the most alarming first. */
    private static String ofExporter(JsonNode item) {
        StringJoiner remarks = new StringJoiner(", ");
        if (item.path("suspected").asBoolean(false)) {
            remarks.add("suspected: two senders in one stream, or a node of another address");
        }
        count(remarks, item, "undecodable", "undecodable", "undecodable");
        count(remarks, item, "overRate", "over the rate limit", "over the rate limit");
        if (item.path("lastFault").isTextual()) {
            remarks.add("last fault " + item.path("lastFault").textValue());
        }
        count(remarks, item, "missing", "missing", "missing");
        count(remarks, item, "unknownGaps", "gap of unknown size", "gaps of unknown size");
        count(remarks, item, "restarts", "restart", "restarts");
        count(remarks, item, "duplicates", "duplicate", "duplicates");
        count(remarks, item, "late", "late", "late");
        count(remarks, item, "reordered", "reordered", "reordered");
        return remarks.toString();
    }

    private static void count(StringJoiner remarks, JsonNode item, String key, String one, String many) {
        Long number = Field.number(item, key);
        if (number != null && number > 0) {
            remarks.add(Amount.count(number) + " " + (number == 1 ? one : many));
        }
    }
}
