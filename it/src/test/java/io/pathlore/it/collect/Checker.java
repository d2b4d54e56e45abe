package io.pathlore.it.collect;

import io.pathlore.it.collect.SentStream.Form;
import io.pathlore.it.collect.SentStream.Plan;
import io.pathlore.it.collect.SentStream.Shipment;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.journal.PlainJournal;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The external checker: a process that sends to a collector, keeps its own books of what it sent, and compares them with what the
 * collector says, ten times a second while it works and to the last datagram when it is done. It uses no class of the product:
 * the product's counters are not their own proof.
 *
 * <p>Its arguments are {@code key=value}: {@code port}, {@code http}, {@code pid} and {@code err} (the file with its stderr) say
 * which collector; {@code journal} is the directory to compare in the end; {@code plan}, {@code size}, {@code seed} and
 * {@code rate} say what to send. Every disagreement is a line on stdout, and the exit code is then 1.
 */
final class Checker {
    private static final long SCRAPE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int MOST_LINES = 40;
    private static final int DUPLICATE_FLAG = 2;
    private static final String BAD_EXPORTER = "127.0.0.250";
    private static final int FIRST_NODE = 1_000;

    private final Map<String, String> arguments = new HashMap<>();
    private final Api api;
    private final int port;
    private final Random random;
    private final List<Exporter> exporters = new ArrayList<>();
    private final List<BadDatagram> bad = new ArrayList<>();
    private final AtomicLong begun = new AtomicLong(); // counted before it is sent
    private final SortedMap<String, Long> expected = new TreeMap<>();
    private final Map<String, ArrayDeque<Kept>> sent = new HashMap<>(); // by exporter and port
    private final List<String> wrong = new ArrayList<>();
    private long scrapes;
    private volatile boolean done;

    /** A stream and the sockets it is sent from. */
    private record Exporter(String address, SentStream stream, List<Sender> senders) {}

    /** What the journal has to hold, unless it was turned away. */
    private record Kept(SentStream stream, Shipment shipment) {}

    private record BadDatagram(byte[] bytes, String term, int goodReports) {}

    private Checker(String[] args) {
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            arguments.put(pair[0], pair[1]);
        }
        port = number("port");
        api = new Api(number("http"));
        random = new Random(number("seed"));
    }

    private String text(String key) {
        return Objects.requireNonNull(arguments.get(key), key);
    }

    private int number(String key) {
        return Integer.parseInt(text(key));
    }

    public static void main(String[] args) throws Exception {
        Checker checker = new Checker(args);
        checker.plan();
        checker.run();
        checker.wrong.stream().limit(MOST_LINES).forEach(System.out::println);
        System.out.printf(
                "%d datagrams, %d scrapes, %d disagreements%n",
                checker.begun.get(), checker.scrapes, checker.wrong.size());
        System.exit(checker.wrong.isEmpty() ? 0 : 1);
    }

    // What is sent
    // --------------------------------------------------------------------------------------------------------------

    private void plan() throws IOException {
        int size = number("size");
        List<Plan> plans = switch (text("plan")) {
            case "mixed" -> mixed(size);
            case "ports" -> ports(size);
            case "load" -> load(size);
            default -> throw new IllegalArgumentException("no plan " + text("plan"));
        };
        for (int i = 0; i < plans.size(); i++) {
            SentStream stream = new SentStream(plans.get(i), FIRST_NODE + i, random);
            String address = "127.0.0." + (2 + i);
            List<Sender> senders = new ArrayList<>();
            for (int p = 0; p < stream.plan().ports(); p++) {
                senders.add(Sender.from(address));
            }
            exporters.add(new Exporter(address, stream, senders));
        }
        if (text("plan").equals("mixed")) {
            badDatagrams();
        }
    }

    private static List<Plan> mixed(int size) {
        return List.of(
                Plan.of(Form.V20, size).losing(0.001),
                Plan.of(Form.V20, size).losing(0.01),
                Plan.of(Form.V20, size).losing(0.1),
                Plan.of(Form.V20, size).doubling(0.01),
                Plan.of(Form.V20, size).doubling(1),
                Plan.of(Form.V20, size).delaying(0.1, 64),
                Plan.of(Form.V20, size).delaying(0.05, 1_000),
                Plan.of(Form.V20, size).losing(0.01).doubling(0.01).delaying(0.05, 32),
                Plan.of(Form.V20, size).from(1_000_000).losing(0.01).restarting(3),
                Plan.of(Form.V20, size).from((1 << 22) - size / 2).losing(0.01).doubling(0.01), // wraps half way
                Plan.of(Form.V20_GROUPS, size).losing(0.01).doubling(0.01),
                Plan.of(Form.V20_REPORTS_NUMBERED, size).losing(0.01),
                Plan.of(Form.V10, size).from((1L << 32) - size / 2).losing(0.01).doubling(0.01),
                Plan.of(Form.V05, size).losing(0.01).delaying(0.1, 64),
                Plan.of(Form.CONSTANT, size),
                Plan.of(Form.V20, size).losing(0.01).fromPorts(32));
    }

    /** Exporters that use many source ports each: whoever spreads by port takes their streams apart. */
    private static List<Plan> ports(int size) {
        List<Plan> plans = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            plans.add(Plan.of(Form.V20, size).fromPorts(64).losing(i < 4 ? 0 : 0.01));
            plans.add(Plan.of(Form.V20_GROUPS, size).doubling(0.01).delaying(0.05, 32));
        }
        return plans;
    }

    private static List<Plan> load(int size) {
        return List.of(
                Plan.of(Form.V20, size),
                Plan.of(Form.V20, size),
                Plan.of(Form.V20_GROUPS, size),
                Plan.of(Form.V20_GROUPS, size));
    }

    /** All with one number, which is no counter and tells of no loss. */
    private void badDatagrams() {
        byte[] good = ReportBytes.v20(1, 7, 1, 1);
        bad(new byte[0], "rejected.empty", 0);
        bad(ReportBytes.sized(good, 1), "undecodable.TR_TRUNCATED_HEADER", 0);
        bad(ReportBytes.sized(good, 7), "undecodable.TR_TRUNCATED_HEADER", 0);
        bad(ReportBytes.sized(good, 8), "undecodable.TR20_NO_REPORTS", 0);
        bad(changed(good, 0, 0x30), "undecodable.TR_UNKNOWN_VERSION", 0);
        bad(changed(good, 0, 0xF0), "undecodable.TR_UNKNOWN_VERSION", 0);
        bad(changed(good, 9, 0x7F), "reportsRejected.TR20_REPORT_LENGTH_OVERRUN", 0);
        bad(changed(good, 9, 0xFF), "reportsRejected.TR20_FF_TOO_SHORT", 0);
        byte[] two = ReportBytes.v20(1, 7, 1, 1, 2, 1, 0);
        bad(changed(two, 8, 0xF4), "reportsRejected.TR20_RESERVED_REPTYPE", 1);
        bad(changed(two, 8 + ReportBytes.REPORT, 0x16), "reportsRejected.TR20_RESERVED_INTYPE", 1);
    }

    private void bad(byte[] bytes, String term, int goodReports) {
        bad.add(new BadDatagram(bytes, term, goodReports));
    }

    private static byte[] changed(byte[] datagram, int at, int value) {
        byte[] bytes = datagram.clone();
        bytes[at] = (byte) value;
        return bytes;
    }

    // Sending and watching
    // --------------------------------------------------------------------------------------------------------------

    private void run() throws IOException, InterruptedException {
        Thread watch = Thread.ofPlatform().start(this::watch);
        int rate = number("rate");
        int window = api.metrics().window();
        long start = System.nanoTime();
        long waited = 0;
        List<ArrayDeque<Shipment>> queues = new ArrayList<>();
        List<Integer> turns = new ArrayList<>();
        for (int i = 0; i < exporters.size(); i++) {
            queues.add(new ArrayDeque<>(exporters.get(i).stream().shipments()));
            turns.add(i);
        }
        try (Sender stranger = Sender.from(BAD_EXPORTER)) {
            while (!turns.isEmpty()) {
                int turn = random.nextInt(turns.size());
                int index = turns.get(turn);
                send(exporters.get(index), queues.get(index).remove());
                if (queues.get(index).isEmpty()) {
                    turns.remove(/* index */ turn);
                }
                if (!bad.isEmpty() && random.nextInt(20) == 0) {
                    send(stranger, bad.get(random.nextInt(bad.size())));
                }
                long count = begun.get();
                if (rate > 0) {
                    keepPace(start, count, rate);
                } else if (count - waited >= window) {
                    untilRead(waited, window);
                    waited = count;
                }
            }
        }
        atRest();
        done = true;
        watch.join();
        stop();
    }

    private static void keepPace(long start, long count, int rate) {
        long due = start + count * TimeUnit.SECONDS.toNanos(1) / rate;
        long early = due - System.nanoTime();
        if (early > TimeUnit.MILLISECONDS.toNanos(1)) {
            LockSupport.parkNanos(early);
        }
    }

    private void send(Exporter exporter, Shipment shipment) throws IOException {
        byte[] bytes = exporter.stream.bytes(shipment);
        Sender sender = exporter.senders.get(shipment.port());
        begun.incrementAndGet();
        sender.send(port, bytes);
        count("datagramsRead", 1);
        count("bytesRead", bytes.length);
        count("accepted", 1);
        count("journalled", 1);
        count("decodedDatagrams", 1);
        count("reportsSeen", shipment.reports());
        count("reportsDecoded", shipment.reports());
        count(shipment.copy() ? "duplicates" : "analysed", shipment.reports());
        sent.computeIfAbsent(exporter.address + " " + sender.port(), _ -> new ArrayDeque<>())
                .add(new Kept(exporter.stream, shipment));
    }

    private void send(Sender stranger, BadDatagram datagram) throws IOException {
        begun.incrementAndGet();
        stranger.send(port, datagram.bytes);
        count("datagramsRead", 1);
        count("bytesRead", datagram.bytes.length);
        count(datagram.term, 1);
        boolean rejected = datagram.term.startsWith("rejected.");
        boolean reports = datagram.term.startsWith("reportsRejected.");
        count("accepted", rejected ? 0 : 1);
        count("journalled", rejected ? 0 : 1);
        count("decodedDatagrams", reports ? 1 : 0);
        count("reportsSeen", reports ? 1 + datagram.goodReports : 0);
        count("reportsDecoded", datagram.goodReports);
        count("analysed", datagram.goodReports);
    }

    private void count(String term, long more) {
        expected.merge(term, more, Long::sum);
    }

    /** And not more of them than {@code inFlight} wait between threads: a full queue would be a reason to leave some out. */
    private void untilRead(long datagrams, int inFlight) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Reading now = look(null);
        while ((now.accountedFor() < datagrams || now.get("inFlight") > inFlight || operatorsWait() > inFlight)
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
            now = look(now);
        }
    }

    /** No part of the ledger: what waits there is counted as analysed. */
    private long operatorsWait() throws IOException {
        return api.metrics().get("operatorsWaiting");
    }

    /** Ten times a second, beside the sending: ledger, metrics, and the ledger again. */
    private void watch() {
        Reading before = null;
        while (!done) {
            long next = System.nanoTime() + SCRAPE_NANOS;
            try {
                before = look(before);
                Reading metrics = api.metrics();
                Reading after = look(before);
                between(before, metrics, after);
                before = after;
            } catch (IOException | RuntimeException e) {
                complain("no answer, or none that can be read: " + e);
            }
            LockSupport.parkNanos(Math.max(0, next - System.nanoTime()));
        }
    }

    private Reading look(@Nullable Reading before) throws IOException {
        Reading now = api.ledger();
        long most = begun.get();
        now.violations().forEach(this::complain);
        if (now.accountedFor() > most) {
            complain("only " + most + " were sent, but accounted for are " + now.accountedFor());
        }
        if (before != null) {
            before.numbers().forEach((name, number) -> {
                if (!name.equals("inFlight") && now.get(name) < number) {
                    complain(name + " fell from " + number + " to " + now.get(name));
                }
            });
        }
        synchronized (this) {
            scrapes++;
        }
        return now;
    }

    private void between(Reading before, Reading metrics, Reading after) {
        after.numbers().forEach((name, most) -> {
            long number = metrics.get(name);
            if (!name.equals("inFlight") && (number < before.get(name) || number > most)) {
                complain("the metrics say " + name + " is " + number + ", the ledger had " + before.get(name)
                        + " before and " + most + " behind");
            }
        });
    }

    private synchronized void complain(String line) {
        wrong.add(line);
    }

    // The end
    // --------------------------------------------------------------------------------------------------------------

    private void atRest() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Reading now = look(null);
        while ((now.accountedFor() < begun.get() || now.get("inFlight") > 0) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
            now = look(now);
        }
        compare("at rest", now, now.get("sequenceLost"));
        compare("metrics at rest", api.metrics(), now.get("sequenceLost"));
        compareExporters();
    }

    /** Every term of the ledger; those of which nothing was sent are 0. */
    private void compare(String when, Reading now, long lost) {
        SortedMap<String, Long> all = new TreeMap<>(expected);
        all.put("sequenceLost", lost);
        if (number("rate") > 0) {
            // Who has to keep a pace beside others may analyse less than all; every datagram is read and kept all the
            // same.
            all.put("shed.overload", now.get("shed.overload"));
            all.merge("analysed", -now.get("shed.overload"), Long::sum);
        }
        now.numbers().keySet().stream().filter(Checker::isOfLedger).forEach(name -> all.putIfAbsent(name, 0L));
        all.forEach((name, number) -> {
            if (now.get(name) != number) {
                complain(when + ": " + name + " is " + now.get(name) + ", should be " + number);
            }
        });
        if (lost > withheld()) {
            complain(when + ": sequenceLost is " + lost + ", withheld were " + withheld());
        }
    }

    private static boolean isOfLedger(String name) {
        return name.matches("queueDropped|inFlight"
                + "|(rejected|undecodable|journalDropped|reportsRejected|shed|kernelDropped)\\..*");
    }

    private long withheld() {
        return exporters.stream().mapToLong(each -> each.stream.lost()).sum();
    }

    private void compareExporters() throws IOException {
        Map<String, Map<?, ?>> rows = new HashMap<>();
        if (Json.object(api.good("/api/v1/exporters")).get("items") instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof Map<?, ?> row) {
                    rows.put(String.valueOf(row.get("address")), row);
                }
            }
        }
        for (Exporter exporter : exporters) {
            Map<?, ?> row = rows.getOrDefault(exporter.address, Map.of());
            SentStream stream = exporter.stream;
            long datagramCopies =
                    stream.shipments().stream().filter(Shipment::copy).count();
            check(exporter, row, "datagrams", stream.shipments().size());
            check(exporter, row, "streams", 1);
            check(exporter, row, "restarts", stream.plan().restarts());
            check(exporter, row, "duplicates", datagramCopies);
            check(exporter, row, "reordered", stream.late());
            check(exporter, row, "late", stream.plan().restarts() > 0 ? number(row, "late") : 0);
            check(exporter, row, "unknownGaps", 0);
            long notCome = number(row, "lost") + number(row, "missing");
            if (notCome != stream.lost()) {
                complain(exporter.address + ": lost and missing are " + notCome + ", withheld were " + stream.lost());
            }
        }
    }

    private void check(Exporter exporter, Map<?, ?> row, String key, long wanted) {
        if (number(row, key) != wanted) {
            complain(exporter.address + ": " + key + " is " + row.get(key) + ", should be " + wanted);
        }
    }

    private static long number(Map<?, ?> row, String key) {
        return row.get(key) instanceof Long number ? number : -1;
    }

    /** SIGTERM; then what it says last, and what it has kept. */
    private void stop() throws IOException {
        ProcessHandle collector = ProcessHandle.of(number("pid")).orElseThrow();
        collector.destroy();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (collector.isAlive() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        compare("in the end", RunningCollector.lastLedger(Files.readString(Path.of(text("err")))), withheld());
        String journal = arguments.get("journal");
        if (journal != null) {
            compareJournal(PlainJournal.read(Path.of(journal)));
        }
        for (Exporter exporter : exporters) {
            for (Sender sender : exporter.senders) {
                sender.close();
            }
        }
    }

    /** Every datagram that was let in is there once, byte for byte, and those of one sender in the order they were sent. */
    private void compareJournal(PlainJournal journal) {
        journal.remarks().forEach(remark -> complain("journal: " + remark));
        if (journal.datagrams().size() != expected.getOrDefault("journalled", 0L)) {
            complain("the journal holds " + journal.datagrams().size() + ", should be " + expected.get("journalled"));
        }
        long position = -1;
        for (PlainJournal.Datagram each : journal.datagrams()) {
            if (each.position() <= position) {
                complain("position " + each.position() + " follows " + position);
            }
            position = each.position();
            String exporter = address(each.exporter());
            ArrayDeque<Kept> queue = sent.get(exporter + " " + each.exporterPort());
            if (exporter.equals(BAD_EXPORTER)) {
                continue;
            }
            Kept kept = queue == null ? null : queue.poll();
            if (kept == null) {
                complain("nobody sent what is at position " + position);
                continue;
            }
            String bytes = Hex.text(kept.stream.bytes(kept.shipment));
            if (!bytes.equals(each.bytes()) || each.originalLength() != bytes.length() / 2) {
                complain("other bytes at position " + position + " than sent by " + exporter);
            }
            if (each.destinationPort() != port) {
                complain("at position " + position + " is one for port " + each.destinationPort());
            }
            if (((each.flags() & DUPLICATE_FLAG) != 0) != kept.shipment.copy()) {
                complain("duplicate or not at position " + position + ": " + kept.shipment);
            }
        }
    }

    private static String address(String hex) {
        try {
            return InetAddress.getByAddress(Hex.bytes(hex)).getHostAddress();
        } catch (IOException e) {
            throw new IllegalArgumentException(hex, e);
        }
    }
}
