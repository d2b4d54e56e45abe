package io.pathlore.cli.config;

import io.pathlore.dataplane.inband.Carrier;
import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.report.InnerStart;
import io.pathlore.dataplane.report.OwnMetadata;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.scenario.Reporting;
import io.pathlore.dataplane.scenario.Telemetry;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.watch.FlowRules;
import io.pathlore.dataplane.watch.Match;
import io.pathlore.dataplane.watch.PortRange;
import io.pathlore.dataplane.watch.PrefixMatch;
import io.pathlore.dataplane.watch.QueueRules;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.wire.Domains;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.IntVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code telemetry} of a scenario. */
final class TelemetryReader {
    private static final List<String> TASK_KEYS = List.of(
            "mode",
            "int-version",
            "carrier",
            "instructions",
            "hop-limit",
            "discard",
            "replicate",
            "complement",
            "destination-header");
    private static final List<String> MATCH_KEYS = List.of(
            "source",
            "destination",
            "source-ports",
            "destination-ports",
            "protocol",
            "dscp",
            "ingress",
            "vni",
            "outer");
    private static final List<String> DIALECTS = List.of("spec", "transparent-security");

    /** Above 10.0.0.0/9, where hosts are, and above every switch of a network of usual size. */
    private static final int COLLECTOR = 0x0AFF_FFFE;

    private static final int COLLECTOR_PORT = 8555;
    private static final String USUAL_INSTRUCTIONS = "node-id, interfaces, hop-latency, queue";
    private static final int DEVICE_BIT = 0x8000;

    private final Topology topology;
    private final Part part;
    private final boolean dialect;

    private TelemetryReader(Topology topology, Part part) {
        this.topology = topology;
        this.part = part;
        dialect = part.word("dialect", "spec", DIALECTS).equals("transparent-security");
    }

    static Telemetry read(Part part, Topology topology) {
        List<String> allowed =
                new ArrayList<>(List.of("dialect", "report", "watch", "flows", "queues", "drops", "device-flags"));
        allowed.addAll(TASK_KEYS);
        part.allow(allowed);
        return new TelemetryReader(topology, part).telemetry();
    }

    private Telemetry telemetry() {
        IntTask usual = task(part, part);
        List<WatchEntry> watchlist = new ArrayList<>();
        for (Part entry : part.parts("watch")) {
            watchlist.add(watch(entry, watchlist.size() + 1));
        }
        if (!part.has("watch")) {
            watchlist.add(new WatchEntry("all", 0, Match.EVERYTHING, Sampling.EVERY_PACKET, true, true, usual));
        }
        Part drops = part.part("drops").allow("interval");
        return new Telemetry(
                usual.mode(),
                Codepoints.DEFAULT,
                reporting(part.part("report")),
                watchlist,
                flowRules(part.part("flows")),
                queueRules(part.part("queues")),
                drops.nanos("interval", 0));
    }

    /** What {@code own} does not say, {@code usual} does. */
    private IntTask task(Part own, Part usual) {
        Mode mode = Mode.valueOf(from(own, usual, "mode")
                .word("mode", "md", words(Mode.values()))
                .toUpperCase(Locale.ROOT));
        Part versionFrom = from(own, usual, "int-version");
        IntVersion version = version(versionFrom);
        Carrier carrier = Carrier.valueOf(from(own, usual, "carrier")
                .word("carrier", "new-udp", words(Carrier.values()))
                .replace('-', '_')
                .toUpperCase(Locale.ROOT));
        Instructions instructions = instructions(from(own, usual, "instructions"), version, mode);
        if (dialect && mode != Mode.MD) {
            throw from(own, usual, "mode").error("mode", "the dialect transparent-security is one of mode md");
        }
        int hopLimit = from(own, usual, "hop-limit").integer("hop-limit", Telemetry.DEFAULT_HOP_LIMIT, 1, 255);
        return own.wrap(() -> switch (mode) {
            case MD ->
                new IntTask(
                        mode,
                        version,
                        carrier,
                        instructions,
                        hopLimit,
                        from(own, usual, "discard").flag("discard", false),
                        from(own, usual, "replicate").integer("replicate", 0, 0, 3),
                        true,
                        from(own, usual, "complement").flag("complement", false),
                        from(own, usual, "destination-header").flag("destination-header", false),
                        dialect);
            case MX -> IntTask.mx(carrier, instructions);
            case XD -> IntTask.xd(instructions);
        });
    }

    private static Part from(Part own, Part usual, String key) {
        return own.has(key) ? own : usual;
    }

    private static IntVersion version(Part part) {
        String word = part.word("int-version", "2.1", List.of("2016", "0.5", "1.0", "2.0", "2.1", "2.x"));
        return switch (word) {
            case "2016" -> IntVersion.JUNE_2016;
            case "0.5" -> IntVersion.V0_5;
            case "1.0" -> IntVersion.V1_0;
            default -> IntVersion.V2;
        };
    }

    private Instructions instructions(Part part, IntVersion version, Mode mode) {
        String usual = dialect ? "node-id" : USUAL_INSTRUCTIONS;
        List<String> names = part.has("instructions") ? part.texts("instructions") : List.of(usual.split(", "));
        Map<String, Integer> bits = bits(version);
        int bitmap = 0;
        if (names.size() == 1 && names.getFirst().startsWith("0x")) {
            bitmap = part.integer("instructions", 0, 0, 0xFFFF);
        } else {
            for (String name : names) {
                Integer bit = bits.get(name);
                if (bit == null) {
                    String nearest = Nearest.to(name, bits.keySet());
                    throw part.error(
                            "instructions",
                            "'" + name + "' is not an instruction of INT " + version.label()
                                    + (nearest != null
                                            ? "; did you mean '" + nearest + "'?"
                                            : "; there are " + String.join(", ", bits.keySet())));
                }
                bitmap |= bit;
            }
        }
        if (!dialect || mode != Mode.MD) {
            return Instructions.of(bitmap);
        }
        int flags = this.part.integer("device-flags", 0, 0, 0xFFFF);
        return new Instructions(bitmap, Domains.TRANSPARENT_SECURITY, DEVICE_BIT, flags);
    }

    /** Instruction bits by name; bit 0 is the highest [INT 2.1 §5.8, INT 1.0 §4.7, INT 0.5 §4.7, INT June 2016 §4.3]. */
    static Map<String, Integer> bits(IntVersion version) {
        Map<String, Integer> bits = new LinkedHashMap<>();
        bits.put("node-id", 0x8000);
        bits.put("interfaces", version == IntVersion.JUNE_2016 ? 0x4400 : 0x4000);
        bits.put("hop-latency", 0x2000);
        bits.put("queue", 0x1000);
        bits.put("ingress-timestamp", 0x0800);
        if (version != IntVersion.JUNE_2016) {
            bits.put("egress-timestamp", 0x0400);
        }
        boolean late = version == IntVersion.V1_0 || version == IntVersion.V2;
        bits.put(late ? "level-2-interfaces" : "queue-congestion", 0x0200);
        bits.put("tx-utilization", 0x0100);
        if (version == IntVersion.V2) {
            bits.put("buffer", 0x0080);
        }
        if (late) {
            bits.put("checksum-complement", 0x0001);
        }
        return bits;
    }

    private WatchEntry watch(Part entry, int number) {
        List<String> allowed = new ArrayList<>(List.of("name", "priority", "sampling", "by", "flows", "drops"));
        allowed.addAll(MATCH_KEYS);
        allowed.addAll(TASK_KEYS);
        entry.allow(allowed);
        int oneIn = entry.integer("sampling", 1, 1, 1_000_000_000);
        String by = entry.word("by", "count", List.of("count", "identity"));
        Sampling sampling = new Sampling(by.equals("count") ? Sampling.Method.COUNT : Sampling.Method.IDENTITY, oneIn);
        boolean flows = entry.flag("flows", true);
        return new WatchEntry(
                entry.text("name", "watch-" + number),
                entry.integer("priority", 0, -1000, 1000),
                match(entry),
                sampling,
                flows,
                entry.flag("drops", true),
                flows ? task(entry, part) : null);
    }

    private Match match(Part entry) {
        return new Match(
                prefix(entry, "source"),
                prefix(entry, "destination"),
                ports(entry, "source-ports"),
                ports(entry, "destination-ports"),
                entry.has("protocol") ? FaultReader.protocol(entry, "protocol") : Match.ANY,
                entry.integer("dscp", Match.ANY, 0, 63),
                entry.integer("ingress", Match.ANY, 1, 65_535),
                entry.integer("vni", Match.ANY, 0, 0xFF_FFFF),
                entry.flag("outer", false));
    }

    private @Nullable PrefixMatch prefix(Part entry, String key) {
        if (!entry.has(key)) {
            return null;
        }
        Addresses.Prefix prefix = Addresses.prefix(entry, key, topology);
        return new PrefixMatch(prefix.v6(), prefix.high(), prefix.low(), prefix.length());
    }

    private static @Nullable PortRange ports(Part entry, String key) {
        if (!entry.has(key)) {
            return null;
        }
        String text = entry.text(key);
        int dots = text.indexOf("..");
        try {
            int first = Integer.parseInt(dots < 0 ? text : text.substring(0, dots));
            int last = dots < 0 ? first : Integer.parseInt(text.substring(dots + 2));
            return new PortRange(first, last);
        } catch (IllegalArgumentException e) {
            throw entry.error(key, "'" + text + "' is not a port or ports, like 443 or 1000..1999");
        }
    }

    private static FlowRules flowRules(Part part) {
        part.allow("report", "latency-quantum", "refresh");
        String report = part.word("report", "every-packet", List.of("every-packet", "on-change"));
        if (report.equals("every-packet")) {
            for (String key : List.of("latency-quantum", "refresh")) {
                if (part.has(key)) {
                    throw part.error(key, "is for report: on-change");
                }
            }
            return FlowRules.EVERY_PACKET;
        }
        return FlowRules.onChange(part.nanos("latency-quantum", 0), part.nanos("refresh", 1_000_000_000L));
    }

    private static QueueRules queueRules(Part part) {
        part.allow("threshold", "reset", "latency-threshold", "latency-reset", "quota");
        if (part.keys().isEmpty()) {
            return QueueRules.NONE;
        }
        long threshold = part.bytes("threshold", 0);
        long slow = part.nanos("latency-threshold", 0);
        return part.wrap(() -> new QueueRules(
                threshold,
                part.bytes("reset", threshold == 0 ? 0 : Math.max(1, threshold / 2)),
                slow,
                part.nanos("latency-reset", slow == 0 ? 0 : Math.max(1, slow / 2)),
                part.integer("quota", QueueRules.DEFAULT_QUOTA, 0, Integer.MAX_VALUE)));
    }

    private Reporting reporting(Part report) {
        report.allow(
                "version",
                "collector",
                "port",
                "truncate",
                "payload",
                "coalesce",
                "own",
                "inner",
                "tlv",
                "source-port");
        ReportVersion version = reportVersion(report.word("version", "2.0", List.of("0.5", "1.0", "2.0")));
        int collector = report.has("collector") ? Addresses.ipv4(report, "collector") : COLLECTOR;
        int port = report.integer("port", COLLECTOR_PORT, 1, 65_535);
        String sourcePort = report.text("source-port", "entropy");
        Reporting reporting = report.wrap(() -> new Reporting(
                version,
                ReportDestination.ipv4(collector, port),
                (int) Math.min(report.bytes("truncate", ReportFormat.DEFAULT_FRAGMENT_BYTES), 65_535),
                (int) Math.min(report.bytes("payload", ReportFormat.DEFAULT_PAYLOAD_BYTES), 65_507),
                report.nanos("coalesce", 0),
                OwnMetadata.valueOf(report.word("own", dialect ? "stack" : "main", words(OwnMetadata.values()))
                        .replace('-', '_')
                        .toUpperCase(Locale.ROOT)),
                report.word("inner", "ethernet", List.of("ethernet", "ip")).equals("ip")
                        ? InnerStart.IP
                        : InnerStart.ETHERNET,
                report.flag("tlv", false),
                sourcePort.equals("entropy") ? ReportFormat.ENTROPY : report.integer("source-port", 0, 0, 65_535),
                dialect));
        report.wrap(() -> reporting.format(1)); // what does not go together is said here
        return reporting;
    }

    static ReportVersion reportVersion(String label) {
        return Arrays.stream(ReportVersion.values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(label));
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values)
                .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }
}
