package io.pathlore.dataplane.traffic;

import static io.pathlore.dataplane.traffic.Parameter.ACKNOWLEDGE;
import static io.pathlore.dataplane.traffic.Parameter.ADDRESSES;
import static io.pathlore.dataplane.traffic.Parameter.AMPLIFICATION;
import static io.pathlore.dataplane.traffic.Parameter.BOTS;
import static io.pathlore.dataplane.traffic.Parameter.BYTES;
import static io.pathlore.dataplane.traffic.Parameter.COUNT;
import static io.pathlore.dataplane.traffic.Parameter.DIRECTION;
import static io.pathlore.dataplane.traffic.Parameter.DSCP;
import static io.pathlore.dataplane.traffic.Parameter.DURATION;
import static io.pathlore.dataplane.traffic.Parameter.EXCHANGES;
import static io.pathlore.dataplane.traffic.Parameter.FLOWS;
import static io.pathlore.dataplane.traffic.Parameter.FPS;
import static io.pathlore.dataplane.traffic.Parameter.FROM;
import static io.pathlore.dataplane.traffic.Parameter.IP;
import static io.pathlore.dataplane.traffic.Parameter.JITTER;
import static io.pathlore.dataplane.traffic.Parameter.MQTT;
import static io.pathlore.dataplane.traffic.Parameter.PERIOD;
import static io.pathlore.dataplane.traffic.Parameter.PORT;
import static io.pathlore.dataplane.traffic.Parameter.PORTS;
import static io.pathlore.dataplane.traffic.Parameter.PREFIX;
import static io.pathlore.dataplane.traffic.Parameter.RAMP;
import static io.pathlore.dataplane.traffic.Parameter.RATE;
import static io.pathlore.dataplane.traffic.Parameter.REQUEST;
import static io.pathlore.dataplane.traffic.Parameter.RESPONSE;
import static io.pathlore.dataplane.traffic.Parameter.SCALE;
import static io.pathlore.dataplane.traffic.Parameter.SERVICE;
import static io.pathlore.dataplane.traffic.Parameter.SHAPE;
import static io.pathlore.dataplane.traffic.Parameter.SHARES;
import static io.pathlore.dataplane.traffic.Parameter.SIZE;
import static io.pathlore.dataplane.traffic.Parameter.SPOOFED;
import static io.pathlore.dataplane.traffic.Parameter.START;
import static io.pathlore.dataplane.traffic.Parameter.THINK;
import static io.pathlore.dataplane.traffic.Parameter.TO;
import static io.pathlore.dataplane.traffic.Parameter.TUNNEL;
import static io.pathlore.dataplane.traffic.Parameter.VNI;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every kind of traffic a scenario may name. */
public final class TrafficKinds {
    private static final String NONE = "";
    /** More than a speed test gets through before it ends. */
    private static final long WITHOUT_END = 1L << 50;

    private static final long SMALL_REQUEST = 300;
    private static final int SYN_BYTES = 44;

    private static final List<TrafficKind> ALL = List.of(
            new Sheet("long-flows", "uploads of many megabytes, one after the other")
                    .with(FROM, "all")
                    .with(TO, "all")
                    .with(FLOWS, "0.5")
                    .with(REQUEST, "10MB..1GB")
                    .with(SHAPE, "1.1")
                    .with(RATE, "50Mbps")
                    .connections("5001")
                    .kind(TrafficKinds::uploads),
            new Sheet("short-flows", "uploads of heavy-tailed size: most are small, most octets are in the large ones")
                    .with(FROM, "all")
                    .with(TO, "all")
                    .with(FLOWS, "50")
                    .with(REQUEST, "1KB..10MB")
                    .with(SHAPE, "1.2")
                    .with(RATE, "20Mbps")
                    .connections("5002")
                    .kind(TrafficKinds::uploads),
            new Sheet("request-response", "clients ask, servers answer on the arrival of the question")
                    .with(FROM, "all")
                    .with(TO, "all")
                    .with(FLOWS, "20")
                    .with(REQUEST, "200..2KB")
                    .with(RESPONSE, "1KB..1MB")
                    .with(SHAPE, "1.2")
                    .with(EXCHANGES, "3")
                    .with(THINK, "50ms")
                    .with(RATE, "50Mbps")
                    .connections("443")
                    .kind(TrafficKinds::requests),
            new Sheet("video", "frames of constant length, each a burst of UDP at link rate")
                    .with(FROM, "camera")
                    .with(TO, "all")
                    .with(COUNT, "0")
                    .with(FPS, "25")
                    .with(BYTES, "16KB")
                    .with(SIZE, "1400")
                    .with(PORT, "5004")
                    .with(DSCP, "34")
                    .kind(TrafficKinds::video),
            new Sheet("incast", "one host asks all the others at once, and all answer at once")
                    .with(FROM, "all")
                    .with(TO, NONE)
                    .with(PERIOD, "1s")
                    .with(JITTER, "10us")
                    .with(RESPONSE, "64KB")
                    .with(RATE, "link")
                    .connections("9000")
                    .kind(TrafficKinds::incast),
            new Sheet("iot", "sensors that report a little now and then, by CoAP or MQTT")
                    .with(FROM, "sensor")
                    .with(TO, "all")
                    .with(PERIOD, "10s")
                    .with(MQTT, "50")
                    .kind(TrafficKinds::iot),
            new Sheet("speed-test", "a few connections as fast as they may, for a short time")
                    .with(FROM, NONE)
                    .with(TO, NONE)
                    .with(DURATION, "10s")
                    .with(COUNT, "4")
                    .with(DIRECTION, "down")
                    .with(RATE, "25Mbps")
                    .connections("8080")
                    .kind(TrafficKinds::speedTest),
            new Sheet("backup", "one long upload at a high rate")
                    .with(FROM, NONE)
                    .with(TO, NONE)
                    .with(COUNT, "1")
                    .with(REQUEST, "10GB")
                    .with(RATE, "200Mbps")
                    .connections("873")
                    .kind(TrafficKinds::uploads),
            new Sheet("flash-crowd", "more and more clients, each with its own address, want the same web site")
                    .with(FROM, "internet")
                    .with(TO, NONE)
                    .with(FLOWS, "200")
                    .with(RAMP, "10s")
                    .with(REQUEST, "500")
                    .with(RESPONSE, "5KB..500KB")
                    .with(SHAPE, "1.2")
                    .with(EXCHANGES, "2")
                    .with(THINK, "500ms")
                    .with(RATE, "20Mbps")
                    .with(ADDRESSES, "5000")
                    .connections("443")
                    .kind(TrafficKinds::requests),
            new Sheet("port-scan", "an administrator asks all ports of one host, slowly")
                    .with(FROM, NONE)
                    .with(TO, NONE)
                    .with(PORTS, "1..1024")
                    .with(RATE, "10pps")
                    .kind(reading -> scan(reading, false)),
            new Sheet("game-update", "clients fetch the same large file")
                    .with(FROM, "client")
                    .with(TO, "internet")
                    .with(COUNT, "0")
                    .with(REQUEST, "300")
                    .with(RESPONSE, "500MB")
                    .with(RATE, "50Mbps")
                    .connections("80")
                    .kind(TrafficKinds::requests),
            new Sheet("cdn-fill", "caches fetch from their origin")
                    .with(FROM, "server")
                    .with(TO, "internet")
                    .with(COUNT, "0")
                    .with(REQUEST, "300")
                    .with(RESPONSE, "10MB..2GB")
                    .with(SHAPE, "1.1")
                    .with(EXCHANGES, "100")
                    .with(THINK, "100ms")
                    .with(RATE, "200Mbps")
                    .connections("443")
                    .kind(TrafficKinds::requests),
            new Sheet("ping", "ICMP echo and its reply")
                    .with(FROM, "all")
                    .with(TO, "all")
                    .with(PERIOD, "1s")
                    .with(SIZE, "84")
                    .kind(TrafficKinds::ping),
            new Sheet("microburst", "some hosts send to one at link rate, for a moment; without a period, once")
                    .with(FROM, "all")
                    .with(TO, NONE)
                    .with(BYTES, "100KB")
                    .with(PERIOD, NONE)
                    .with(RATE, "link")
                    .with(SIZE, "1400")
                    .with(PORT, "9999")
                    .kind(TrafficKinds::microburst),
            flood(Vector.UDP_FLOOD, "UDP to one port")
                    .with(SIZE, "512")
                    .with(PORT, "80")
                    .attack(TrafficKinds::udpFlood),
            flood(Vector.SYN_FLOOD, "connections that are begun and never continued")
                    .with(SPOOFED, "100")
                    .with(PORT, "443")
                    .attack(TrafficKinds::synFlood),
            flood(Vector.ICMP_FLOOD, "echo requests").with(SIZE, "84").attack(TrafficKinds::icmpFlood),
            new Sheet("reflection", "servers send large answers to one who never asked")
                    .with(FROM, NONE)
                    .with(TO, NONE)
                    .with(BOTS, NONE)
                    .with(SERVICE, "mixed")
                    .with(RATE, "10kpps")
                    .with(RAMP, "0s")
                    .with(SIZE, "1400")
                    .with(AMPLIFICATION, "4")
                    .with(PORT, "80")
                    .attack(TrafficKinds::reflection),
            flood(Vector.FRAGMENT_FLOOD, "datagrams whose last fragment never comes")
                    .with(SIZE, "1400")
                    .with(PORT, "80")
                    .attack(TrafficKinds::fragmentFlood),
            flood(Vector.CARPET_BOMBING, "UDP to all addresses of a prefix, little to each; /24, or /112 of IPv6")
                    .with(SIZE, "512")
                    .with(PORT, "0")
                    .with(PREFIX, NONE)
                    .attack(TrafficKinds::carpetBombing),
            new Sheet("scan", "one port of many hosts, slowly; with a prefix, of all addresses around them")
                    .with(FROM, NONE)
                    .with(TO, "all")
                    .with(PORTS, "23")
                    .with(RATE, "20pps")
                    .with(PREFIX, NONE)
                    .attack(reading -> scan(reading, true)));

    private TrafficKinds() {}

    /** In the order they are explained. */
    public static List<TrafficKind> all() {
        return ALL;
    }

    public static @Nullable TrafficKind find(String name) {
        for (TrafficKind kind : ALL) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }

    /** A kind while it is written down. */
    private static final class Sheet {
        private final String name;
        private final String summary;
        private final Map<Parameter, String> defaults = new LinkedHashMap<>();

        Sheet(String name, String summary) {
            this.name = name;
            this.summary = summary;
        }

        Sheet with(Parameter parameter, String text) {
            defaults.put(parameter, text);
            return this;
        }

        /** Of all kinds that use TCP. */
        Sheet connections(String port) {
            return with(PORT, port).with(SIZE, "1400").with(ACKNOWLEDGE, "4");
        }

        TrafficKind kind(TrafficKind.Factory factory) {
            return finish(false, factory);
        }

        TrafficKind attack(TrafficKind.Factory factory) {
            return finish(true, factory);
        }

        private TrafficKind finish(boolean attack, TrafficKind.Factory factory) {
            defaults.putIfAbsent(START, "0s");
            defaults.putIfAbsent(DURATION, NONE);
            defaults.putIfAbsent(IP, "4");
            defaults.putIfAbsent(DSCP, "0");
            defaults.putIfAbsent(TUNNEL, "none");
            defaults.putIfAbsent(VNI, "1");
            defaults.putIfAbsent(SCALE, "1");
            return new TrafficKind(name, summary, attack, defaults, factory);
        }
    }

    private static Sheet flood(Vector vector, String summary) {
        return new Sheet(vector.label(), summary)
                .with(FROM, NONE)
                .with(TO, NONE)
                .with(RATE, "10kpps")
                .with(RAMP, "0s")
                .with(SHARES, NONE)
                .with(SPOOFED, "0");
    }

    private static TcpPlan plan(TrafficReading reading, FlowSizes request, FlowSizes response) {
        return new TcpPlan(
                request,
                response,
                reading.has(EXCHANGES) ? reading.count(EXCHANGES) : 1,
                reading.has(THINK) ? reading.number(THINK) : 0,
                reading.bitsPerSecond(),
                reading.sizes(),
                reading.count(PORT),
                reading.count(ACKNOWLEDGE),
                reading.has(ADDRESSES) ? reading.count(ADDRESSES) : 0);
    }

    private static TrafficSource flows(TrafficReading reading, FlowSizes request, FlowSizes response) {
        List<Integer> clients = reading.hosts(FROM);
        return new TcpFlows(
                reading.conditions(),
                clients,
                reading.hosts(TO),
                reading.has(FLOWS) ? reading.scaled(reading.number(FLOWS)) : 0,
                reading.has(RAMP) ? reading.number(RAMP) : 0,
                reading.has(COUNT) ? reading.scaledCount(clients.size()) : 0,
                plan(reading, request, response));
    }

    private static TrafficSource uploads(TrafficReading reading) {
        return flows(reading, reading.flowSizes(REQUEST), FlowSizes.always(0));
    }

    private static TrafficSource requests(TrafficReading reading) {
        return flows(reading, reading.flowSizes(REQUEST), reading.flowSizes(RESPONSE));
    }

    private static TrafficSource speedTest(TrafficReading reading) {
        return reading.isDownload()
                ? flows(reading, FlowSizes.always(SMALL_REQUEST), FlowSizes.always(WITHOUT_END))
                : flows(reading, FlowSizes.always(WITHOUT_END), FlowSizes.always(0));
    }

    private static TrafficSource video(TrafficReading reading) {
        List<Integer> from = reading.hosts(FROM);
        return new Video(
                reading.conditions(),
                from,
                reading.hosts(TO),
                reading.scaledCount(from.size()),
                reading.count(FPS),
                reading.count(BYTES),
                reading.sizes(),
                reading.count(PORT));
    }

    private static TrafficSource incast(TrafficReading reading) {
        int receiver = reading.host(TO);
        return new Incast(
                reading.conditions(),
                reading.sendersTo(receiver),
                receiver,
                reading.scaledPeriod(),
                reading.number(JITTER),
                plan(reading, FlowSizes.always(SMALL_REQUEST), reading.flowSizes(RESPONSE)));
    }

    private static TrafficSource iot(TrafficReading reading) {
        return new Iot(
                reading.conditions(),
                reading.hosts(FROM),
                reading.hosts(TO),
                reading.scaledPeriod(),
                reading.count(MQTT));
    }

    private static TrafficSource ping(TrafficReading reading) {
        return new Ping(
                reading.conditions(), reading.hosts(FROM), reading.hosts(TO), reading.scaledPeriod(), reading.sizes());
    }

    private static TrafficSource microburst(TrafficReading reading) {
        int receiver = reading.host(TO);
        return new Microburst(
                reading.conditions(),
                reading.sendersTo(receiver),
                receiver,
                reading.scaled(reading.number(BYTES)),
                reading.has(PERIOD) ? reading.number(PERIOD) : Window.FOREVER,
                reading.bitsPerSecond(),
                reading.sizes(),
                reading.count(PORT));
    }

    private static TrafficSource scan(TrafficReading reading, boolean attack) {
        boolean v6 = reading.v6();
        return new Scan(
                reading.conditions(),
                attack,
                reading.hosts(FROM),
                reading.hosts(TO),
                v6,
                reading.firstPort(),
                reading.lastPort(),
                reading.packetsPerSecond(SYN_BYTES),
                reading.prefixLength(32, 128));
    }

    private static TrafficSource udpFlood(TrafficReading reading) {
        return flood(reading, Vector.UDP_FLOOD, reading.sizes(), reading.count(PORT), 32);
    }

    private static TrafficSource synFlood(TrafficReading reading) {
        return flood(reading, Vector.SYN_FLOOD, new PacketSizes(SYN_BYTES), reading.count(PORT), 32);
    }

    private static TrafficSource icmpFlood(TrafficReading reading) {
        return flood(reading, Vector.ICMP_FLOOD, reading.sizes(), 0, 32);
    }

    private static TrafficSource fragmentFlood(TrafficReading reading) {
        return flood(reading, Vector.FRAGMENT_FLOOD, reading.sizes(), reading.count(PORT), 32);
    }

    private static TrafficSource carpetBombing(TrafficReading reading) {
        int length = reading.prefixLength(24, 112);
        return flood(reading, Vector.CARPET_BOMBING, reading.sizes(), reading.count(PORT), length);
    }

    private static TrafficSource flood(
            TrafficReading reading, Vector vector, PacketSizes sizes, int port, int prefixLength) {
        int victim = reading.host(TO);
        List<Integer> from = reading.sendersTo(victim);
        return new Flood(
                reading.conditions(),
                vector,
                from,
                reading.weights(from.size()),
                victim,
                reading.v6(),
                reading.packetsPerSecond(sizes.largest()),
                reading.number(RAMP),
                sizes,
                port,
                reading.count(SPOOFED),
                prefixLength);
    }

    private static TrafficSource reflection(TrafficReading reading) {
        int victim = reading.host(TO);
        PacketSizes sizes = reading.sizes();
        return new Reflection(
                reading.conditions(),
                reading.sendersTo(victim),
                reading.hosts(BOTS),
                victim,
                reading.v6(),
                reading.service(),
                reading.packetsPerSecond(sizes.largest()),
                reading.number(RAMP),
                sizes,
                reading.count(AMPLIFICATION),
                reading.count(PORT));
    }
}
