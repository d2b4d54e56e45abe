package io.pathlore.dataplane.traffic;

/** What can be said about a source of traffic. Each kind takes some of them. */
public enum Parameter {
    FROM("from", Type.HOSTS, "hosts that send, or that open connections"),
    TO("to", Type.HOSTS, "hosts they send to; the victim of an attack"),
    BOTS("bots", Type.HOSTS, "hosts that ask reflectors with the victim's address as their own"),
    START("start", Type.DURATION, "after the start of the run"),
    DURATION("duration", Type.DURATION, "of sending; without it, to the end of the run"),
    RAMP("ramp", Type.DURATION, "over which the rate rises from nothing"),
    RATE("rate", Type.RATE, "bits per second of frames per flow, packets per second of an attack, or `link`"),
    FLOWS("flows", Type.DECIMAL, "new flows per second"),
    COUNT("count", Type.COUNT, "connections or streams that begin at the start"),
    SIZE("size", Type.SIZE, "octets of an IP packet, or `mixed`"),
    REQUEST("request", Type.BYTES_RANGE, "octets the client sends; a range is heavy-tailed"),
    RESPONSE("response", Type.BYTES_RANGE, "octets the server answers; a range is heavy-tailed"),
    SHAPE("shape", Type.DECIMAL, "of the Pareto distribution of sizes"),
    EXCHANGES("exchanges", Type.COUNT, "requests on one connection"),
    THINK("think", Type.DURATION, "mean pause between them"),
    PERIOD("period", Type.DURATION, "from one to the next"),
    JITTER("jitter", Type.DURATION, "by which what happens at once lies apart"),
    BYTES("bytes", Type.BYTES, "of a frame or of one burst of one host"),
    FPS("fps", Type.COUNT, "frames per second"),
    MQTT("mqtt", Type.PERCENT, "sensors that use MQTT; the others use CoAP"),
    PORT("port", Type.COUNT, "destination port; of a flood, 0 is another one for every packet"),
    PORTS("ports", Type.COUNT_RANGE, "destination ports"),
    ADDRESSES("addresses", Type.COUNT, "client addresses behind each Internet host; 0 is its own only"),
    ACKNOWLEDGE("acknowledge", Type.COUNT, "data packets per acknowledgement"),
    DIRECTION("direction", Type.WORD, "`down` or `up`"),
    SPOOFED("spoofed", Type.PERCENT, "packets with a forged source address"),
    SHARES("shares", Type.COUNTS, "parts of the senders, in their order; without it, equal"),
    PREFIX("prefix", Type.COUNT, "length of the prefix around the target"),
    SERVICE("service", Type.WORD, "`dns`, `ntp`, `ssdp`, `memcached` or `mixed`"),
    AMPLIFICATION("amplification", Type.COUNT, "packets in one answer"),
    IP("ip", Type.WORD, "`4`, `6` or, not for attacks, `both`"),
    DSCP("dscp", Type.COUNT, "of all its packets"),
    TUNNEL("tunnel", Type.WORD, "`none`, `vxlan`, `geneve` or `gre`, from host to host"),
    VNI("vni", Type.COUNT, "of the tunnel"),
    SCALE("scale", Type.DECIMAL, "multiplies rates and numbers of flows");

    /** How its text reads. */
    public enum Type {
        HOSTS,
        DURATION,
        RATE,
        DECIMAL,
        COUNT,
        COUNTS,
        COUNT_RANGE,
        SIZE,
        BYTES,
        BYTES_RANGE,
        PERCENT,
        WORD
    }

    private final String key;
    private final Type type;
    private final String meaning;

    Parameter(String key, Type type, String meaning) {
        this.key = key;
        this.type = type;
        this.meaning = meaning;
    }

    /** Its name in scenario files. */
    public String key() {
        return key;
    }

    public Type type() {
        return type;
    }

    public String meaning() {
        return meaning;
    }
}
