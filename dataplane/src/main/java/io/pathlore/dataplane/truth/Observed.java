package io.pathlore.dataplane.truth;

import io.pathlore.model.EventId;
import io.pathlore.model.EventIdentity;
import io.pathlore.model.EventKind;
import io.pathlore.model.FlowId;
import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of a truth or event file, as far as scoring looks at it.
 *
 * @param identity the identity keys, as in the event's id
 * @param detectedAtNanos of an event; {@link Span#ABSENT} where it does not say
 */
public record Observed(EventKind kind, String id, String identity, Span span, long detectedAtNanos) {
    /** A line that claims to be an event and is not. */
    public static final class BadEvent extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        BadEvent(String message) {
            super(message);
        }
    }

    public static Observed of(Fact fact) {
        return new Observed(fact.kind(), fact.id().toString(), fact.identity(), fact.span(), Span.ABSENT);
    }

    /**
     * From a parsed JSON object: maps, lists, numbers and strings. Empty for a line that is no event, like the first one of a
     * truth file, or of a kind this program does not know.
     *
     * @throws BadEvent where a key that is needed is missing or unfit, with its name
     */
    public static Optional<Observed> of(Map<String, ?> json) {
        Optional<EventKind> kind = EventKind.ofLabel(text(json, "kind"));
        return kind.map(known -> of(known, json));
    }

    private static Observed of(EventKind kind, Map<String, ?> json) {
        String identity = identity(kind, json);
        Long start = time(json, "start");
        if (start == null) {
            throw new BadEvent(kind.label() + " without 'start'");
        }
        Span span = new Span(start, orAbsent(time(json, "end")), orAbsent(time(json, "visibleAt")));
        String id = json.get("id") instanceof String given
                ? given
                : EventId.of(kind, identity, start).toString();
        return new Observed(kind, id, identity, span, orAbsent(time(json, "detectedAt")));
    }

    private static String identity(EventKind kind, Map<String, ?> json) {
        return switch (kind) {
            case PATH_CHANGE -> EventIdentity.pathChange(flow(json), nodes(json, "after"));
            case LOOP -> EventIdentity.loop(flow(json));
            case CONGESTION ->
                EventIdentity.congestion(number(json, "node"), number(json, "interface"), number(json, "queue"));
            case LATENCY -> EventIdentity.latency(number(json, "node"), number(json, "interface"));
            case DROPS -> EventIdentity.drops(number(json, "node"), number(json, "reason"));
            case LINK_DOWN, LINK_UP -> {
                Map<?, ?> from = object(json, "from");
                Map<?, ?> to = object(json, "to");
                yield EventIdentity.link(
                        number(from, "node"), number(from, "interface"), number(to, "node"), number(to, "interface"));
            }
            case REPORT_LOSS, EXPORTER_RESTART, EXPORTER_SILENT ->
                EventIdentity.stream(reporter(json), number(json, "hwId"));
            case SPOOF_SUSPECTED -> EventIdentity.spoof(number(json, "node"));
            case ATTACK -> {
                Map<?, ?> victim = object(json, "victim");
                String whom = text(victim, victim.containsKey("prefix") ? "prefix" : "address");
                yield EventIdentity.attack(
                        text(json, "vector"), whom, optional(victim, "port"), optional(victim, "protocol"));
            }
        };
    }

    private static String reporter(Map<?, ?> json) {
        return json.containsKey("node") ? Long.toString(number(json, "node")) : text(json, "exporter");
    }

    private static FlowId flow(Map<?, ?> json) {
        String id = text(object(json, "flow"), "id");
        try {
            return FlowId.parse(id);
        } catch (IllegalArgumentException e) {
            throw new BadEvent("'flow.id': '" + id + "' is not 16 hex digits");
        }
    }

    private static List<Long> nodes(Map<?, ?> json, String key) {
        if (!(json.get(key) instanceof List<?> values)) {
            throw bad(json, key, "a list of node ids");
        }
        List<Long> nodes = new ArrayList<>();
        for (Object value : values) {
            if (!(value instanceof Number number)) {
                throw bad(json, key, "a list of node ids");
            }
            nodes.add(number.longValue());
        }
        return nodes;
    }

    private static long number(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Number number) {
            return number.longValue();
        }
        throw bad(json, key, "a number");
    }

    private static long optional(Map<?, ?> json, String key) {
        return json.get(key) == null ? EventIdentity.ABSENT : number(json, key);
    }

    private static String text(Map<?, ?> json, String key) {
        if (json.get(key) instanceof String text) {
            return text;
        }
        throw bad(json, key, "a string");
    }

    private static Map<?, ?> object(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Map<?, ?> object) {
            return object;
        }
        throw bad(json, key, "an object");
    }

    private static @Nullable Long time(Map<?, ?> json, String key) {
        Object value = json.get(key);
        if (value == null) {
            return null;
        }
        Long nanos = value instanceof String text ? TimeText.parse(text) : null;
        if (nanos == null) {
            throw bad(json, key, "an RFC 3339 time");
        }
        return nanos;
    }

    private static long orAbsent(@Nullable Long nanos) {
        return nanos == null ? Span.ABSENT : nanos;
    }

    private static BadEvent bad(Map<?, ?> json, String key, String wanted) {
        return new BadEvent("'" + key + "': " + (json.containsKey(key) ? "expected " : "missing, expected ") + wanted);
    }
}
