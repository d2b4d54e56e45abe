package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.wire.net.PacketEncoder;
import java.util.List;

/** Parameters with their defaults, read for one network. */
final class TrafficReading {
    private static final long ONE = 1_000;
    private static final int BITS = 8;

    private final TrafficParameters parameters;
    private final Topology topology;

    TrafficReading(TrafficParameters parameters, Topology topology) {
        this.parameters = parameters;
        this.topology = topology;
    }

    private <T> T value(Parameter parameter, Class<T> type) {
        Object value = parameters.value(parameter);
        if (value == null) {
            throw new IllegalArgumentException(parameter.key() + ": is missing");
        }
        return type.cast(value);
    }

    private static IllegalArgumentException wrong(Parameter parameter, String what) {
        return new IllegalArgumentException(parameter.key() + ": " + what);
    }

    boolean has(Parameter parameter) {
        return parameters.has(parameter);
    }

    List<Integer> hosts(Parameter parameter) {
        if (parameter == Parameter.BOTS && !has(parameter)) {
            return List.of();
        }
        try {
            return value(parameter, HostSelector.class).resolve(topology);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String prefix = parameter.key() + ": ";
            throw new IllegalArgumentException(message.startsWith(prefix) ? message : prefix + message, e);
        }
    }

    /** One only. */
    int host(Parameter parameter) {
        List<Integer> hosts = hosts(parameter);
        if (hosts.size() != 1) {
            throw wrong(parameter, "must be one host and not " + hosts.size());
        }
        return hosts.get(0);
    }

    /** Those that may send: all but the one they send to. */
    List<Integer> sendersTo(int receiver) {
        List<Integer> from = hosts(Parameter.FROM);
        List<Integer> others = from.stream().filter(host -> host != receiver).toList();
        return others.isEmpty() ? from : others;
    }

    long number(Parameter parameter) {
        return value(parameter, Long.class);
    }

    int count(Parameter parameter) {
        long count = number(parameter);
        if (count > Integer.MAX_VALUE) {
            throw wrong(parameter, count + " is too large");
        }
        return (int) count;
    }

    private String word(Parameter parameter) {
        return value(parameter, String.class);
    }

    long scale() {
        long scale = number(Parameter.SCALE);
        if (scale <= 0) {
            throw wrong(Parameter.SCALE, "must be more than 0");
        }
        return scale;
    }

    /** Never scaled to nothing. */
    long scaled(long amount) {
        return amount == 0 ? 0 : Math.max(1, Math.multiplyExact(amount, scale()) / ONE);
    }

    long scaledPeriod() {
        long period = number(Parameter.PERIOD);
        if (period <= 0) {
            throw wrong(Parameter.PERIOD, "must be more than 0");
        }
        return Math.max(1, Math.multiplyExact(period, ONE) / scale());
    }

    /** Of one for each sender where it is 0. */
    int scaledCount(int senders) {
        int count = count(Parameter.COUNT);
        return Math.toIntExact(scaled(count == 0 ? senders : count));
    }

    Conditions conditions() {
        Tunnel.Kind kind = switch (word(Parameter.TUNNEL)) {
            case "none" -> Tunnel.Kind.NONE;
            case "vxlan" -> Tunnel.Kind.VXLAN;
            case "geneve" -> Tunnel.Kind.GENEVE;
            case "gre" -> Tunnel.Kind.GRE;
            default -> throw wrong(Parameter.TUNNEL, "must be none, vxlan, geneve or gre");
        };
        IpVersion ip = switch (word(Parameter.IP)) {
            case "4" -> IpVersion.V4;
            case "6" -> IpVersion.V6;
            case "both" -> IpVersion.BOTH;
            default -> throw wrong(Parameter.IP, "must be 4, 6 or both");
        };
        long duration = has(Parameter.DURATION) ? number(Parameter.DURATION) : Window.FOREVER;
        Window window = new Window(number(Parameter.START), duration);
        return new Conditions(window, ip, count(Parameter.DSCP), new Tunnel(kind, count(Parameter.VNI)));
    }

    /** For what has one victim. */
    boolean v6() {
        return switch (word(Parameter.IP)) {
            case "4" -> false;
            case "6" -> true;
            default -> throw wrong(Parameter.IP, "must be 4 or 6");
        };
    }

    PacketSizes sizes() {
        return new PacketSizes(count(Parameter.SIZE));
    }

    /** Of one flow; 0 is the rate of the link. */
    long bitsPerSecond() {
        TrafficParameters.Rate rate = value(Parameter.RATE, TrafficParameters.Rate.class);
        if (rate.packets()) {
            throw wrong(Parameter.RATE, "must be in bits per second, such as 10Mbps, or link");
        }
        return rate.value();
    }

    /** Of an attack as a whole, scaled; bits are counted in frames of the given IP packets. */
    long packetsPerSecond(int ipBytes) {
        TrafficParameters.Rate rate = value(Parameter.RATE, TrafficParameters.Rate.class);
        if (rate.value() == 0) {
            throw wrong(Parameter.RATE, "must be packets or bits per second, more than 0");
        }
        long packets = rate.packets()
                ? rate.value()
                : Math.max(1, rate.value() / (BITS * (long) (ipBytes + PacketEncoder.ETHERNET_LENGTH)));
        return scaled(packets);
    }

    FlowSizes flowSizes(Parameter parameter) {
        TrafficParameters.Range range = value(parameter, TrafficParameters.Range.class);
        int shape = has(Parameter.SHAPE) ? count(Parameter.SHAPE) : (int) ONE;
        return new FlowSizes(range.least(), range.most(), shape);
    }

    int firstPort() {
        return Math.clamp(value(Parameter.PORTS, TrafficParameters.Range.class).least(), 0, 0x1_0000);
    }

    int lastPort() {
        return Math.clamp(value(Parameter.PORTS, TrafficParameters.Range.class).most(), 0, 0x1_0000);
    }

    List<Integer> weights(int senders) {
        if (!has(Parameter.SHARES)) {
            return Flood.equalWeights(senders);
        }
        List<?> given = value(Parameter.SHARES, List.class);
        return given.stream().map(Integer.class::cast).toList();
    }

    /** Or that of a single address. */
    int prefixLength(int ipv4Default, int ipv6Default) {
        return has(Parameter.PREFIX) ? count(Parameter.PREFIX) : v6() ? ipv6Default : ipv4Default;
    }

    Reflection.Service service() {
        return switch (word(Parameter.SERVICE)) {
            case "dns" -> Reflection.Service.DNS;
            case "ntp" -> Reflection.Service.NTP;
            case "ssdp" -> Reflection.Service.SSDP;
            case "memcached" -> Reflection.Service.MEMCACHED;
            case "mixed" -> Reflection.Service.MIXED;
            default -> throw wrong(Parameter.SERVICE, "must be dns, ntp, ssdp, memcached or mixed");
        };
    }

    boolean isDownload() {
        return switch (word(Parameter.DIRECTION)) {
            case "down" -> true;
            case "up" -> false;
            default -> throw wrong(Parameter.DIRECTION, "must be down or up");
        };
    }
}
