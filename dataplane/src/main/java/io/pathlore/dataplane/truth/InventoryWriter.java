package io.pathlore.dataplane.truth;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a collector must be told of a network, as the part of its configuration file that says so. */
public final class InventoryWriter {
    private InventoryWriter() {}

    /**
     * A node.
     *
     * @param profile a label of {@link io.pathlore.model.Profile}
     * @param sequence {@code auto}, {@code datagram}, {@code report} or {@code none}
     * @param sampling 1 of so many packets is reported; 0: unknown
     * @param timestampUnit {@code ns}, {@code us}, {@code ms} or {@code s}
     * @param synchronised whether its clock agrees with others
     * @param queueCapacityBytes of each queue; 0: unknown
     */
    public record Node(
            long id,
            String name,
            List<String> addresses,
            String profile,
            String sequence,
            long sampling,
            String timestampUnit,
            boolean synchronised,
            long queueCapacityBytes,
            List<Interface> interfaces) {
        public Node {
            addresses = List.copyOf(addresses);
            interfaces = List.copyOf(interfaces);
        }
    }

    public record Interface(int id, String name, long bitsPerSecond) {}

    /** The file: how INT is marked in this network, then its nodes in the order given. {@code title} is one line. */
    public static String write(String title, DecodeOptions decode, List<Node> nodes) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("# ").append(title.replaceAll("\\R", " ")).append('\n');
        yaml.append("decode:\n");
        marks(yaml, decode.marks());
        domains(yaml, decode.domains());
        if (nodes.isEmpty()) {
            return yaml.append("inventory: []\n").toString();
        }
        yaml.append("inventory:\n");
        for (Node node : nodes) {
            node(yaml, node);
        }
        return yaml.toString();
    }

    private static void marks(StringBuilder yaml, IntMarks marks) {
        yaml.append("  int:\n");
        line(yaml, 4, "udp-ports", list(marks.udpPorts(), String::valueOf));
        line(yaml, 4, "dscp", list(marks.dscp(), dscp -> hex(dscp.value(), 2) + "/" + hex(dscp.mask(), 2)));
        Long marker = marks.probeMarker();
        line(yaml, 4, "probe-marker", marker == null ? "null" : hex(marker, 16));
        line(yaml, 4, "geneve-classes", list(marks.geneveClasses(), value -> hex(value, 4)));
        line(yaml, 4, "gpe-new", list(marks.gpeNew(), value -> hex(value, 2)));
        line(yaml, 4, "gpe-old", list(marks.gpeOld(), value -> hex(value, 2)));
        int etherType = marks.greEtherType();
        line(yaml, 4, "gre-ethertype", etherType == IntMarks.NO_ETHERTYPE ? "null" : hex(etherType, 4));
        line(yaml, 4, "tcp-options", marks.beforeTcpOptions() ? "before" : "after");
        line(yaml, 4, "june-2016", String.valueOf(marks.june2016()));
    }

    private static void domains(StringBuilder yaml, Domains domains) {
        if (domains.all().isEmpty()) {
            return;
        }
        yaml.append("  domains:\n");
        for (Domains.Domain domain : domains.all()) {
            line(yaml, 4, hex(domain.id(), 4), list(domain.items(), InventoryWriter::item));
        }
    }

    private static String item(Domains.Item item) {
        return "{ bit: " + item.bit() + ", words: " + item.words() + ", source-only: " + item.sourceOnly()
                + (item.name().isEmpty() ? "" : ", name: " + scalar(item.name())) + " }";
    }

    private static void node(StringBuilder yaml, Node node) {
        yaml.append("  - node: ").append(node.id).append('\n');
        line(yaml, 4, "name", scalar(node.name));
        line(yaml, 4, "addresses", list(node.addresses, InventoryWriter::quoted));
        line(yaml, 4, "profile", node.profile);
        line(yaml, 4, "sequence", node.sequence);
        line(yaml, 4, "sampling", node.sampling == 0 ? "null" : Long.toString(node.sampling));
        line(yaml, 4, "timestamp-unit", node.timestampUnit);
        line(yaml, 4, "clock", node.synchronised ? "synchronised" : "free");
        line(
                yaml,
                4,
                "queue",
                node.queueCapacityBytes == 0
                        ? "{ unit: bytes }"
                        : "{ unit: bytes, capacity: " + node.queueCapacityBytes + " }");
        if (!node.interfaces.isEmpty()) {
            yaml.append("    interfaces:\n");
            for (Interface one : node.interfaces) {
                line(
                        yaml,
                        6,
                        Integer.toString(one.id),
                        "{ name: " + scalar(one.name) + ", speed: " + speed(one.bitsPerSecond) + " }");
            }
        }
        line(yaml, 4, "drop-reasons", "fabric-tna");
    }

    private static void line(StringBuilder yaml, int indent, String key, String value) {
        yaml.append(" ".repeat(indent)).append(key).append(": ").append(value).append('\n');
    }

    private static <T> String list(List<T> values, Function<T, @Nullable String> text) {
        return values.stream().map(text).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String hex(long value, int digits) {
        return String.format(Locale.ROOT, "0x%0" + digits + "X", value);
    }

    /** In the largest unit that needs no fraction. */
    static String speed(long bitsPerSecond) {
        String units = "TGMK";
        long unit = 1_000_000_000_000L;
        for (int i = 0; i < units.length(); i++, unit /= 1000) {
            if (bitsPerSecond >= unit && bitsPerSecond % unit == 0) {
                return bitsPerSecond / unit + units.substring(i, i + 1);
            }
        }
        return Long.toString(bitsPerSecond);
    }

    /** Plain where YAML cannot take it for anything else. */
    private static String scalar(String text) {
        boolean plain =
                text.matches("[A-Za-z][A-Za-z0-9_./-]*") && !text.matches("(?i)true|false|null|yes|no|on|off|y|n");
        return plain ? text : quoted(text);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\R", " ") + '"';
    }
}
