package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.dataplane.traffic.Parameter;
import io.pathlore.dataplane.traffic.TrafficKind;
import io.pathlore.dataplane.traffic.TrafficKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference/scenario.md lists every kind of traffic and fault, and its example is one. */
class ScenarioPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "scenario.md");

    private static String page() throws IOException {
        assumeTrue(Files.exists(PAGE));
        return Files.readString(PAGE);
    }

    @Test
    void thePageHasEveryKindAndParameterOfTraffic() throws IOException {
        String page = page();
        for (TrafficKind kind : TrafficKinds.all()) {
            assertThat(page).contains("| `" + kind.name() + "` | ").contains(kind.summary());
            kind.defaults()
                    .forEach((parameter, text) -> assertThat(page)
                            .contains(text.isEmpty() ? "`" + parameter.key() + "`" : "`" + parameter.key()));
        }
        for (Parameter parameter : Parameter.values()) {
            assertThat(page).contains("| `" + parameter.key() + "` | " + parameter.meaning() + " |");
        }
    }

    @Test
    void thePageHasEveryKindOfFaultWithItsKeys() throws IOException {
        String page = page();
        FaultReader.KEYS.forEach((kind, keys) -> {
            assertThat(page).contains("| `" + kind + "` | ");
            keys.forEach(key -> assertThat(page).containsPattern("`" + key + "[`:]"));
        });
    }

    @Test
    void theExampleIsAScenario() throws IOException {
        Matcher example = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page());
        assertThat(example.find()).isTrue();
        assertThat(ScenarioReader.read("example", example.group(1), "scenario.md")
                        .faults())
                .hasSize(1);
    }
}
