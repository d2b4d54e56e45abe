package io.pathlore.analysis.filter;

import io.pathlore.model.EventKind;
import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Severity;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a filter can ask about. */
public enum Field {
    NODE("node", FieldType.NODE, "the reporting node"),
    EXPORTER("exporter", FieldType.ADDRESS, "the address the datagram came from"),
    VERSION("version", FieldType.VERSION, "layout of the report"),
    DIALECT("dialect", FieldType.WORD, "how the exporter departs from the specification, or spec"),
    SRC("src", FieldType.ADDRESS, "source of the flow"),
    DST("dst", FieldType.ADDRESS, "destination of the flow"),
    IP("ip", FieldType.ADDRESS, "source or destination of the flow"),
    SPORT("sport", FieldType.NUMBER, "source port of the flow"),
    DPORT("dport", FieldType.NUMBER, "destination port of the flow"),
    PORT("port", FieldType.NUMBER, "source or destination port of the flow"),
    PROTO("proto", FieldType.PROTOCOL, "IP protocol of the flow"),
    VNI("vni", FieldType.NUMBER, "overlay the flow runs in"),
    FLOW("flow", FieldType.FLOW, "id of the flow"),
    PATH("path", FieldType.PATH, "the nodes in travel order"),
    HOP_NODE("hop.node", FieldType.NODE, "a node on the path"),
    HOP_INTERFACE("hop.interface", FieldType.NUMBER, "egress interface of a hop"),
    HOP_QUEUE("hop.queue", FieldType.NUMBER, "queue of a hop"),
    HOP_LATENCY("hop.latency", FieldType.TIME, "time in a hop"),
    HOP_OCCUPANCY("hop.occupancy", FieldType.SIZE, "queue occupancy of a hop"),
    LATENCY("latency", FieldType.TIME, "time in all hops together"),
    DROPPED("dropped", FieldType.FLAG, "the packet was dropped"),
    CONGESTED("congested", FieldType.FLAG, "the packet met a congested queue"),
    TRACKED("tracked", FieldType.FLAG, "the flow is watched"),
    DROP_REASON("drop.reason", FieldType.REASON, "why the packet was dropped"),
    DEVICE("device", FieldType.DEVICE, "who sent the packet"),
    KIND("kind", FieldType.WORD, "kind of the event"),
    SEVERITY("severity", FieldType.SEVERITY, "of the event"),
    ERROR("error", FieldType.WORD, "why the report was rejected");

    private static final Map<String, Field> BY_TEXT = new HashMap<>();
    private static final List<String> TEXTS =
            Arrays.stream(values()).map(Field::text).toList();
    private static final List<String> DIALECTS = Arrays.stream(Profile.values())
            .filter(profile -> profile != Profile.AUTO)
            .map(Profile::label)
            .toList();
    private static final List<String> KINDS =
            Arrays.stream(EventKind.values()).map(EventKind::label).toList();
    private static final List<String> SEVERITIES =
            Arrays.stream(Severity.values()).map(Severity::label).toList();
    private static final List<String> ERRORS = Arrays.stream(Fault.values())
            .filter(fault -> fault != Fault.NONE)
            .map(Fault::name)
            .toList();
    private static final List<String> FLAGS = List.of("true", "false");
    private static final List<String> VERSIONS = List.of("0.5", "1.0", "2.0");

    static {
        for (Field field : values()) {
            BY_TEXT.put(field.text, field);
        }
    }

    private final String text;
    private final FieldType type;
    private final String meaning;

    Field(String text, FieldType type, String meaning) {
        this.text = text;
        this.type = type;
        this.meaning = meaning;
    }

    /** In any case; null when there is none of that name. */
    public static @Nullable Field of(String text) {
        return BY_TEXT.get(text.toLowerCase(Locale.ROOT));
    }

    static List<String> texts() {
        return TEXTS;
    }

    /** As it is written in a filter. */
    public String text() {
        return text;
    }

    public FieldType type() {
        return type;
    }

    /** For people. */
    public String meaning() {
        return meaning;
    }

    /** The words it can have, if that is a closed set; else empty. */
    public List<String> words() {
        return switch (this) {
            case DIALECT -> DIALECTS;
            case KIND -> KINDS;
            case ERROR -> ERRORS;
            case SEVERITY -> SEVERITIES;
            case VERSION -> VERSIONS;
            case DROPPED, CONGESTED, TRACKED -> FLAGS;
            case PROTO -> Protocols.NAMES;
            case NODE,
                    EXPORTER,
                    SRC,
                    DST,
                    IP,
                    SPORT,
                    DPORT,
                    PORT,
                    VNI,
                    FLOW,
                    PATH,
                    HOP_NODE,
                    HOP_INTERFACE,
                    HOP_QUEUE,
                    HOP_LATENCY,
                    HOP_OCCUPANCY,
                    LATENCY,
                    DROP_REASON,
                    DEVICE -> List.of();
        };
    }

    /** A field that means either of two has two parts, any other is its own. */
    int parts() {
        return this == IP || this == PORT ? 2 : 1;
    }

    Field part(int index) {
        if (this == IP) {
            return index == 0 ? SRC : DST;
        }
        if (this == PORT) {
            return index == 0 ? SPORT : DPORT;
        }
        return this;
    }
}
