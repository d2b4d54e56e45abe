package io.pathlore.cli.config;

import io.pathlore.analysis.sequence.Counting;
import io.pathlore.cli.config.Inventory.Node;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings that fit their shape to records, with the range of every value checked. */
final class ConfigReader {
    private static final int MAX_REPORTS = 65_535;
    private static final long MAX_NODE = 0xFFFF_FFFFL;

    private ConfigReader() {}

    static Config read(Settings settings) {
        return new Config(decode(settings.section("decode")), new Inventory(inventory(settings)));
    }

    private static Config.Decode decode(Settings decode) {
        Settings marks = decode.section("int");
        boolean strict = decode.word("mode", "lenient", "strict").equals("strict");
        DecodeOptions options = new DecodeOptions(
                false,
                decode.word("flow-key", "inner", "outer").equals("outer"),
                (int) decode.number("max-reports", 1, MAX_REPORTS),
                false,
                marks(marks),
                domains(decode.section("domains")));
        return new Config.Decode(options, strict, !marks.isDefault("udp-ports"), !marks.isDefault("dscp"));
    }

    private static IntMarks marks(Settings marks) {
        return new IntMarks(
                marks.numbers("udp-ports", 1, 65_535),
                dscp(marks),
                probeMarker(marks),
                marks.numbers("geneve-classes", 0, 0xFFFF),
                marks.numbers("gpe-new", 0, 0xFF),
                marks.numbers("gpe-old", 0, 0xFF),
                marks.optionalText("gre-ethertype") == null
                        ? IntMarks.NO_ETHERTYPE
                        : (int) marks.number("gre-ethertype", 0x0600, 0xFFFF),
                marks.word("tcp-options", "before", "after").equals("before"),
                marks.flag("june-2016"));
    }

    private static List<Dscp> dscp(Settings marks) {
        List<Dscp> all = new ArrayList<>();
        for (String text : marks.texts("dscp")) {
            int slash = text.indexOf('/');
            int value = sixBits(slash < 0 ? text : text.substring(0, slash));
            int mask = slash < 0 ? 0x3F : sixBits(text.substring(slash + 1));
            if (value < 0 || mask < 1 || (value & ~mask) != 0) {
                throw marks.error("dscp", "'" + text + "' is not VALUE/MASK of six bits each, like 0x17/0x3F");
            }
            all.add(new Dscp(value, mask));
        }
        return all;
    }

    private static int sixBits(String text) {
        try {
            int number = Integer.decode(text.strip());
            return number <= 0x3F ? number : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static @Nullable Long probeMarker(Settings marks) {
        String text = marks.optionalText("probe-marker");
        if (text == null) {
            return null;
        }
        if (!text.matches("0[xX][0-9a-fA-F]{1,16}")) {
            throw marks.error("probe-marker", "'" + text + "' is not up to 64 bits in hex, like 0x0123456789ABCDEF");
        }
        return Long.parseUnsignedLong(text, 2, text.length(), 16);
    }

    private static Domains domains(Settings domains) {
        Map<Integer, Domains.Domain> all = new LinkedHashMap<>();
        for (String key : domains.entries().keySet()) {
            int id = (int) Settings.number(domains.setting(key).origin(), "decode.domains: domain id", key, 1, 0xFFFF);
            List<Domains.Item> items = items(domains, key);
            // The same domain may be written 0x5453 and 21587; the later one is the user's.
            if (items.isEmpty()) {
                all.remove(id);
            } else {
                all.put(id, new Domains.Domain(id, items));
            }
        }
        return new Domains(List.copyOf(all.values()));
    }

    private static List<Domains.Item> items(Settings domains, String key) {
        List<Domains.Item> items = new ArrayList<>();
        Set<Integer> bits = new HashSet<>();
        for (Settings item : domains.sections(key)) {
            for (String needed : List.of("bit", "words")) {
                if (!item.has(needed)) {
                    throw item.error("an item needs '" + needed + "'");
                }
            }
            int bit = (int) item.number("bit", 0, 15);
            if (!bits.add(bit)) {
                throw item.error("bit", bit + " is given twice");
            }
            items.add(new Domains.Item(
                    bit,
                    (int) item.number("words", 1, 31),
                    item.has("source-only") && item.flag("source-only"),
                    item.has("name") ? item.text("name") : ""));
        }
        return items;
    }

    private static List<Node> inventory(Settings settings) {
        List<Node> nodes = new ArrayList<>();
        Set<Long> ids = new HashSet<>();
        for (Settings entry : settings.sections("inventory")) {
            Node node = node(entry);
            if (node.id() != null && !ids.add(node.id())) {
                throw entry.error("node", node.id() + " is listed twice");
            }
            if (node.id() == null && node.addresses().isEmpty()) {
                throw entry.error("an entry needs 'node' or 'addresses'");
            }
            nodes.add(node);
        }
        return nodes;
    }

    private static Node node(Settings entry) {
        return new Node(
                entry.has("node") ? entry.number("node", 0, MAX_NODE) : null,
                entry.has("name") ? entry.text("name") : null,
                entry.has("addresses") ? addresses(entry) : List.of(),
                entry.has("profile") ? profile(entry) : Profile.AUTO,
                entry.has("sequence") ? sequence(entry) : Counting.AUTO,
                entry.has("sampling") && entry.optionalText("sampling") != null
                        ? entry.number("sampling", 1, MAX_NODE)
                        : 0,
                entry.has("timestamp-unit") ? unitNanos(entry) : 1,
                entry.has("clock")
                        && entry.word("clock", "free", "synchronised").equals("synchronised"),
                entry.has("queue") ? queueCapacity(entry.section("queue")) : 0,
                entry.has("interfaces") ? interfaces(entry.section("interfaces")) : Map.of(),
                entry.has("interfaces") ? speeds(entry.section("interfaces")) : Map.of(),
                entry.has("drop-reasons") ? dropReasons(entry) : Map.of());
    }

    private static long unitNanos(Settings entry) {
        return switch (entry.word("timestamp-unit", "ns", "us", "ms", "s")) {
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            default -> 1;
        };
    }

    private static long queueCapacity(Settings queue) {
        return queue.has("capacity") ? queue.number("capacity", 1, MAX_NODE) : 0;
    }

    private static Map<Long, Long> speeds(Settings interfaces) {
        Map<Long, Long> speeds = new LinkedHashMap<>();
        interfaces.entries().forEach((key, value) -> {
            long number = Settings.number(value.origin(), "inventory.interfaces", key, 0, MAX_NODE);
            Settings one = interfaces.section(key);
            if (one.has("speed")) {
                speeds.put(number, speed(one));
            }
        });
        return speeds;
    }

    /** As people say it of a link: {@code 100G}; or as a rate: {@code 100Gbps}. */
    private static long speed(Settings one) {
        String text = one.text("speed");
        try {
            return text.matches("[0-9.]+[KMGT]?") ? Quantities.linkSpeed(text) : Quantities.bitsPerSecond(text);
        } catch (IllegalArgumentException e) {
            throw one.error("speed", String.valueOf(e.getMessage()));
        }
    }

    /** Their names. */
    private static Map<Long, String> interfaces(Settings interfaces) {
        Map<Long, String> names = new LinkedHashMap<>();
        interfaces.entries().forEach((key, value) -> {
            long number = Settings.number(value.origin(), "inventory.interfaces", key, 0, MAX_NODE);
            Settings one = interfaces.section(key);
            if (one.has("name")) {
                names.put(number, one.text("name"));
            }
        });
        return names;
    }

    private static List<InetAddress> addresses(Settings entry) {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : entry.texts("addresses")) {
            try {
                addresses.add(InetAddress.ofLiteral(text));
            } catch (IllegalArgumentException e) {
                throw entry.error("addresses", "'" + text + "' is not an IPv4 or IPv6 address");
            }
        }
        return addresses;
    }

    private static Counting sequence(Settings entry) {
        return Counting.ofLabel(entry.word("sequence", "auto", "datagram", "report", "none"))
                .orElseThrow();
    }

    private static Profile profile(Settings entry) {
        List<String> labels = new ArrayList<>();
        for (Profile profile : Profile.values()) {
            labels.add(profile.label());
        }
        String label = entry.word("profile", labels.toArray(String[]::new));
        return Profile.ofLabel(label).orElseThrow();
    }

    /** A map of number to name; the word {@code fabric-tna} is the list every node has by default. */
    private static Map<Integer, String> dropReasons(Settings entry) {
        if (entry.setting("drop-reasons") instanceof Section) {
            Map<Integer, String> names = new LinkedHashMap<>();
            Settings reasons = entry.section("drop-reasons");
            reasons.entries().forEach((key, value) -> {
                int number = (int) Settings.number(value.origin(), "inventory.drop-reasons", key, 0, 255);
                if (!(value instanceof Scalar scalar) || scalar.text() == null) {
                    throw value.origin().error("inventory.drop-reasons." + key + ": expected a name");
                }
                names.put(number, scalar.text());
            });
            return names;
        }
        if (entry.setting("drop-reasons") instanceof Scalar) {
            entry.word("drop-reasons", "fabric-tna");
            return Map.of();
        }
        throw entry.error("drop-reasons", "expected fabric-tna or a map of number: name");
    }
}
