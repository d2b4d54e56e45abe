package io.pathlore.cli.config;

import io.pathlore.analysis.ddos.Limits;
import io.pathlore.analysis.ddos.Rules;
import io.pathlore.analysis.ddos.Rules.PrefixLimits;
import io.pathlore.analysis.plan.NeverBlock;
import io.pathlore.cli.config.Service.Defending;
import io.pathlore.cli.config.Setting.Section;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The section {@code defend}: what is an attack, and how much may be done about one. */
final class DefenceReader {
    private static final long MOST = 1_000_000_000_000L;
    private static final int MAX_RULES = 1_024;
    private static final Duration MIN_EXPIRY = Duration.ofSeconds(1);
    private static final Duration MAX_EXPIRY = Duration.ofHours(24);
    private static final String DEFAULT = "default";
    private static final Set<String> WHOLE = Set.of(DEFAULT, "device", "hold", "clear", "factor", "sources", "nodes");

    private final Settings defend;

    private DefenceReader(Settings defend) {
        this.defend = defend;
    }

    static Defending read(Settings root, Path base) {
        Settings defend = root.section("defend");
        return new DefenceReader(defend)
                .read(
                        EnforcerReader.enforcers(defend, base),
                        EnforcerReader.notify(root, base),
                        MaintenanceReader.read(root));
    }

    private Defending read(
            List<EnforcerSetting> enforcers, List<EnforcerSetting.Notify> notify, List<EnforcerSetting.Quiet> quiet) {
        Duration expiry = duration(defend, "expiry");
        if (expiry.compareTo(MIN_EXPIRY) < 0 || expiry.compareTo(MAX_EXPIRY) > 0) {
            throw defend.error("expiry", "'" + defend.text("expiry") + "' is not between 1s and 24h");
        }
        List<NeverBlock> never = new ArrayList<>();
        for (String text : defend.texts("never-block")) {
            never.add(neverBlock(text));
        }
        boolean oneSink =
                defend.word("profile", DEFAULT, "transparent-security").equals("transparent-security");
        return new Defending(
                Mode.valueOf(defend.word("mode", "observe", "propose", "auto").toUpperCase(Locale.ROOT)),
                oneSink,
                rules(defend.section("thresholds"), oneSink),
                never,
                new io.pathlore.mitigate.ledger.Limits(
                        (int) defend.number("rules", 1, MAX_RULES),
                        (int) defend.number("rules-per-enforcer", 1, MAX_RULES),
                        (int) defend.number("rules-per-minute", 1, MAX_RULES),
                        expiry),
                enforcers,
                notify,
                quiet);
    }

    /** Everything but room and seed, which belong to the process. */
    private Rules rules(Settings thresholds, boolean perDevice) {
        Rules usual = Rules.usual(0);
        Limits limits = thresholds.has(DEFAULT) ? limits(thresholds, DEFAULT, usual.usual()) : usual.usual();
        List<PrefixLimits> prefixes = new ArrayList<>();
        for (String key : thresholds.entries().keySet()) {
            if (!WHOLE.contains(key)) {
                prefixes.add(new PrefixLimits(prefixKey(thresholds, key), limits(thresholds, key, limits)));
            }
        }
        long device = number(thresholds, "device", 1, MOST, perDevice ? Rules.TRANSPARENT_SECURITY : 0);
        long hold = thresholds.has("hold") ? duration(thresholds, "hold").toNanos() : usual.holdNanos();
        return new Rules(
                limits,
                prefixes,
                perDevice ? device : 0,
                number(thresholds, "factor", 1, 1_000, (long) usual.factor()),
                (int) number(thresholds, "clear", 1, 100, usual.clearPercent()),
                hold,
                (int) number(thresholds, "sources", 1, 100, usual.sources()),
                (int) number(thresholds, "nodes", 1, 8, usual.reporters()),
                usual.keys(),
                usual.suspects(),
                0);
    }

    private static long number(Settings section, String key, long min, long max, long otherwise) {
        return section.has(key) ? section.number(key, min, max) : otherwise;
    }

    private static Limits limits(Settings thresholds, String key, Limits otherwise) {
        if (!(thresholds.setting(key) instanceof Section)) {
            throw thresholds.error(key, "expected limits, like { udp-flood: 5000 }");
        }
        Settings section = thresholds.section(key);
        Map<AttackVector, Long> packets = new EnumMap<>(AttackVector.class);
        for (String name : section.entries().keySet()) {
            AttackVector vector = AttackVector.ofLabel(name).orElse(null);
            if (vector != null) {
                packets.put(vector, section.number(name, 1, MOST));
            } else if (!name.equals("bytes") && !name.equals("flows")) {
                throw section.error(name, unknown(name));
            }
        }
        return otherwise.with(
                packets,
                section.has("bytes") ? bytes(section) : otherwise.bytesPerSecond(),
                number(section, "flows", 0, MOST, otherwise.flowsPerSecond()));
    }

    private static String unknown(String name) {
        Set<String> known = new TreeSet<>(Set.of("bytes", "flows"));
        for (AttackVector vector : AttackVector.values()) {
            known.add(vector.label());
        }
        String nearest = Nearest.to(name, known);
        return "there is no such limit"
                + (nearest != null ? "; did you mean '" + nearest + "'?" : "; there are " + String.join(", ", known));
    }

    private static long bytes(Settings section) {
        try {
            return Quantities.bytes(section.text("bytes"));
        } catch (IllegalArgumentException e) {
            throw section.error("bytes", String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(Settings section, String key) {
        try {
            return Duration.ofNanos(Quantities.nanos(section.text(key)));
        } catch (IllegalArgumentException e) {
            throw section.error(key, String.valueOf(e.getMessage()));
        }
    }

    private static Prefix prefixKey(Settings thresholds, String key) {
        Prefix prefix = prefix(key);
        if (prefix == null) {
            throw thresholds.error(
                    key, "neither a prefix like 203.0.113.0/24 nor one of " + String.join(", ", new TreeSet<>(WHOLE)));
        }
        return prefix;
    }

    private NeverBlock neverBlock(String text) {
        NeverBlock.Direction direction = NeverBlock.Direction.BOTH;
        String rest = text.strip();
        for (NeverBlock.Direction one : NeverBlock.Direction.values()) {
            String word = one.name().toLowerCase(Locale.ROOT) + " ";
            if (rest.startsWith(word)) {
                direction = one;
                rest = rest.substring(word.length()).strip();
                break;
            }
        }
        Prefix prefix = prefix(rest);
        if (prefix == null) {
            throw defend.error(
                    "never-block",
                    "'" + text + "' is not an address or prefix, or one behind 'source' or 'destination'");
        }
        return new NeverBlock(prefix, direction);
    }

    private static @Nullable Prefix prefix(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            boolean v6 = address instanceof Inet6Address;
            int length = slash < 0 ? v6 ? 128 : 32 : Integer.parseInt(text.substring(slash + 1));
            ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
            return v6
                    ? new Prefix(true, raw.getLong(0), raw.getLong(8), length)
                    : new Prefix(false, 0, Integer.toUnsignedLong(raw.getInt(0)), length);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
