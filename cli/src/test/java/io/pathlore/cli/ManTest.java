package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages and completion say what help says, for they are made of the same. */
class ManTest {
    private static final Pattern COMMAND = Pattern.compile("^  ([a-z-]+)  ", Pattern.MULTILINE);
    private static final Pattern OPTION = Pattern.compile("(--[a-z][a-z-]+)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static String help(String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.add("--help");
        Ended ended = new Program().with(words.toArray(String[]::new));
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.out();
    }

    private static Set<String> commands(String help) {
        Set<String> commands = new TreeSet<>();
        Matcher matcher = COMMAND.matcher(help.substring(help.indexOf("Commands:")));
        while (matcher.find()) {
            commands.add(matcher.group(1));
        }
        commands.remove("help");
        return commands;
    }

    private static String plain(Path page) throws IOException {
        return Files.readString(page).replace("\\-", "-").replaceAll("\\\\f[BIR]", "");
    }

    @Test
    void everyCommandOfTheHelpHasAPageWithItsOptions() throws IOException {
        Ended ended = new Program().in(directory).with("man", "man1");
        assertThat(ended.status()).as(ended.err()).isZero();
        Set<String> commands = commands(help());
        assertThat(commands).contains("collect", "mitigate", "completion", "man");
        for (String command : commands) {
            String page = plain(directory.resolve("man1/pathlore-" + command + ".1"));
            assertThat(page).startsWith(".TH \"PATHLORE-" + command.toUpperCase(Locale.ROOT));
            String help = help(command);
            int options = help.indexOf("Options:");
            Matcher option = OPTION.matcher(options < 0 ? "" : help.substring(options));
            while (option.find()) {
                assertThat(page).as(command).contains(option.group(1));
            }
        }
        assertThat(directory.resolve("man1/pathlore-mitigate-audit.1"))
                .as("commands of commands too")
                .exists();
        assertThat(plain(directory.resolve("man1/pathlore.1"))).contains("pathlore-collect(1)", ".SH EXIT STATUS");
    }

    /** A line that begins with a dot is a request; those we make are few. */
    @Test
    void noTextIsTakenForARequest() throws IOException {
        new Program().in(directory).with("man", ".");
        try (Stream<Path> pages = Files.list(directory)) {
            for (Path page : pages.toList()) {
                assertThat(Files.readAllLines(page).stream()
                                .filter(line -> line.startsWith(".") || line.startsWith("'"))
                                .map(line -> line.split(" ", 2)[0])
                                .distinct())
                        .as(page.toString())
                        .isSubsetOf(".TH", ".SH", ".TP", ".PP", ".nf", ".fi");
            }
        }
    }

    @Test
    void completionKnowsEveryCommand() {
        String script = new Program().with("completion").out();
        assertThat(commands(help())).allSatisfy(command -> assertThat(script).contains(command));
        assertThat(script).contains("--comment");
    }
}
