package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/reference/configuration.md lists every key with the default it has. */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");
    private static final String DOMAINS = "decode.domains";

    @Test
    void thePageHasEveryKeyWithItsDefault() throws IOException {
        assumeTrue(Files.exists(PAGE));
        String page = Files.readString(PAGE);
        Map<String, String> defaults = new LinkedHashMap<>();
        collect(ConfigLoader.defaults(), "", defaults);

        assertThat(defaults).hasSizeGreaterThan(50);
        defaults.forEach((key, value) -> assertThat(page).contains("| `" + key + "` | " + value + " |"));
    }

    private static void collect(Section section, String path, Map<String, String> into) {
        section.entries().forEach((key, value) -> {
            String keyPath = path.isEmpty() ? key : path + "." + key;
            if (keyPath.equals(DOMAINS)) {
                into.put(keyPath, "one domain");
            } else if (value instanceof Section inner && !inner.entries().isEmpty()) {
                collect(inner, keyPath, into);
            } else {
                into.put(keyPath, "`" + text(value) + "`");
            }
        });
    }

    private static String text(Setting setting) {
        return switch (setting) {
            case Scalar scalar -> String.valueOf(scalar.text());
            case Items items ->
                items.items().stream().map(ConfigurationPageTest::text).collect(Collectors.joining(", ", "[", "]"));
            case Section section -> "{}";
        };
    }
}
