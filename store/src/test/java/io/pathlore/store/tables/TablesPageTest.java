package io.pathlore.store.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference page says what the tables are, and its examples work. */
class TablesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "tables.md");
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\| ([A-Z_]+(?:\\[])?) \\|", Pattern.MULTILINE);
    private static final Pattern EXAMPLE = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

    private static String section(Table table) throws Exception {
        for (String section : Files.readString(PAGE).split("\n## ", -1)) {
            String title = section.lines().findFirst().orElse("");
            if (List.of(title.split(", ", -1)).contains(table.label())) {
                return section;
            }
        }
        return "";
    }

    @Test
    void namesEveryColumnWithItsTypeInOrder() throws Exception {
        for (Table table : Table.values()) {
            List<String> told = new ArrayList<>();
            for (Matcher row = ROW.matcher(section(table)); row.find(); ) {
                told.add('"' + row.group(1) + "\" " + row.group(2));
            }
            assertThat(told)
                    .as(table.label())
                    .isEqualTo(table.columns().stream().map(Column::definition).toList());
        }
    }

    @Test
    void showsAnExampleOfEachThatIsAnswered(@TempDir Path directory) throws Exception {
        try (TableStore store = TableStore.open(directory, TableOptions.DEFAULT, line -> {})) {
            for (Table table : Table.values()) {
                assertThat(store.append(List.of(Rows.full(table), Rows.unknown(table))))
                        .isTrue();
            }
            assertThat(store.mark(Rows.START, Map.of())).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
            Queries queries = store.queries(QueryLimits.DEFAULT);
            for (Table table : Table.values()) {
                Matcher example = EXAMPLE.matcher(section(table));
                assertThat(example.find()).as(table.label()).isTrue();
                assertThat(queries.ask(example.group(1)).columns())
                        .as(table.label())
                        .isNotEmpty();
            }
        }
    }
}
