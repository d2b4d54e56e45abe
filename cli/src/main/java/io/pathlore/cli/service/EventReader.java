package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.AttackSource.Witness;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventKind;
import io.pathlore.model.FlowKey;
import io.pathlore.model.Prefix;
import io.pathlore.model.TimeText;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An event from its JSON, as {@link io.pathlore.analysis.event.EventJson} writes it. What does not stand there is as where it was never known; how many
 * packets of a burst were kept is not told, only that there are some.
 */
final class EventReader {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int WHOLE = 10_000;

    private EventReader() {}

    /** Empty if it is none that this program knows. */
    static Optional<Event> read(String json) {
        try {
            Event event = event(JSON.readTree(json));
            return event.id().toString().equals(JSON.readTree(json).path("id").asText())
                    ? Optional.of(event)
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Event event(JsonNode json) {
        EventKind kind = EventKind.ofLabel(text(json, "kind")).orElseThrow(IllegalArgumentException::new);
        return new Event(
                time(json, "start"),
                json.has("end") ? time(json, "end") : Event.OPEN,
                time(json, "detectedAt"),
                json.has("completeness") ? json.path("completeness").asDouble() : Double.NaN,
                details(kind, json));
    }

    private static Details details(EventKind kind, JsonNode json) {
        return switch (kind) {
            case PATH_CHANGE ->
                new Details.PathChange(flow(json.path("flow")), numbers(json, "before"), numbers(json, "after"));
            case LOOP -> new Details.Loop(flow(json.path("flow")), numbers(json, "path"));
            case CONGESTION ->
                new Details.Congestion(
                        number(json, "node"),
                        number(json, "interface"),
                        number(json, "queue"),
                        number(json, "peakOccupancy"),
                        items(json, "culprits", one -> new Culprit(flow(one.path("flow")), share(one, "share"))),
                        items(json, "victims", EventReader::flow),
                        json.has("burst") ? 1 : 0);
            case LATENCY ->
                new Details.Latency(
                        number(json, "node"),
                        number(json, "interface"),
                        number(json, "queue"),
                        number(json, "baselineNs"),
                        number(json, "observedNs"));
            case DROPS ->
                new Details.Drops(
                        number(json, "node"),
                        (int) number(json, "reason"),
                        json.has("flow") ? List.of(flow(json.path("flow"))) : items(json, "flows", EventReader::flow),
                        number(json, "count"));
            case LINK_DOWN -> new Details.LinkDown(end(json.path("from")), end(json.path("to")));
            case LINK_UP -> new Details.LinkUp(end(json.path("from")), end(json.path("to")));
            case REPORT_LOSS -> new Details.ReportLoss(reporter(json), hwId(json), number(json, "lost"));
            case EXPORTER_RESTART -> new Details.ExporterRestart(reporter(json), hwId(json));
            case EXPORTER_SILENT -> new Details.ExporterSilent(reporter(json), hwId(json));
            case SPOOF_SUSPECTED ->
                new Details.SpoofSuspected(number(json, "node"), items(json, "addresses", JsonNode::asText));
            case ATTACK -> attack(json);
        };
    }

    private static Details attack(JsonNode json) {
        JsonNode victim = json.path("victim");
        boolean packets = json.has("packetsPerSecond");
        return new Details.Attack(
                AttackVector.ofLabel(text(json, "vector")).orElseThrow(IllegalArgumentException::new),
                prefix(text(victim, victim.has("prefix") ? "prefix" : "address")),
                (int) number(victim, "port"),
                (int) number(victim, "protocol"),
                items(json, "sources", EventReader::source),
                (int) number(json, "devices"),
                number(json, packets ? "packetsPerSecond" : "reportsPerSecond"),
                packets,
                number(json, "bytesPerSecond"),
                number(json, "flowsPerSecond"),
                (int) number(json, "windows"),
                numbers(json, "reporters"),
                numbers(json, "hops"),
                share(json, "confidence"),
                time(json, "lastSeen"));
    }

    private static AttackSource source(JsonNode json) {
        String device = text(json, "device");
        String witness = text(json, "witness");
        for (Witness each : Witness.values()) {
            if (each.label().equals(witness)) {
                return new AttackSource(
                        device.contains("/") ? AttackSource.ABSENT : mac(device),
                        number(json, "firstNode"),
                        number(json, "interface"),
                        json.has("address") ? prefix(text(json, "address")) : null,
                        share(json, "share"),
                        share(json, "spoofed"),
                        each);
            }
        }
        throw new IllegalArgumentException(witness);
    }

    private static long mac(String text) {
        return Long.parseLong(text.replace(":", ""), 16);
    }

    private static Reporter reporter(JsonNode json) {
        @Nullable String address = json.has("exporter") ? text(json, "exporter") : null;
        return new Reporter(number(json, "node"), address);
    }

    private static int hwId(JsonNode json) {
        return (int) number(json, "hwId");
    }

    private static LinkEnd end(JsonNode json) {
        return new LinkEnd(number(json, "node"), number(json, "interface"));
    }

    private static FlowKey flow(JsonNode json) {
        Prefix source = prefix(text(json, "source"));
        Prefix destination = prefix(text(json, "destination"));
        return new FlowKey(
                source.v6(),
                source.high(),
                source.low(),
                destination.high(),
                destination.low(),
                (int) number(json, "protocol"),
                (int) number(json, "sourcePort"),
                (int) number(json, "destinationPort"),
                (int) number(json, "icmpType"),
                (int) number(json, "icmpCode"),
                (int) number(json, "vni"));
    }

    private static Prefix prefix(String text) {
        int slash = text.indexOf('/');
        InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
        boolean v6 = address instanceof Inet6Address;
        Prefix whole = v6
                ? Prefix.address(true, raw.getLong(0), raw.getLong(8))
                : Prefix.address(false, 0, Integer.toUnsignedLong(raw.getInt(0)));
        return slash < 0
                ? whole
                : new Prefix(v6, whole.high(), whole.low(), Integer.parseInt(text.substring(slash + 1)));
    }

    private static <T> List<T> items(JsonNode json, String name, Function<JsonNode, T> read) {
        List<T> items = new ArrayList<>();
        json.path(name).forEach(one -> items.add(read.apply(one)));
        return items;
    }

    private static List<Long> numbers(JsonNode json, String name) {
        return items(json, name, JsonNode::asLong);
    }

    /** What is absent in JSON is {@link Event#ABSENT}. */
    private static long number(JsonNode json, String name) {
        return json.path(name).asLong(Event.ABSENT);
    }

    private static int share(JsonNode json, String name) {
        return (int) Math.round(json.path(name).asDouble() * WHOLE);
    }

    private static String text(JsonNode json, String name) {
        JsonNode text = json.path(name);
        if (!text.isTextual()) {
            throw new IllegalArgumentException(name);
        }
        return text.textValue();
    }

    private static long time(JsonNode json, String name) {
        Long nanos = TimeText.parse(text(json, name));
        if (nanos == null) {
            throw new IllegalArgumentException(name);
        }
        return nanos;
    }
}
