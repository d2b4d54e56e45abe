package io.pathlore.it.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.analysis.filter.Completion;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.filter.ReportSubject;
import io.pathlore.model.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is a filter, or has a place that is wrong; and a filter can be asked, completed, printed and put to a table. */
class FilterFuzzTest {
    /** Printing may add blanks, brackets and units: what is shorter stays within the caps. */
    private static final int SHORT = 60;

    private static final Names NAMES =
            new Names(Map.of("leaf-3", List.of(3L), "core", List.of(1L, 2L)), Map.of("ACL deny", List.of(80L)));

    private final ReportSubject subject = new ReportSubject().rejected(Fault.TR_EMPTY);

    @MethodSource("io.pathlore.it.fuzz.Seeds#filters")
    @FuzzTest(maxDuration = "10m")
    void readsAnyText(byte[] text) {
        Finding.reporting("filters", text, () -> check(new String(text, StandardCharsets.UTF_8)));
    }

    private void check(String text) throws FilterException {
        Completion.at(text, text.length(), NAMES);
        Completion.at(text, text.length() / 2, NAMES);
        Filter filter;
        try {
            filter = Filter.parse(text, NAMES);
        } catch (FilterException e) {
            assertThat(e.start()).isBetween(0, text.length());
            assertThat(e.render().lines()).hasSize(3);
            return;
        }
        filter.matches(subject);
        if (text.length() <= SHORT) {
            assertThat(Filter.parse(filter.toString(), NAMES)).isEqualTo(filter);
        }
        try {
            filter.toSql(Columns.flows());
        } catch (FilterException e) {
            assertThat(e).hasMessageStartingWith("rows of flows_1m have no ");
        }
    }
}
