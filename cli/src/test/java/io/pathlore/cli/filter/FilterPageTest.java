package io.pathlore.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.analysis.filter.EventSubject;
import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference/filter.md lists every field with what it is and where it exists, and its examples can be written. */
class FilterPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "filter.md");
    /** What is there with a part of it. */
    private static final Map<Field, Field> EITHER = Map.of(Field.IP, Field.SRC, Field.PORT, Field.SPORT);

    private static final Map<String, Set<Field>> WHERE = new LinkedHashMap<>();

    static {
        WHERE.put("reports", ReportSubject.FIELDS);
        WHERE.put("flows", FlowSubject.FIELDS);
        WHERE.put("events", EventSubject.FIELDS);
    }

    private static String page() throws IOException {
        assumeTrue(Files.exists(PAGE));
        return Files.readString(PAGE);
    }

    @Test
    void thePageHasEveryField() throws IOException {
        String page = page();
        for (Field field : Field.values()) {
            List<String> where = new ArrayList<>();
            WHERE.forEach((things, fields) -> {
                if (fields.contains(EITHER.getOrDefault(field, field))) {
                    where.add(things);
                }
            });
            assertThat(page)
                    .contains("| `" + field.text() + "` | " + field.meaning() + " | "
                            + field.type().wanted() + " | " + String.join(", ", where) + " |\n");
        }
        for (int cap : new int[] {Filter.MAX_LENGTH, Filter.MAX_DEPTH, Filter.MAX_TERMS}) {
            assertThat(page).contains(" " + cap + " ");
        }
    }

    @Test
    void theExamplesAreFilters() throws IOException, FilterException {
        Names names = new Names(
                Map.of("leaf-3", List.of(3L), "leaf-4", List.of(4L), "spine-1", List.of(1L)),
                DropReasons.byName(Inventory.EMPTY));
        Matcher examples =
                Pattern.compile("```filter\n(.*?)```", Pattern.DOTALL).matcher(page());
        assertThat(examples.find()).isTrue();
        List<String> all = examples.group(1).lines().toList();
        assertThat(all).hasSizeGreaterThan(5);
        for (String example : all) {
            assertThat(Filter.parse(example, names).fields()).as(example).isNotEmpty();
        }
    }
}
