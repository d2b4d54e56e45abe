package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CsvPrinterTest {
    @Test
    void quotesOnlyWhatNeedsIt() {
        assertThat(CsvPrinter.quoted("")).isEmpty();
        assertThat(CsvPrinter.quoted("a b;c")).isEqualTo("a b;c");
        assertThat(CsvPrinter.quoted("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvPrinter.quoted("say \"no\"")).isEqualTo("\"say \"\"no\"\"\"");
        assertThat(CsvPrinter.quoted("two\nlines")).isEqualTo("\"two\nlines\"");
        assertThat(CsvPrinter.quoted("two\rlines")).isEqualTo("\"two\rlines\"");
    }

    @Test
    void aNameIsNoFormula() {
        assertThat(CsvPrinter.cell("=HYPERLINK(\"http://x\",\"y\")"))
                .isEqualTo("\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
        for (String start : new String[] {"=", "+", "-", "@", "\t"}) {
            assertThat(CsvPrinter.cell(start + "1")).isEqualTo("'" + start + "1");
        }
        assertThat(CsvPrinter.cell("\r1")).isEqualTo("\"'\r1\"");
        assertThat(CsvPrinter.cell("leaf-1")).isEqualTo("leaf-1");
        assertThat(CsvPrinter.cell("")).isEmpty();
    }
}
