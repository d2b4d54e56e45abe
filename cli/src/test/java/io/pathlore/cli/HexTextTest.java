package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import org.junit.jupiter.api.Test;

class HexTextTest {
    @Test
    void takesWhatPeoplePaste() {
        String[] same = {
            "20400005", "2040 0005", "20:40:00:05", "0x20400005", "0x20, 0x40, 0x00, 0x05", "20 40\n# comment 12\n00 05"
        };
        for (String text : same) {
            assertThat(Hex.text(HexText.parse(text))).as(text).isEqualTo("20400005");
        }
        assertThat(HexText.parse("")).isEmpty();
    }
}
