package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Config load(String... sets) {
        return loadWith(Map.of(), sets);
    }

    private Config loadWith(Map<String, String> environment, String... sets) {
        return new ConfigLoader(directory, directory.resolve("etc"), environment).load(null, List.of(sets));
    }

    private Config loadFile(String yaml) throws IOException {
        Files.writeString(directory.resolve("pathlore.yaml"), yaml);
        return load();
    }

    private void assertRejects(String yaml, String message) {
        assertThatThrownBy(() -> loadFile(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    private void assertRejectsSet(String set, String message) {
        assertThatThrownBy(() -> load(set)).isInstanceOf(ConfigException.class).hasMessage(message);
    }

    /** The decoder's own defaults and those of the file are written twice; they must not drift apart. */
    @Test
    void theDefaultsAreThoseOfTheDecoder() {
        Config config = new ConfigLoader(directory, directory.resolve("etc"), Map.of()).read(null, List.of());

        assertThat(config.decode().lenientOptions()).usingRecursiveComparison().isEqualTo(DecodeOptions.lenient());
        assertThat(config.decode().strictOptions()).usingRecursiveComparison().isEqualTo(DecodeOptions.strictly());
        assertThat(config.decode().strict()).isFalse();
        assertThat(config.inventory().isEmpty()).isTrue();
        assertThat(load()).usingRecursiveComparison().isEqualTo(config);
    }

    @Test
    void acceptsAFileWithEveryKey() throws IOException {
        String defaults = new String(
                Objects.requireNonNull(ConfigLoader.class.getResourceAsStream("defaults.yaml"))
                        .readAllBytes(),
                java.nio.charset.StandardCharsets.UTF_8);

        assertThat(loadFile(defaults).decode().lenientOptions())
                .usingRecursiveComparison()
                .isEqualTo(DecodeOptions.lenient());
    }

    @Test
    void anEmptyFileChangesNothing() throws IOException {
        assertThat(loadFile("").decode().strict()).isFalse();
        assertThat(loadFile("# nothing but a comment\n").decode().strict()).isFalse();
        assertThat(loadFile("decode:\n  # all of it commented out\n").decode().strict())
                .isFalse();
    }

    @Test
    void readsTheMarks() throws IOException {
        IntMarks marks = loadFile("""
                decode:
                  flow-key: outer
                  max-reports: 16
                  int:
                    udp-ports: [5555, 0x15B4]
                    dscp: [0x01/0x01, 0x17]
                    probe-marker: 0xF123456789ABCDEF
                    geneve-classes: [0x00AB]
                    gpe-new: []
                    gre-ethertype: 0x88B6
                    tcp-options: before
                    june-2016: true
                """).decode().lenientOptions().marks();

        assertThat(marks.udpPorts()).containsExactly(5555, 5556);
        assertThat(marks.dscp()).containsExactly(new Dscp(1, 1), new Dscp(0x17, 0x3F));
        assertThat(marks.probeMarker()).isEqualTo(0xF123456789ABCDEFL);
        assertThat(marks.geneveClasses()).containsExactly(0xAB);
        assertThat(marks.gpeNew()).isEmpty();
        assertThat(marks.gpeOld()).containsExactly(8);
        assertThat(marks.greEtherType()).isEqualTo(0x88B6);
        assertThat(marks.beforeTcpOptions()).isTrue();
        assertThat(marks.june2016()).isTrue();
    }

    /** Nobody chose the marks of the lenient decoder; a strict one must not guess them. */
    @Test
    void strictDecodingKeepsOnlyMarksTheUserChose() throws IOException {
        Config.Decode decode =
                loadFile("decode: { mode: strict, int: { udp-ports: [555] } }").decode();

        assertThat(decode.strict()).isTrue();
        assertThat(decode.strictOptions().strict()).isTrue();
        assertThat(decode.strictOptions().marks().udpPorts()).containsExactly(555);
        assertThat(decode.strictOptions().marks().dscp()).isEmpty();
        assertThat(decode.lenientOptions().marks().dscp()).hasSize(2);
    }

    @Test
    void domainsAddToTheKnownOnesAndAnEmptyListRemovesOne() throws IOException {
        Domains both = loadFile("decode: { domains: { 0xABCD: [{ bit: 0, words: 1 }, { bit: 1, words: 1 }] } }")
                .decode()
                .options()
                .domains();
        assertThat(both.knows(0xABCD, 0xC000)).isTrue();
        assertThat(both.knows(Domains.TRANSPARENT_SECURITY, 0x8000)).isTrue();

        Domains none = loadFile("decode: { domains: { 0x5453: [] } }")
                .decode()
                .options()
                .domains();
        assertThat(none.all()).isEmpty();
    }

    @Test
    void readsTheInventory() throws IOException {
        Inventory inventory = loadFile("""
                inventory:
                  - node: 3
                    name: leaf-3
                    addresses: [10.0.0.3, "2001:db8::3"]
                    profile: geant
                    sequence: auto
                    sampling: 100
                    timestamp-unit: ns
                    clock: free
                    queue: { unit: bytes, capacity: 1000000 }
                    interfaces: { 1: { name: eth1, speed: 100G } }
                    drop-reasons: { 7: full moon }
                  - addresses: [10.0.0.4]
                    sampling: null
                    drop-reasons: fabric-tna
                """).inventory();

        Inventory.Node leaf = Objects.requireNonNull(inventory.byId(3));
        assertThat(leaf.name()).isEqualTo("leaf-3");
        assertThat(leaf.profile()).isEqualTo(Profile.GEANT);
        assertThat(leaf.dropReasons()).containsExactly(Map.entry(7, "full moon"));
        assertThat(inventory.byAddress(InetAddress.ofLiteral("2001:db8::3"))).isSameAs(leaf);
        assertThat(Objects.requireNonNull(inventory.byAddress(InetAddress.ofLiteral("10.0.0.4")))
                        .profile())
                .isEqualTo(Profile.AUTO);
        assertThat(inventory.byId(4)).isNull();
    }

    @Test
    void namesTheLineOfAnUnknownKeyAndWhatWasProbablyMeant() {
        assertRejects(
                "data: /tmp\nlisten:\n  # comment\n  prots: [1]\n",
                "pathlore.yaml:4: unknown key 'listen.prots'; did you mean 'ports'?");
        assertRejects("jurnal:\n", "pathlore.yaml:1: unknown key 'jurnal'; did you mean 'journal'?");
        assertRejects(
                "http:\n  zzz: 1\n",
                "pathlore.yaml:2: unknown key 'http.zzz'; known here: address, port, tls, insecure");
        assertRejects(
                "inventory:\n  - node: 1\n    nmae: a\n",
                "pathlore.yaml:3: unknown key 'inventory.nmae'; did you mean 'name'?");
    }

    @Test
    void namesKeyValueAndRange() {
        assertRejects("decode:\n  max-reports: 0\n", "pathlore.yaml:2: decode.max-reports: 0 is not in 1 to 65535");
        assertRejects(
                "decode: { mode: strcit }", "pathlore.yaml:1: decode.mode: 'strcit' is not one of lenient, strict");
        assertRejects(
                "decode:\n  int:\n    udp-ports: [555,\n      70000]\n",
                "pathlore.yaml:4: decode.int.udp-ports: 70000 is not in 1 to 65535");
        assertRejects(
                "decode: { int: { geneve-classes: [0x10000] } }",
                "pathlore.yaml:1: decode.int.geneve-classes: 0x10000 is not in 0x0 to 0xffff");
        assertRejects(
                "decode: { int: { dscp: [0x40/0x3F] } }",
                "pathlore.yaml:1: decode.int.dscp: '0x40/0x3F' is not VALUE/MASK of six bits each, like 0x17/0x3F");
        assertRejects(
                "decode: { int: { probe-marker: hello } }",
                "pathlore.yaml:1: decode.int.probe-marker: 'hello' is not up to 64 bits in hex, like"
                        + " 0x0123456789ABCDEF");
        assertRejects(
                "decode: { domains: { 0x10000: [] } }",
                "pathlore.yaml:1: decode.domains: domain id: 0x10000 is not in 0x1 to 0xffff");
        assertRejects(
                "decode:\n  domains:\n    0x1234:\n      - { bit: 16, words: 1 }\n",
                "pathlore.yaml:4: decode.domains.0x1234.bit: 16 is not in 0 to 15");
        assertRejects(
                "inventory: [{ node: 1, profile: genat }]",
                "pathlore.yaml:1: inventory.profile: 'genat' is not one of auto, spec, transparent-security, geant,"
                        + " onos-basic, onos-fabric, p4-int");
        assertRejects(
                "inventory: [{ addresses: [example.org] }]",
                "pathlore.yaml:1: inventory.addresses: 'example.org' is not an IPv4 or IPv6 address");
        assertRejects("inventory:\n- node: 1\n- node: 1\n", "pathlore.yaml:3: inventory.node: 1 is listed twice");
    }

    @Test
    void checksTheShapeOfWhatNothingReadsYet() {
        assertRejects("journal: { enabled: maybe }", "pathlore.yaml:1: journal.enabled: 'maybe' is not true or false");
        assertRejects(
                "journal: { sync: fast }",
                "pathlore.yaml:1: journal.sync: 'fast' is not a duration, like 200ms, 5s or 7d");
        assertRejects("memory: lots", "pathlore.yaml:1: memory: 'lots' is not a size, like 64MiB");
        assertRejects("listen: { ports: 8555 }", "pathlore.yaml:1: listen.ports: expected a list, like [a, b]");
        assertRejects("listen: [8555]", "pathlore.yaml:1: listen: expected keys and values");
        assertRejects(
                "listen: { rate-limit: null }",
                "pathlore.yaml:1: listen.rate-limit: has no value; expected a whole number");
    }

    @Test
    void saysWhereTheFileIsNotYaml() {
        assertRejects("decode: {}\ndecode: {}\n", "pathlore.yaml:2: key 'decode' is given twice");
        assertRejects("just text", "pathlore.yaml:1: expected keys and values, like 'decode:'");
        assertRejects("data: &a x\nmemory: *a\n", "pathlore.yaml:2: YAML anchors and aliases are not supported");
        assertRejects("data: x\n---\ndata: y\n", "pathlore.yaml:3: a second YAML document; only one is read");
        assertThatThrownBy(() -> loadFile("data: x\nlisten:\n\tports: [1]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("pathlore.yaml:3: not valid YAML: ")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> loadFile("data: [1, 2\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("pathlore.yaml:2: not valid YAML: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void saysThatTheNamedFileIsNotThere() {
        assertThatThrownBy(() -> new ConfigLoader(directory, directory.resolve("etc"), Map.of())
                        .load(Path.of("other.yaml"), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage("other.yaml: no such file");
        assertThatThrownBy(() ->
                        new ConfigLoader(directory, directory.resolve("etc"), Map.of()).load(directory, List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith(": is a directory");
    }

    @Test
    void theFileHereWinsOverThatOfTheSystem() throws IOException {
        Path system = Files.createDirectory(directory.resolve("etc"));
        Files.writeString(system.resolve("pathlore.yaml"), "decode: { max-reports: 7 }");
        assertThat(load().decode().options().maxReports()).isEqualTo(7);

        assertThat(loadFile("decode: { max-reports: 8 }").decode().options().maxReports())
                .isEqualTo(8);
    }

    @Test
    void theEnvironmentWinsOverTheFileAndSetOverTheEnvironment() throws IOException {
        Files.writeString(
                directory.resolve("pathlore.yaml"), "decode: { max-reports: 1, flow-key: outer, mode: strict }");
        Config config = loadWith(
                Map.of("PATHLORE_DECODE_MAX_REPORTS", "2", "PATHLORE_DECODE_MODE", "lenient", "HOME", "/"),
                "decode.max-reports=3");

        assertThat(config.decode().options().maxReports()).isEqualTo(3);
        assertThat(config.decode().strict()).isFalse();
        assertThat(config.decode().options().outerFlowKey()).isTrue();
    }

    @Test
    void listsOutsideOfTheFileHaveCommas() {
        Config.Decode decode = loadWith(
                        Map.of("PATHLORE_DECODE_INT_UDP_PORTS", "1,2"), "decode.int.dscp=0x01/0x01, 0x17/0x3F")
                .decode();
        assertThat(decode.options().marks().udpPorts()).containsExactly(1, 2);
        assertThat(decode.options().marks().dscp()).hasSize(2);
        assertThat(decode.strictOptions().marks().udpPorts()).containsExactly(1, 2);

        IntMarks marks = load("decode.int.udp-ports=[7]", "decode.int.dscp=")
                .decode()
                .options()
                .marks();
        assertThat(marks.udpPorts()).containsExactly(7);
        assertThat(marks.dscp()).isEmpty();
    }

    @Test
    void setReachesIntoMapsAndTakesYaml() {
        Config config = load(
                "decode.domains.0xABCD=[{bit: 0, words: 2}]",
                "inventory=[{node: 9, profile: spec}]",
                "decode.int.probe-marker=0x1",
                "decode.int.probe-marker=null");

        assertThat(config.decode().options().domains().words(0xABCD, 0x8000)).isEqualTo(2);
        assertThat(config.inventory().byId(9)).isNotNull();
        assertThat(config.decode().options().marks().probeMarker()).isNull();
    }

    @Test
    void namesTheOptionOrVariableThatIsWrong() {
        assertRejectsSet("listen.prots=1", "--set: unknown key 'listen.prots'; did you mean 'ports'?");
        assertRejectsSet("decode.mode", "--set decode.mode: expected KEY=VALUE, like decode.mode=strict");
        assertRejectsSet("decode.mode.deep=1", "--set: decode.mode.deep: goes deeper than the key does");
        assertRejectsSet("decode.max-reports=none", "--set: decode.max-reports: 'none' is not a whole number");
        assertThatThrownBy(() -> loadWith(Map.of("PATHLORE_DECODE_MAX_REPORTS", "0")))
                .hasMessage("PATHLORE_DECODE_MAX_REPORTS: decode.max-reports: 0 is not in 1 to 65535");
        assertThatThrownBy(() -> loadWith(Map.of("PATHLORE_LISTEN_PROTS", "1")))
                .hasMessage("environment variable PATHLORE_LISTEN_PROTS names no key; did you mean"
                        + " PATHLORE_LISTEN_PORTS?");
    }

    @Test
    void leavesTheVariablesOfOthersAlone() {
        assertThat(loadWith(Map.of(
                                "PATHLORE_JAVA", "/opt/jdk",
                                "PATHLORE_DEBUG", "1",
                                "PATHLORE_SERVICE_HOST", "10.0.0.1",
                                "PATHLORE_PORT", "tcp://10.0.0.1:8555"))
                        .decode()
                        .strict())
                .isFalse();
    }
}
