package io.pathlore.mitigate.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference page and the code say the same of what may follow what. */
class StatePageTest {
    private static final Pattern ROW = Pattern.compile("\\| `([a-z]+)` \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern WORD = Pattern.compile("`([a-z]+)`");

    @Test
    void thePageHasEveryTransition() throws Exception {
        Set<String> written = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/reference/mitigation.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && isState(row.group(1))) {
                Matcher next = WORD.matcher(row.group(2));
                while (next.find()) {
                    written.add(row.group(1) + " -> " + next.group(1));
                }
            }
        }
        Set<String> real = new TreeSet<>();
        for (State from : State.values()) {
            for (State to : State.values()) {
                if (from.mayBecome(to)) {
                    real.add(from.label() + " -> " + to.label());
                }
            }
        }
        assertThat(written).isEqualTo(real).isNotEmpty();
    }

    private static boolean isState(String word) {
        for (State state : State.values()) {
            if (state.label().equals(word)) {
                return true;
            }
        }
        return false;
    }
}
