package io.pathlore.mitigate.audit;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.mitigate.audit.AuditLog.Act;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.Property;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
    private static final long TIME = 1_800_000_000_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("audit.jsonl");
        try (AuditLog log = new AuditLog(file)) {
            for (int i = 0; i < 20; i++) {
                assertThat(log.append(act(i))).isTrue();
            }
        }
    }

    private static Act act(int number) {
        return new Act(
                TIME + number, "ann", "approved", "a flood of number " + number, "00000000000a77ac", "m" + number);
    }

    @Test
    void anybodyCanReadIt() throws IOException {
        assertThat(Json.object(Files.readAllLines(file).getFirst()))
                .containsEntry("line", 1L)
                .containsEntry("time", "2027-01-15T08:00:00.000000000Z")
                .containsEntry("who", "ann")
                .containsEntry("what", "approved")
                .containsEntry("why", "a flood of number 0")
                .containsEntry("attack", "00000000000a77ac")
                .containsEntry("mitigation", "m0")
                .containsKey("hash");
    }

    @Test
    void whatAPersonSaidIsAKeyOfItsOwnUnderTheHash() throws IOException {
        try (AuditLog log = new AuditLog(file)) {
            log.append(new Act(TIME, "ann", "approved", "a flood", "00000000000a77ac", "m1", "called \"them\" first"));
            assertThat(Json.object(log.tail(1, Long.MAX_VALUE, "00000000000a77ac", "m1")
                            .getFirst()))
                    .containsEntry("comment", "called \"them\" first");
            assertThat(Json.object(log.tail(2).getFirst())).doesNotContainKey("comment");
        }
        assertThat(AuditCheck.of(file).holds()).isTrue();
        Files.writeString(file, Files.readString(file).replace("called", "caller"));
        assertThat(AuditCheck.of(file).holds()).isFalse();
    }

    /** Computed with {@code sha256sum}, over 64 zeros and the line up to its hash. */
    @Test
    void theHashIsWhatTheReferencePageSays() {
        assertThat(AuditLog.hash("0".repeat(64), "{\"line\":1"))
                .isEqualTo("57a9ea27b687c42b982e77bf5167a4928652248afd80a885964ea6b87befeee7");
    }

    @Test
    void goesOnWhereTheLastProcessStopped() throws IOException {
        try (AuditLog log = new AuditLog(file)) {
            assertThat(log.lines()).isEqualTo(20);
            log.append(act(20));
            assertThat(log.tail(2)).hasSize(2).last().asString().contains("\"line\":21");
            assertThat(AuditCheck.of(file)).isEqualTo(new AuditCheck(21, log.last(), null));
        }
    }

    @Test
    void canBeAskedForOneAttackOrMitigation() throws IOException {
        try (AuditLog log = new AuditLog(file)) {
            log.append(new Act(
                    TIME, "ann", "approved", "says \",\"attack\":\"0000000000000b0b\",\"", "00000000000a77ac", "m1"));
            log.append(new Act(TIME, "ann", "withdrawn", "", "0000000000000b0b", "m1"));
            assertThat(log.tail(100, Long.MAX_VALUE, "0000000000000b0b", ""))
                    .singleElement()
                    .asString()
                    .contains("withdrawn");
            assertThat(log.tail(100, Long.MAX_VALUE, "00000000000a77ac", "m1"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("says");
            assertThat(log.tail(1, Long.MAX_VALUE, "", "m1"))
                    .singleElement()
                    .asString()
                    .contains("withdrawn");
            long last = AuditLog.numberOf(log.tail(1).getFirst());
            assertThat(log.tail(1, last, "", "m1")).singleElement().asString().contains("approved");
        }
    }

    @Test
    void takesAwayALineThatACrashCutShort() throws IOException {
        Files.writeString(file, "{\"line\":21,\"time\":\"20", StandardOpenOption.APPEND);
        assertThat(AuditCheck.of(file).problem()).isEqualTo("line 21 is cut short");
        try (AuditLog log = new AuditLog(file)) {
            log.append(act(20));
        }
        assertThat(AuditCheck.of(file).holds()).isTrue();
        assertThat(AuditCheck.of(file).lines()).isEqualTo(21);
    }

    @Test
    void noTextOfOthersBreaksALine() throws IOException {
        try (AuditLog log = new AuditLog(file)) {
            log.append(new Act(TIME, "a\"\n{", "\u2028\r\n", "\\\"}\n".repeat(1000), "", ""));
        }
        assertThat(AuditCheck.of(file).holds()).isTrue();
        assertThat(AuditCheck.of(file).lines()).isEqualTo(21);
    }

    /** Any octet changed. */
    @Test
    void anyChangeIsFound() throws IOException {
        byte[] good = Files.readAllBytes(file);
        forAll(400, RandomGenerator::nextLong, seed -> {
            RandomGenerator random = Property.random(seed, 0);
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            Path forged = Files.write(directory.resolve("forged"), bad);
            assertThat(AuditCheck.of(forged).holds()).isFalse();
        });
    }

    @Test
    void aLineThatIsLeftOutPutInOrMovedIsFound() throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> without = new ArrayList<>(lines);
        without.remove(7);
        assertThat(check(without)).isEqualTo("line 8 is not the one that should follow");
        List<String> twice = new ArrayList<>(lines);
        twice.add(8, lines.get(7));
        assertThat(check(twice)).isEqualTo("line 9 is not the one that should follow");
        List<String> swapped = new ArrayList<>(lines);
        Collections.swap(swapped, 3, 4);
        assertThat(check(swapped)).isEqualTo("line 4 is not the one that should follow");
        List<String> renamed = new ArrayList<>(lines);
        renamed.set(5, lines.get(5).replace("ann", "bob"));
        assertThat(check(renamed)).isEqualTo("line 6 does not hold with the line before it");
        List<String> bare = new ArrayList<>(lines);
        bare.set(5, "{\"line\":6}");
        assertThat(check(bare)).isEqualTo("line 6 has no hash");
        assertThat(check(lines)).isNull();
    }

    /** That the end was cut off is seen by whoever wrote down where it was. */
    @Test
    void aMissingEndChangesTheLastHash() throws IOException {
        List<String> lines = Files.readAllLines(file);
        String whole = AuditCheck.of(file).last();
        Path forged = directory.resolve("forged");
        Files.write(forged, lines.subList(0, 19), StandardCharsets.UTF_8);
        assertThat(AuditCheck.of(forged).holds()).isTrue();
        assertThat(AuditCheck.of(forged).last()).isNotEqualTo(whole);
    }

    private @Nullable String check(List<String> lines) throws IOException {
        Path forged = directory.resolve("forged");
        Files.write(forged, lines, StandardCharsets.UTF_8);
        return AuditCheck.of(forged).problem();
    }
}
