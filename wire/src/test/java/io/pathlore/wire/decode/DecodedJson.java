package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Json;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.net.PacketWalker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Decodes bytes and reads back the JSON, as a user of {@code pathlore decode -o json} would. */
final class DecodedJson {
    /** The codepoints the worked examples use. */
    static final DecodeOptions.IntMarks EXAMPLE_MARKS = DecodeOptions.IntMarks.LENIENT
            .withUdpPorts(List.of(555, 5555))
            .withDscp(List.of(new Dscp(0x17, 0x3F)))
            .withProbeMarker(0x0123_4567_89AB_CDEFL)
            .withGreEtherType(0x88B6)
            .withJune2016(List.of(0x0103, 0x00AB));

    private DecodedJson() {}

    static DecodeOptions strict() {
        return DecodeOptions.strictly().withMarks(EXAMPLE_MARKS);
    }

    static DecodeOptions lenient() {
        return DecodeOptions.lenient().withMarks(EXAMPLE_MARKS);
    }

    static List<Map<String, Object>> reports(byte[] datagram, DecodeOptions options) {
        List<Map<String, Object>> objects = new ArrayList<>();
        ReportJson json = new ReportJson();
        ReportDecoder decoder = new ReportDecoder(options);
        ReportSink sink = new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                json.report(new Origin(), report);
                objects.add(object(json));
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                json.rejected(new Origin(), fault, offset, decoder.warnings());
                objects.add(object(json));
            }
        };
        decoder.decode(ByteBuffer.wrap(datagram), 0, datagram.length, new Exporter(), sink);
        return objects;
    }

    static Map<String, Object> packet(byte[] packet, PacketWalker.Start start, DecodeOptions options) {
        ReportDecoder decoder = new ReportDecoder(options);
        decoder.decodePacket(ByteBuffer.wrap(packet), 0, packet.length, start, new Exporter());
        ReportJson json = new ReportJson();
        json.packet(new Origin(), decoder.packet(), decoder.warnings());
        return object(json);
    }

    private static Map<String, Object> object(ReportJson json) {
        return Json.object(new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII));
    }

    /** Names of everything that was found wrong, in the order it was found. */
    static List<String> names(List<Map<String, Object>> objects) {
        List<String> names = new ArrayList<>();
        for (Map<String, Object> object : objects) {
            if (object.get("warnings") instanceof List<?> warnings) {
                warnings.forEach(warning -> names.add((String) warning));
            }
            if (object.get("error") instanceof String error) {
                names.add(error);
            }
        }
        return names;
    }
}
