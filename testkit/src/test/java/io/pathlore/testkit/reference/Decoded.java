package io.pathlore.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decoded object and short ways to ask it: {@code int.0.hops.1.nodeId}. */
record Decoded(@Nullable Object json) {
    static List<Decoded> reports(ReferenceOptions options, byte[] datagram) {
        return new ReferenceDecoder(options)
                .decode(datagram).stream().map(Decoded::new).toList();
    }

    static Decoded packet(ReferenceOptions options, Start start, byte[] bytes) {
        return new Decoded(new ReferenceDecoder(options).decodePacket(start.frame(bytes), PacketStart.ETHERNET));
    }

    /** The only result of a golden vector. */
    static Decoded only(String vector, boolean strict) {
        GoldenVectors.Vector golden = GoldenVectors.vector(vector);
        ReferenceOptions options = Codepoints.of(vector, strict);
        if (golden.start() != Start.REPORT) {
            return packet(options, golden.start(), golden.bytes());
        }
        List<Decoded> reports = reports(options, golden.bytes());
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    @Nullable
    Object at(String path) {
        Object here = json;
        for (String step : path.split("\\.", -1)) {
            if (here instanceof List<?> list) {
                here = Integer.parseInt(step) < list.size() ? list.get(Integer.parseInt(step)) : null;
            } else if (here instanceof Map<?, ?> map) {
                here = map.get(step);
            } else {
                return null;
            }
        }
        return here;
    }

    /** Each line is a path and the JSON of what must be there; "absent" where nothing may be. */
    Decoded says(String lines) {
        for (String line : lines.lines().toList()) {
            int space = line.indexOf(' ');
            String path = line.substring(0, space);
            String wanted = line.substring(space).strip();
            if (wanted.equals("absent")) {
                assertThat(at(path)).as(path).isNull();
            } else {
                assertThat(Json.canonical(at(path))).as("%s of %s", path, this).isEqualTo(canonical(wanted));
            }
        }
        return this;
    }

    private static String canonical(String text) {
        return Json.canonical(Json.parse(text));
    }

    /** Faults and warnings in the order they were raised; an error is the only one. */
    List<String> faults() {
        if (at("error") instanceof String error) {
            return List.of(error);
        }
        return at("warnings") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    @Override
    public String toString() {
        return Json.canonical(json);
    }
}
