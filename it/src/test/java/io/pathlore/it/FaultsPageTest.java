package io.pathlore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The reference page of names is made from the names. */
class FaultsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "faults.md");

    @Test
    void listsEveryNameThereIs() throws IOException {
        String expected = page();
        if (Boolean.getBoolean("pathlore.rewrite")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE))
                .as("rewrite it with -Dpathlore.rewrite=true")
                .isEqualTo(expected);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Names of faults and quirks

                The only names there are: in `error`, in `warnings`, in `pathlore check`, in metrics and logs. Where several apply, the first
                of its level in this order of tests is named: datagram, report, TLV; packet from the outside in; INT shim, header, stack.

                ## Faults

                What is lost: *drop* the datagram; *rest* this report and all behind it; *report* this report; *int* this INT header, and the
                packet behind it; *part* only what could not be read. Faults marked *strict* are only warned of in lenient decoding.

                | Name | Loses | Strict | What is wrong | Clause |
                |---|---|---|---|---|
                """);
        for (Fault fault : Fault.values()) {
            if (fault != Fault.NONE) {
                page.append("| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                                fault.name(),
                                fault.action().name().toLowerCase(Locale.ROOT),
                                fault.strictOnly() ? "strict" : "",
                                fault.meaning(),
                                fault.clause()));
            }
        }
        page.append("""

                ## Quirks

                Departures known from the field, which lenient decoding repairs. [spec-notes](../spec-notes.md) says how.

                | Name | What differs | Clause |
                |---|---|---|
                """);
        for (Quirk quirk : Quirk.values()) {
            page.append("| %s | %s | %s |\n".formatted(quirk.label(), quirk.meaning(), quirk.clause()));
        }
        return page.toString();
    }
}
