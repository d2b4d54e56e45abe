package io.pathlore.it.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.pathlore.it.Production;
import io.pathlore.testkit.Json;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.net.PacketWalker.Start;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.provider.MethodSource;

/** Any packet, started at any layer: no exception, and JSON that parses. */
class PacketFuzzTest {
    private final ReportDecoder strict = new ReportDecoder(Production.options(false, true));
    private final ReportDecoder lenient = new ReportDecoder(Production.options(true, true));
    private final ReportJson json = new ReportJson();

    @MethodSource("io.pathlore.it.fuzz.Seeds#packets")
    @FuzzTest(maxDuration = "10m")
    void walksAnyPacket(byte[] packet) {
        Finding.reporting("packets", packet, () -> {
            for (Start start : Start.values()) {
                walk(strict, packet, start);
                walk(lenient, packet, start);
            }
        });
    }

    private void walk(ReportDecoder decoder, byte[] packet, Start start) {
        decoder.decodePacket(ByteBuffer.wrap(packet), 0, packet.length, start, new Exporter());
        json.packet(new Origin(), decoder.packet(), decoder.warnings());
        Json.object(new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII));
    }
}
