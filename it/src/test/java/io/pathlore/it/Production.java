package io.pathlore.it;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.generate.Marks;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The shipped decoder as the tests compare it: bytes in, the JSON of each report out. */
public final class Production {
    private final ReportDecoder decoder;
    private final ReportJson json = new ReportJson();
    private final Origin origin = new Origin();

    public Production(DecodeOptions options) {
        decoder = new ReportDecoder(options);
    }

    /** Told every codepoint the generators use. */
    public static DecodeOptions options(boolean lenient, boolean june2016) {
        IntMarks base = IntMarks.LENIENT;
        IntMarks marks = new IntMarks(
                List.of(Marks.INT_UDP_PORT, Marks.TRANSPARENT_SECURITY_PORT),
                base.dscp(),
                Marks.PROBE_MARKER,
                List.of(Marks.GENEVE_CLASS, Marks.OTHER_GENEVE_CLASS),
                base.gpeNew(),
                base.gpeOld(),
                Marks.GRE_ETHERTYPE,
                false,
                june2016);
        return (lenient ? DecodeOptions.lenient() : DecodeOptions.strictly()).withMarks(marks);
    }

    /** As an exporter that was never heard of before. */
    public List<Map<String, Object>> decode(byte[] datagram) {
        List<Map<String, Object>> objects = new ArrayList<>();
        ReportSink sink = new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                json.report(origin, report);
                objects.add(object());
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                json.rejected(origin, fault, offset, decoder.warnings());
                objects.add(object());
            }
        };
        decoder.decode(ByteBuffer.wrap(datagram), 0, datagram.length, new Exporter(), sink);
        return objects;
    }

    private Map<String, Object> object() {
        return Json.object(new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII));
    }

    /** What two decoders must agree on: of a rejection its name, of warnings the set. */
    public static List<String> comparable(List<Map<String, Object>> objects) {
        return objects.stream().map(Production::comparable).toList();
    }

    private static String comparable(Map<String, Object> object) {
        Map<String, Object> kept = new LinkedHashMap<>(object);
        if (kept.containsKey("error")) {
            kept.keySet().retainAll(Set.of("error"));
        }
        if (kept.get("warnings") instanceof List<?> warnings) {
            Set<String> sorted = new TreeSet<>();
            warnings.forEach(warning -> sorted.add((String) warning));
            kept.put("warnings", List.copyOf(sorted));
        }
        return Json.canonical(kept);
    }
}
