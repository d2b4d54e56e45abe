package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A kind of traffic by its name in scenarios, with the parameters it takes. */
public final class TrafficKind {
    /** Makes a source of what is read. */
    @FunctionalInterface
    interface Factory {
        TrafficSource create(TrafficReading reading);
    }

    private static final String NO_DEFAULT = "";

    private final String name;
    private final String summary;
    private final boolean attack;
    private final Map<Parameter, String> defaults;
    private final Factory factory;

    TrafficKind(String name, String summary, boolean attack, Map<Parameter, String> defaults, Factory factory) {
        this.name = name;
        this.summary = summary;
        this.attack = attack;
        this.defaults = Collections.unmodifiableMap(new LinkedHashMap<>(defaults));
        this.factory = factory;
    }

    public String name() {
        return name;
    }

    /** One line. */
    public String summary() {
        return summary;
    }

    public boolean isAttack() {
        return attack;
    }

    /** Every parameter it takes, with the text of its default; empty where there is none. */
    public Map<Parameter, String> defaults() {
        return defaults;
    }

    /**
     * A source for that network.
     *
     * @throws IllegalArgumentException whose message starts with the name of the parameter that is wrong and a colon
     */
    public TrafficSource create(TrafficParameters parameters, Topology topology) {
        for (Parameter given : parameters.keys()) {
            if (!defaults.containsKey(given)) {
                throw new IllegalArgumentException(given.key() + ": " + name + " takes no such parameter");
            }
        }
        TrafficParameters fallback = new TrafficParameters();
        defaults.forEach((parameter, text) -> {
            if (!text.equals(NO_DEFAULT)) {
                fallback.set(parameter, text);
            }
        });
        try {
            return factory.create(new TrafficReading(parameters.over(fallback), topology));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("scale: more than can be counted", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
