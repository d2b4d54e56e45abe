package io.pathlore.cli;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Captures come from strangers: whatever is in them, the program ends with a status it documents and no trace. */
class AnyInputTest {
    private static final int CASES = 60;
    private static final List<List<String>> COMMANDS = List.of(
            List.of("decode"),
            List.of("decode", "-o", "json"),
            List.of("decode", "-o", "csv", "--strict"),
            List.of("decode", "-x"),
            List.of("decode", "-v", "--packets"),
            List.of("check", "-x"),
            List.of("check", "-o", "json", "--packets"));

    @Test
    void neverFailsInAWayNobodyPlanned() {
        List<byte[]> datagrams = new ArrayList<>();
        GoldenVectors.all().forEach(vector -> datagrams.add(vector.bytes()));
        List<byte[]> frames = new ArrayList<>();
        for (String name : Captures.names()) {
            Captures.frames(name).forEach(frame -> frames.add(frame.bytes()));
        }
        forAll(CASES, r -> capture(r, datagrams, frames), capture -> {
            for (List<String> command : COMMANDS) {
                List<String> args = new ArrayList<>(command);
                args.add("-");
                Ended ended = new Program().input(capture).with(args.toArray(String[]::new));
                assertThat(ended.status()).as("%s: %s", args, ended.err()).isIn(0, 1, 3);
                assertThat(ended.err()).as("%s", args).doesNotContain("bug", "\tat ");
            }
        });
    }

    private static byte[] capture(RandomGenerator random, List<byte[]> datagrams, List<byte[]> frames) {
        CaptureFile file = new CaptureFile();
        for (int i = random.nextInt(40); i > 0; i--) {
            if (random.nextBoolean()) {
                file.datagram(random.nextInt(4), mutated(random, datagrams.get(random.nextInt(datagrams.size()))));
            } else {
                file.frame(mutated(random, frames.get(random.nextInt(frames.size()))));
            }
        }
        byte[] bytes = file.bytes();
        return random.nextInt(4) == 0 ? mutated(random, bytes) : bytes;
    }

    private static byte[] mutated(RandomGenerator random, byte[] seed) {
        byte[] bytes = seed.clone();
        for (int i = random.nextInt(6); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    }
}
