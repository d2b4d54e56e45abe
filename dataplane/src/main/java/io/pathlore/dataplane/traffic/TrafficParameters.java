package io.pathlore.dataplane.traffic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario says about one source of traffic. Texts are read when they are set, so that what is wrong is known at the
 * line that says it: an {@link IllegalArgumentException} whose message starts with the name of the parameter.
 */
public final class TrafficParameters {
    /** One of a rate. */
    record Rate(long value, boolean packets) {}

    record Range(long least, long most) {}

    private static final String LINK = "link";
    private static final String MIXED = "mixed";
    private static final String RANGE = "..";

    private final Map<Parameter, Object> values = new EnumMap<>(Parameter.class);

    public TrafficParameters() {}

    private TrafficParameters(Map<Parameter, Object> values) {
        this.values.putAll(values);
    }

    /** As in a scenario file; lists with commas. */
    public TrafficParameters set(String key, String text) {
        for (Parameter parameter : Parameter.values()) {
            if (parameter.key().equals(key)) {
                return set(parameter, text);
            }
        }
        throw new IllegalArgumentException(key + ": no such parameter of traffic");
    }

    public TrafficParameters set(Parameter parameter, String text) {
        try {
            values.put(parameter, read(parameter.type(), text.strip()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(parameter.key() + ": " + e.getMessage(), e);
        }
        return this;
    }

    /** Multiplies the scale, on top of what is set: for a whole run. */
    public TrafficParameters scaled(long thousandths) {
        if (thousandths <= 0) {
            throw new IllegalArgumentException("scale: must be more than 0");
        }
        long own = values.get(Parameter.SCALE) instanceof Long set ? set : 1_000;
        TrafficParameters scaled = new TrafficParameters(values);
        scaled.values.put(Parameter.SCALE, Math.max(1, own * thousandths / 1_000));
        return scaled;
    }

    private static Object read(Parameter.Type type, String text) {
        return switch (type) {
            case HOSTS -> HostSelector.parse(text);
            case DURATION -> Quantity.nanos(text);
            case RATE ->
                text.equals(LINK)
                        ? new Rate(0, false)
                        : Quantity.isPackets(text)
                                ? new Rate(Quantity.packetsPerSecond(text), true)
                                : new Rate(Quantity.bitsPerSecond(text), false);
            case DECIMAL -> Quantity.thousandths(text);
            case COUNT -> Quantity.count(text);
            case COUNTS -> counts(text);
            case COUNT_RANGE -> {
                int dots = text.indexOf(RANGE);
                yield dots < 0
                        ? new Range(Quantity.count(text), Quantity.count(text))
                        : new Range(Quantity.count(text.substring(0, dots)), Quantity.count(text.substring(dots + 2)));
            }
            case SIZE -> text.equals(MIXED) ? 0L : positive(Quantity.bytes(text));
            case BYTES -> Quantity.bytes(text);
            case BYTES_RANGE -> {
                int dots = text.indexOf(RANGE);
                Range range = dots < 0
                        ? new Range(Quantity.bytes(text), Quantity.bytes(text))
                        : new Range(Quantity.bytes(text.substring(0, dots)), Quantity.bytes(text.substring(dots + 2)));
                if (range.least > range.most) {
                    throw new IllegalArgumentException("'" + text + "' ends before it begins");
                }
                yield range;
            }
            case PERCENT -> Quantity.percent(text);
            case WORD -> text;
        };
    }

    private static long positive(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("must be more than 0");
        }
        return value;
    }

    private static List<Integer> counts(String text) {
        List<Integer> counts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            counts.add(Math.toIntExact(Quantity.count(part)));
        }
        return List.copyOf(counts);
    }

    Set<Parameter> keys() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** These over those. */
    TrafficParameters over(TrafficParameters defaults) {
        TrafficParameters both = new TrafficParameters(defaults.values);
        both.values.putAll(values);
        return both;
    }

    boolean has(Parameter parameter) {
        return values.containsKey(parameter);
    }

    @Nullable
    Object value(Parameter parameter) {
        return values.get(parameter);
    }
}
