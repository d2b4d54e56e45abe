package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void helpBeginsWithExamplesAndListsTheExitCodes() {
        for (String[] args : new String[][] {
            {"--help"},
            {"help"},
            {"decode", "--help"},
            {"check", "-h"},
            {"replay", "--help"},
            {"export", "--help"},
            {"get", "--help"},
            {"get", "exporters", "--help"},
            {"get", "flows", "--help"},
            {"explain", "--help"},
            {"explain", "flow", "--help"},
            {"doctor", "--help"},
            {"token", "--help"},
            {"token", "add", "--help"},
            {"token", "list", "--help"},
            {"token", "revoke", "--help"},
            {"config", "--help"},
            {"config", "check", "--help"},
            {"config", "dump", "--help"}
        }) {
            Ended ended = Program.run(args);
            assertThat(ended.status()).isZero();
            assertThat(ended.out().indexOf("Examples:"))
                    .isPositive()
                    .isLessThan(ended.out().indexOf("Usage:"));
            assertThat(ended.out()).contains("Exit codes:");
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void theVersionIsAnOptionAndACommand() {
        assertThat(Program.run("--version").out()).startsWith("pathlore ");
        assertThat(Program.run("version")).isEqualTo(Program.run("--version"));
    }

    @Test
    void completionIsAShellScript() {
        assertThat(Program.run("completion").out())
                .startsWith("#!/usr/bin/env bash")
                .contains("decode", "--packets", "exporters", "--token-file", "doctor", "revoke", "--expires", "dump");
    }

    @Test
    void wrongUsageIsOneLineAndAHintWithStatusTwo() {
        assertMisused(
                "pathlore: what should it do? Commands: demo, collect, analyse, serve, decode, check, replay, export, lab,"
                        + " get, query, observe, explain, doctor, token, config");
        assertMisused("pathlore: unknown command 'decoed'; did you mean 'decode'?", "decoed");
        assertMisused("pathlore decode: unknown option '--prot'; did you mean '--port'?", "decode", "--prot", "1");
        assertMisused("pathlore decode: unexpected argument 'b.pcap'", "decode", "a.pcap", "b.pcap");
        assertMisused("pathlore decode: name a capture file, - for stdin, a journal, or give --hex STRING", "decode");
        assertMisused("pathlore decode: give either a file or --hex, not both", "decode", "a.pcap", "--hex", "00");
        assertMisused("pathlore decode: --port: 0 is not in 1 to 65535", "decode", "a.pcap", "--port", "0");
        assertMisused("pathlore decode: --limit: 0 is not positive", "decode", "a.pcap", "-c", "0");
        assertMisused("pathlore decode: --hex: 'g' is not a hex digit", "decode", "--hex", "0g");
        assertMisused("pathlore decode: --hex: an odd number of digits", "decode", "--hex", "000");
        assertMisused("pathlore decode: -v and -x are for text output", "decode", "a.pcap", "-v", "-o", "json");
        assertMisused(
                "pathlore decode: --profile: unknown profile 'genat'; did you mean 'geant'?",
                "decode",
                "a.pcap",
                "--profile",
                "genat");
        assertMisused(
                "pathlore decode: --profile: 'nowhere' is not an IPv4 or IPv6 address",
                "decode",
                "a.pcap",
                "--profile",
                "nowhere=geant");
        assertMisused(
                "pathlore decode: Invalid value for option '--output': 'xml' is not one of text, json, jsonl, csv",
                "decode",
                "a.pcap",
                "-o",
                "xml");
        assertMisused(
                "pathlore check: Invalid value for option '--color': 'blue' is not one of auto, always, never",
                "check",
                "a.pcap",
                "--color",
                "blue");
    }

    private static void assertMisused(String message, String... args) {
        Ended ended = Program.run(args);
        assertThat(ended.status()).as(ended.err()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines().toList()).hasSize(2).first().isEqualTo(message);
    }

    @Test
    void aBadConfigurationIsOneLineWithStatusTwo() throws IOException {
        Files.writeString(directory.resolve("pathlore.yaml"), "decode:\n  mdoe: strict\n");
        Ended ended = new Program().in(directory).with("decode", "--hex", "00");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualTo("pathlore: pathlore.yaml:2: unknown key 'decode.mdoe'; did you mean 'mode'?\n");
    }

    @Test
    void theConfigurationComesFromTheFileTheVariableAndTheOption() throws IOException {
        byte[] r9 = GoldenVectors.bytes("R9");
        String hex = HexFormat.of().formatHex(r9);
        String strict = "decode: { mode: strict }";
        Files.writeString(directory.resolve("other.yaml"), strict);
        Program program = new Program().in(directory);

        assertThat(program.with("decode", "-o", "json", "--hex", hex).out()).contains("\"hops\"");
        assertThat(program.with("decode", "-o", "json", "--config", "other.yaml", "--hex", hex)
                        .out())
                .doesNotContain("\"hops\"");
        program.set("PATHLORE_DECODE_INT_UDP_PORTS", "5555");
        assertThat(program.with("decode", "-o", "json", "--config", "other.yaml", "--hex", hex)
                        .out())
                .contains("\"hops\"");
        assertThat(program.with("decode", "-o", "json", "--strict", "--set", "decode.int.udp-ports=1", "--hex", hex)
                        .out())
                .doesNotContain("\"hops\"");
    }

    @Test
    void aFileThatCannotBeReadIsOneLineWithStatusOne() throws IOException {
        Files.writeString(directory.resolve("notes.txt"), "no capture");
        Program program = new Program().in(directory);

        Ended missing = program.with("decode", "missing.pcap");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).endsWith("missing.pcap: no such file\n").hasLineCount(1);
        Ended text = program.with("check", "notes.txt");
        assertThat(text.status()).isEqualTo(1);
        assertThat(text.err()).contains("not a capture file").hasLineCount(1);
    }

    @Test
    void whatCameBeforeTheCutIsPrinted() throws IOException {
        byte[] r7 = GoldenVectors.bytes("R7");
        byte[] whole = new CaptureFile().datagram(3, r7).datagram(3, r7).bytes();
        Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 10));
        Program program = new Program().in(directory);

        Ended decoded = program.with("decode", "-o", "json", "cut.pcap");
        assertThat(decoded.status()).isEqualTo(1);
        assertThat(decoded.lines()).hasSize(1);
        assertThat(decoded.err()).startsWith("pathlore: ").contains("cut.pcap").hasLineCount(1);
        Ended checked = program.with("check", "cut.pcap");
        assertThat(checked.status()).isEqualTo(1);
        assertThat(checked.out()).contains("1 report of 1 exporter follows its spec");
    }

    @Test
    void stdinIsReadLikeAFile() {
        byte[] capture =
                new CaptureFile().datagram(3, GoldenVectors.bytes("R7")).bytes();
        assertThat(new Program()
                        .input(capture)
                        .with("decode", "-o", "json", "-")
                        .lines())
                .hasSize(1)
                .first()
                .asString()
                .contains("\"frame\":1", "\"address\":\"10.0.0.3\"");
    }

    @Test
    void aClosedPipeIsQuiet() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String hex = HexFormat.of().formatHex(GoldenVectors.bytes("R7"));

        for (String format : new String[] {"json", "csv", "text"}) {
            String[] args = {"decode", "-o", format, "--hex", hex};
            assertThat(Main.run(args, InputStream.nullInputStream(), closed, err))
                    .isZero();
        }
        assertThat(Main.run(new String[] {"--help"}, InputStream.nullInputStream(), closed, err))
                .isZero();
        assertThat(err.size()).isZero();
    }

    @Test
    void aFullDiskIsNot() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] args = {"decode", "--hex", HexFormat.of().formatHex(GoldenVectors.bytes("R7"))};

        assertThat(Main.run(args, InputStream.nullInputStream(), full, err)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("pathlore: cannot write the output: No space left on device\n");
    }

    @Test
    void whatIsUnexpectedIsCalledABugAndShowsItsTraceOnDemand() {
        InputStream broken = new InputStream() {
            @Override
            public int read() {
                throw new IllegalStateException("boom");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                throw new IllegalStateException("boom");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(
                broken, new ByteArrayOutputStream(), err, false, false, Map.of(), directory, directory);

        assertThat(Main.run(new String[] {"decode", "-"}, around)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .hasLineCount(1)
                .contains("boom", "this is a bug")
                .doesNotContain("\tat ");
        err.reset();
        Surroundings curious = new Surroundings(
                broken,
                new ByteArrayOutputStream(),
                err,
                false,
                false,
                Map.of("PATHLORE_DEBUG", "1"),
                directory,
                directory);
        Main.run(new String[] {"decode", "-"}, curious);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("\tat ");
    }
}
