package io.pathlore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./pathlore} on a copy of the checkout that was never built, in a directory with a space in its name. */
class LauncherIT {
    private static final Path ROOT = Path.of(System.getProperty("pathlore.root", ".."));
    private static final String VERSION = System.getProperty("pathlore.version", "");
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "test", "docs");
    private static final Path NOWHERE = Path.of("/proc/nowhere");
    private static final long DEADLINE_MINUTES = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    private record Started(Process process, Path out, Path err) {}

    private record Ended(int status, String out, String err) {}

    private static Path checkout() {
        return temp.resolve("a checkout");
    }

    @BeforeAll
    static void twoStartedAtOnceBuildOnceAndBothRun() throws Exception {
        copy(ROOT, checkout());
        Started one = start(checkout().resolve("pathlore"), Map.of());
        Started two = start(checkout().resolve("pathlore"), Map.of());
        Ended first = end(one);
        Ended second = end(two);

        assertThat(first.status).as(first.err).isZero();
        assertThat(second.status).as(second.err).isZero();
        assertThat(first.out).isEqualTo(second.out).contains(VERSION);
        assertThat(Stream.of(first.err, second.err).filter(err -> err.contains("building (")))
                .hasSize(1);
    }

    @Test
    void startsThroughASymbolicLinkWithoutBuildingAgain() throws Exception {
        Path link = Files.createSymbolicLink(temp.resolve("link"), checkout().resolve("pathlore"));
        Ended ended = end(start(link, Map.of()));

        assertThat(ended.status).as(ended.err).isZero();
        assertThat(ended.out).contains(VERSION);
        assertThat(ended.err).isEmpty();
    }

    @Test
    void showsWhatDoesNotCompileAndRunsAgainOnceItIsGone() throws Exception {
        Path broken = checkout().resolve("cli/src/main/java/io/pathlore/cli/Broken.java");
        Files.writeString(broken, "package io.pathlore.cli;\n\nclass Broken extends Missing {}\n");
        Ended failed = end(start(checkout().resolve("pathlore"), Map.of()));
        Files.delete(broken);
        Ended mended = end(start(checkout().resolve("pathlore"), Map.of()));

        assertThat(failed.status).isEqualTo(1);
        assertThat(failed.out).isEmpty();
        assertThat(failed.err).contains("Broken.java", "the build failed");
        assertThat(mended.status).as(mended.err).isZero();
        assertThat(mended.err).isEmpty();
    }

    @Test
    void saysInOneLineThatTheJavaItWasGivenWillNotDo() throws Exception {
        Ended ended = end(start(checkout().resolve("pathlore"), Map.of("PATHLORE_JAVA", NOWHERE.toString())));

        assertThat(ended.status).isEqualTo(1);
        assertThat(ended.err).isEqualTo("pathlore: PATHLORE_JAVA=" + NOWHERE + " is not a JDK 25 or later\n");
    }

    /** From another directory, offline, and with a home that cannot be written to: all but Maven's repository. */
    private static Started start(Path script, Map<String, String> environment) throws IOException {
        Path out = Files.createTempFile(temp, "out", "");
        Path err = Files.createTempFile(temp, "err", "");
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version")
                .directory(temp.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PATHLORE_"));
        builder.environment().put("HOME", NOWHERE.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_ARGS", "-o -Dmaven.repo.local=" + System.getProperty("pathlore.repository"));
        builder.environment().put("MAVEN_OPTS", "-Duser.home=" + NOWHERE);
        builder.environment().putAll(environment);
        return new Started(builder.start(), out, err);
    }

    private static Ended end(Started started) throws Exception {
        assertThat(started.process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)).isTrue();
        return new Ended(started.process.exitValue(), Files.readString(started.out), Files.readString(started.err));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                if (LEFT_OUT.contains(dir.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(dir)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
