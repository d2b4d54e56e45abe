package io.pathlore.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.net.PacketWalker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FieldGuideTest {
    private static final Path WRITER = Path.of("../wire/src/main/java/io/pathlore/wire/json/ReportJson.java");
    private static final Pattern KEY =
            Pattern.compile("(?:json\\.[a-zA-Z0-9]+|wordAt|endpoint|flow)\\(\\s*\"([a-zA-Z0-9]+)\"");

    private final FieldGuide guide = FieldGuide.load();
    private final Set<String> paths = new TreeSet<>();

    private Set<String> explained() {
        Set<String> all = new HashSet<>();
        guide.entries().forEach(entry -> all.addAll(entry.paths()));
        return all;
    }

    private void collect(String prefix, JsonNode node) {
        if (node.isArray()) {
            node.forEach(element -> collect(prefix, element));
        }
        node.properties().forEach(property -> {
            String path = prefix.isEmpty() ? property.getKey() : prefix + "." + property.getKey();
            paths.add(path);
            collect(path, property.getValue());
        });
    }

    private void collect(ReportJson json) {
        try {
            collect(
                    "",
                    new JsonMapper().readTree(new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyKeyOfTheWorkedExamplesIsExplained() {
        DecodeOptions options = DecodeOptions.lenient()
                .withMarks(DecodeOptions.IntMarks.LENIENT
                        .withUdpPorts(List.of(555, 5555))
                        .withDscp(List.of(new Dscp(0x17, 0x3F)))
                        .withProbeMarker(0x0123_4567_89AB_CDEFL)
                        .withGreEtherType(0x88B6)
                        .withJune2016(List.of(0x0103, 0x00AB)));
        ReportDecoder decoder = new ReportDecoder(options);
        ReportJson json = new ReportJson();
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            ByteBuffer bytes = ByteBuffer.wrap(vector.bytes());
            Origin origin =
                    new Origin().at(1, 0).between(false, 0, 1, 2, 0, 3, 4).with(bytes, 0, bytes.capacity());
            if (vector.start() != Start.REPORT) {
                for (PacketWalker.Start start : PacketWalker.Start.values()) {
                    decoder.decodePacket(bytes, 0, bytes.capacity(), start, new Exporter());
                    json.packet(origin, decoder.packet(), decoder.warnings());
                    collect(json);
                }
                continue;
            }
            decoder.decode(bytes, 0, bytes.capacity(), new Exporter(), new ReportSink() {
                @Override
                public void onReport(ReportView report) {
                    json.report(origin, report);
                    collect(json);
                }

                @Override
                public void onRejected(Fault fault, int offset) {
                    json.rejected(origin, fault, offset, decoder.warnings());
                    collect(json);
                }
            });
        }
        assertThat(paths).contains("int.hops.queueOccupancy", "ioam.hops.nodeId", "metadata.dropReason", "drop.count");
        assertThat(paths).isSubsetOf(explained());
    }

    /** Also those that no example has. */
    @Test
    void everyKeyThatCanBeWrittenIsExplained() throws IOException {
        Set<String> written = new TreeSet<>();
        Matcher keys = KEY.matcher(Files.readString(WRITER));
        while (keys.find()) {
            written.add(keys.group(1));
        }
        assertThat(written).hasSizeGreaterThan(100).contains("frame", "raw", "flowId", "snapshot", "sourceDevice");
        Set<String> last = new HashSet<>();
        explained().forEach(path -> last.add(path.substring(path.lastIndexOf('.') + 1)));
        // Values that stand where a key could.
        written.removeAll(Set.of("ethernet", "ipv4", "ipv6").stream()
                .filter(word -> !last.contains(word))
                .toList());
        assertThat(written).isSubsetOf(last);
        assertThat(last).isSubsetOf(written);
    }

    @Test
    void everyExplanationIsComplete() {
        assertThat(guide.entries()).allSatisfy(entry -> {
            assertThat(entry.means()).isNotEmpty();
            assertThat(entry.carried()).isNotEmpty();
            assertThat(entry.absent()).isNotEmpty();
        });
        assertThat(guide.entries().stream().flatMap(entry -> entry.paths().stream()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aKeyIsFoundAloneOrWithThoseAroundItInAnyCase() {
        assertThat(guide.find("HOPLATENCY")).hasSize(1);
        assertThat(guide.find("int.hops.hopLatency")).isEqualTo(guide.find("metadata.hopLatency"));
        assertThat(guide.find("report").stream().map(entry -> entry.paths().getFirst()))
                .contains("report", "report.sequence")
                .allMatch(path -> path.toLowerCase(Locale.ROOT).startsWith("report"));
        assertThat(guide.find("latency")).isEmpty();
    }
}
