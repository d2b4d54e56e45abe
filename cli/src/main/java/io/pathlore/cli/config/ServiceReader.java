package io.pathlore.cli.config;

import io.pathlore.cli.config.Service.Analysis;
import io.pathlore.cli.config.Service.Journalling;
import io.pathlore.cli.config.Service.Kafka;
import io.pathlore.cli.config.Service.Listening;
import io.pathlore.cli.config.Service.Storing;
import io.pathlore.cli.config.Setting.Section;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.serve.HttpOptions;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sections of a process that stays. */
final class ServiceReader {
    private static final long MIB = 1L << 20;
    private static final long MAX_MEMORY = 1L << 44;
    private static final long MIN_MEMORY = 64 * MIB;
    private static final long MIN_STORE_MEMORY = 128 * MIB;
    private static final long MIN_BUFFER = 4_096;
    private static final long MAX_BUFFER = 1L << 30;
    private static final long MIN_SEGMENT = MIB;
    private static final long MAX_SEGMENT = 1L << 40;
    private static final int MAX_WORKERS = 64;
    private static final int MAX_SHARDS = 256;
    private static final int MAX_FLOWS = 100_000_000;
    private static final int MAX_PATHS = 10_000_000;
    private static final long MAX_RATE = 1_000_000_000L;

    private static final Set<String> PUBLISHED = Set.of("datagrams", "events", "rollups");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\s:\\[\\]]+):\\d{1,5}");

    private final Path directory;
    private final @Nullable String home;

    /** Relative paths are below {@code directory}, those with a tilde below {@code home}. */
    ServiceReader(Path directory, @Nullable String home) {
        this.directory = directory;
        this.home = home;
    }

    Service read(Config config, Settings settings, ConfigDump dump) {
        return new Service(
                config,
                path(settings, "data"),
                size(settings, "memory", MIN_MEMORY, MAX_MEMORY),
                listen(settings.section("listen")),
                journal(settings.section("journal")),
                store(settings.section("store")),
                analysis(settings.section("analysis")),
                defend(settings),
                http(settings.section("http")),
                kafka(
                        settings.section("kafka"),
                        settings.section("journal").flag("enabled"),
                        settings.section("store").flag("enabled")),
                EdgeReader.read(settings, directory),
                dump.json());
    }

    private Service.Defending defend(Settings settings) {
        Service.Defending defend = DefenceReader.read(settings, directory);
        if (defend.mode() != Mode.OBSERVE && !settings.section("analysis").flag("enabled")) {
            throw settings.section("defend")
                    .error("mode", "needs analysis.enabled=true: nobody would look for attacks here");
        }
        return defend;
    }

    private static Listening listen(Settings listen) {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : listen.texts("addresses")) {
            addresses.add(address(listen, "addresses", text));
        }
        List<Integer> ports = listen.numbers("ports", 1, 65_535);
        if (addresses.isEmpty() || ports.isEmpty()) {
            throw listen.error(addresses.isEmpty() ? "addresses" : "ports", "needs at least one");
        }
        return new Listening(
                addresses,
                ports.stream().distinct().toList(),
                (int) size(listen, "receive-buffer", MIN_BUFFER, MAX_BUFFER),
                automatic(listen, "workers", MAX_WORKERS),
                listen.flag("gro"),
                allow(listen),
                NodeBinding.Mode.valueOf(
                        listen.word("binding", "off", "learn", "enforce").toUpperCase(Locale.ROOT)),
                listen.number("rate-limit", 0, MAX_RATE));
    }

    private static AllowList allow(Settings listen) {
        try {
            return AllowList.of(listen.texts("allow"));
        } catch (IllegalArgumentException e) {
            throw listen.error("allow", String.valueOf(e.getMessage()).replaceFirst("^listen\\.allow: ", ""));
        }
    }

    private static Journalling journal(Settings journal) {
        Duration sync = duration(journal, "sync");
        if (sync.isZero() || sync.compareTo(Duration.ofSeconds(60)) > 0) {
            throw journal.error("sync", "'" + journal.text("sync") + "' is not above 0 and up to 60s");
        }
        return new Journalling(
                journal.flag("enabled"),
                sync,
                size(journal, "segment", MIN_SEGMENT, MAX_SEGMENT),
                duration(journal, "keep"),
                size(journal, "keep-bytes", 0, Long.MAX_VALUE));
    }

    private static Storing store(Settings store) {
        return new Storing(
                store.flag("enabled"),
                duration(store, "seconds"),
                duration(store, "minutes"),
                duration(store, "events"),
                size(store, "memory", MIN_STORE_MEMORY, MAX_MEMORY));
    }

    private static Analysis analysis(Settings analysis) {
        return new Analysis(
                analysis.flag("enabled"),
                (int) analysis.number("flows", 1_000, MAX_FLOWS),
                (int) analysis.number("paths", 1_000, MAX_PATHS),
                automatic(analysis, "shards", MAX_SHARDS),
                duration(analysis, "join"),
                duration(analysis, "silent-after"));
    }

    private HttpOptions http(Settings http) {
        return new HttpOptions(
                address(http, "address", http.text("address")),
                (int) http.number("port", 1, 65_535),
                tls(http),
                http.flag("insecure"),
                Set.of(),
                HttpOptions.Limits.DEFAULT);
    }

    private @Nullable Kafka kafka(Settings kafka, boolean journalled, boolean stored) {
        List<String> publish = kafka.texts("publish");
        for (String what : publish) {
            if (!PUBLISHED.contains(what)) {
                throw kafka.error("publish", "'" + what + "' cannot be published; datagrams, events and rollups can");
            }
        }
        if (kafka.isNull("bootstrap")) {
            return null;
        }
        String bootstrap = kafka.text("bootstrap");
        for (String server : bootstrap.split(",", -1)) {
            if (!SERVER.matcher(server.strip()).matches()) {
                throw kafka.error(
                        "bootstrap", "'" + server.strip() + "' is not HOST:PORT; several are parted by commas");
            }
        }
        if (publish.contains("datagrams") && !journalled) {
            throw kafka.error("bootstrap", "needs journal.enabled=true: what is published is read from the journal");
        }
        if (publish.contains("rollups") && !stored) {
            throw kafka.error("publish", "rollups need store.enabled=true: they are read from the tables");
        }
        String edge = kafka.isNull("edge") ? "" : "-" + kafka.text("edge");
        Map<String, String> settings =
                kafka.isNull("properties") ? Map.of() : properties(kafka, path(kafka, "properties"));
        return new Kafka(
                new Brokers(bootstrap, settings, "pathlore-edge" + edge),
                publish.contains("datagrams"),
                publish.contains("events"),
                publish.contains("rollups"));
    }

    private static Map<String, String> properties(Settings kafka, Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw kafka.error("properties", file + " cannot be read: " + e.getMessage());
        }
        Map<String, String> settings = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name, "")));
        return settings;
    }

    private HttpOptions.@Nullable Tls tls(Settings http) {
        if (http.isNull("tls")) {
            return null;
        }
        if (!(http.setting("tls") instanceof Section section)
                || !section.entries().keySet().equals(Set.of("certificate", "key"))) {
            throw http.error("tls", "expected null or { certificate: FILE, key: FILE }");
        }
        Settings tls = http.section("tls");
        return new HttpOptions.Tls(path(tls, "certificate"), path(tls, "key"));
    }

    private static InetAddress address(Settings section, String key, String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw section.error(key, "'" + text + "' is not an IPv4 or IPv6 address");
        }
    }

    /** {@code auto}, or a number from 1. */
    private static int automatic(Settings section, String key, int most) {
        return section.text(key).equals("auto") ? Service.AUTO : (int) section.number(key, 1, most);
    }

    private static Duration duration(Settings section, String key) {
        try {
            return Duration.ofNanos(Quantities.nanos(section.text(key)));
        } catch (IllegalArgumentException e) {
            throw section.error(key, String.valueOf(e.getMessage()));
        }
    }

    private static long size(Settings section, String key, long min, long max) {
        long bytes;
        try {
            bytes = Quantities.bytes(section.text(key));
        } catch (IllegalArgumentException e) {
            throw section.error(key, String.valueOf(e.getMessage()));
        }
        if (bytes < min || bytes > max) {
            throw section.error(
                    key,
                    section.text(key) + " is "
                            + (bytes < min ? "less than " + bytesText(min) : "more than " + bytesText(max)));
        }
        return bytes;
    }

    private static String bytesText(long bytes) {
        return bytes % MIB == 0 ? bytes / MIB + "MiB" : bytes + "B";
    }

    private Path path(Settings section, String key) {
        String text = section.text(key);
        try {
            if (text.equals("~") || text.startsWith("~/")) {
                if (home == null) {
                    throw section.error(key, "'" + text + "' needs HOME, which is not set; give a whole path");
                }
                return Path.of(home, text.substring(1));
            }
            return directory.resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw section.error(key, "'" + text + "' is not a path");
        }
    }
}
