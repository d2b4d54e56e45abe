package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.Program.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final Program program = new Program();

    @BeforeEach
    void start() {
        program.in(directory).set("HOME", "/home/ada");
    }

    private void write(String name, String yaml) throws IOException {
        Files.writeString(directory.resolve(name), yaml);
    }

    @Test
    void saysThatAFileIsRight() throws IOException {
        assertThat(program.with("config", "check"))
                .isEqualTo(new Ended(0, "there is no configuration file: the defaults hold\n", ""));
        write("pathlore.yaml", "listen: { ports: [9555] }\n");
        assertThat(program.with("config", "check")).isEqualTo(new Ended(0, "pathlore.yaml: fine\n", ""));
        write("other.yaml", "http: { port: 80 }\n");
        assertThat(program.with("config", "check", "other.yaml"))
                .isEqualTo(program.with("config", "check", "--config", "other.yaml"))
                .isEqualTo(new Ended(0, "other.yaml: fine\n", ""));
    }

    /** Also of sections that only the collector reads. */
    @Test
    void namesTheLineThatIsNot() throws IOException {
        assertWrong("decode:\n  mdoe: strict\n", ":2: unknown key 'decode.mdoe'; did you mean 'mode'?");
        assertWrong(
                "# why\nlisten:\n  allow: [privat]\n",
                ":3: listen.allow: 'privat' is not a CIDR such as 10.0.0.0/8, nor" + " 'private' nor 'any'");
        assertWrong("journal:\n  sync: 2h\n", ":2: journal.sync: '2h' is not above 0 and up to 60s");
        assertWrong(
                "http: { tls: { certificate: x } }\n",
                ":1: http.tls: expected null or { certificate: FILE, key: FILE }");
        assertWrong(
                "kafka: { bootstrap: broker }\n",
                ":1: kafka.bootstrap: 'broker' is not HOST:PORT; several are parted by commas");
        assertWrong(
                "kafka: { bootstrap: 'a:1, [::1]:2' }\njournal: { enabled: false }\n",
                ":1: kafka.bootstrap: needs journal.enabled=true: what is published is read from the journal");
        assertWrong(
                "kafka:\n  publish: [datagrams, secrets]\n",
                ":2: kafka.publish: 'secrets' cannot be published; datagrams, events and rollups can");
        assertWrong("memory: 1KiB\n", ":1: memory: 1KiB is less than 64MiB");
        assertWrong("analysis:\n  shards: many\n", ":2: analysis.shards: 'many' is not a whole number from 1 to 256");
        assertWrong("a: [\n", ":2: not valid YAML: expected the node content, but found '<stream end>'");
        assertThat(program.with("config", "check", "missing.yaml"))
                .isEqualTo(new Ended(2, "", "pathlore: missing.yaml: no such file\n"));
    }

    private void assertWrong(String yaml, String message) throws IOException {
        write("wrong.yaml", yaml);
        assertThat(program.with("config", "check", "wrong.yaml"))
                .isEqualTo(new Ended(2, "", "pathlore: wrong.yaml" + message + "\n"));
    }

    @Test
    void aVariableNeitherHidesAFaultNorIsOverlooked() throws IOException {
        write("pathlore.yaml", "http:\n  port: 0\n");
        program.set("PATHLORE_HTTP_PORT", "80");
        assertThat(program.with("config", "check").err())
                .isEqualTo("pathlore: pathlore.yaml:2: http.port: 0 is not in 1 to 65535\n");
        write("pathlore.yaml", "http:\n  port: 8080\n");
        program.set("PATHLORE_HTTP_PORT", "0");
        assertThat(program.with("config", "check").err())
                .isEqualTo("pathlore: PATHLORE_HTTP_PORT: http.port: 0 is not in 1 to 65535\n");
    }

    @Test
    void dumpsEveryKeyWithItsOrigin() throws IOException {
        write("pathlore.yaml", """
                listen:
                  ports: [9555, 9556]
                decode:
                  domains:
                    0xABCD: [{ bit: 0, words: 1 }]
                inventory:
                  - { node: 3, name: "leaf: 3", addresses: ["2001:db8::3"], drop-reasons: { 7: mirrored } }
                http: { tls: { certificate: /etc/a b.pem, key: /etc/key.pem } }
                """);
        program.set("PATHLORE_HTTP_PORT", "9443");
        Ended ended = program.with("config", "dump", "--set", "journal.keep=7d");

        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.out()).startsWith("""
                data: ~/.local/share/pathlore               # default
                memory: 1GiB                                # default
                listen:
                  addresses: [0.0.0.0, "::"]                # default
                  ports: [9555, 9556]                       # pathlore.yaml:2
                  receive-buffer: 16MiB                     # default
                """);
        assertThat(ended.lines())
                .contains(
                        "    probe-marker: null                      # default",
                        "  domains:",
                        "    0x5453:                                 # default",
                        "      - { bit: 0, words: 2, source-only: true, name: device }  # default",
                        "    0xABCD:                                 # pathlore.yaml:5",
                        "      - { bit: 0, words: 1 }                # pathlore.yaml:5",
                        "inventory:                                  # pathlore.yaml:6",
                        "  - { node: 3, name: \"leaf: 3\", addresses: [\"2001:db8::3\"], drop-reasons: { 7: mirrored } }"
                                + "  # pathlore.yaml:7",
                        "  keep: 7d                                  # --set",
                        "  port: 9443                                # PATHLORE_HTTP_PORT",
                        "  tls: { certificate: \"/etc/a b.pem\", key: /etc/key.pem }  # pathlore.yaml:8",
                        "  thresholds: {}                            # default");
    }

    /** Whatever was written: quotes, words that YAML takes for something else, several lines. */
    @Test
    void whatIsDumpedMeansTheSame() throws IOException {
        write("pathlore.yaml", """
                data: "null"
                inventory:
                  - { node: 1, name: "~" }
                  - { node: 2, name: "" }
                  - { node: 3, name: "a \\"b\\" # c\\n\\u0007é" }
                  - { node: 4, name: "- x" }
                  - { node: 5, name: "{x}" }
                  - { node: 6, name: "true" }
                  - { node: 7, name: "*x", interfaces: { 1: { name: eth1, speed: 100G } } }
                notify: [{ kind: webhook, url: "https://x/?a=b&c", secret-file: /run/secret }]
                defend: { thresholds: { 203.0.113.0/24: { udp-flood: 5 } }, never-block: [192.0.2.0/24] }
                kafka: { edge: "" }
                """);
        String dumped = program.with("config", "dump").out();
        Map<String, JsonNode> before = values();
        write("pathlore.yaml", dumped);
        assertThat(values()).isEqualTo(before).hasSizeGreaterThan(50);
        assertThat(before.toString())
                .contains("data=\"null\"")
                .contains("kafka.edge=\"\"")
                .contains("kafka.bootstrap=null")
                .contains("\"name\":\"a \\\"b\\\" # c\\n\\u0007é\"")
                .contains("\"secret-file\":\"/run/secret\"");
    }

    private Map<String, JsonNode> values() throws IOException {
        Map<String, JsonNode> values = new TreeMap<>();
        Ended ended = program.with("config", "dump", "-o", "json");
        assertThat(ended.status()).as(ended.err()).isZero();
        for (JsonNode entry : new JsonMapper().readTree(ended.out())) {
            values.put(entry.get("key").asText(), entry.get("value"));
        }
        return values;
    }

    @Test
    void jsonHasTypedValuesAndOrigins() throws IOException {
        write("pathlore.yaml", "listen:\n  gro: true\n");
        assertThat(program.with("config", "dump", "-o", "json").lines())
                .contains(
                        "{\"key\":\"listen.gro\",\"value\":true,\"origin\":\"pathlore.yaml:2\"},",
                        "{\"key\":\"listen.ports\",\"value\":[8555],\"origin\":\"default\"},",
                        "{\"key\":\"decode.int.geneve-classes\",\"value\":[259],\"origin\":\"default\"},",
                        "{\"key\":\"decode.domains.0x5453\",\"value\":[{\"bit\":0,\"words\":2,\"source-only\":true,"
                                + "\"name\":\"device\"}],\"origin\":\"default\"},",
                        "{\"key\":\"memory\",\"value\":\"1GiB\",\"origin\":\"default\"},");
    }

    @Test
    void aWrongConfigurationIsNotDumped() throws IOException {
        write("pathlore.yaml", "http:\n  port: 0\n");
        assertThat(program.with("config", "dump"))
                .isEqualTo(new Ended(2, "", "pathlore: pathlore.yaml:2: http.port: 0 is not in 1 to 65535\n"));
        assertThat(program.with("config", "dump", "-o", "xml").err())
                .startsWith("pathlore config dump: --output: 'xml' is not one of yaml, json\n");
        assertThat(program.with("config").err())
                .startsWith("pathlore config: what should it do? Commands: check, dump\n");
        assertThat(program.with("config", "check", "a", "--config", "b").err())
                .startsWith("pathlore config check: name the file once, not with --config too\n");
    }
}
