package io.pathlore.cli;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void writesNumbersAsJavaDoes() {
        forAll(r -> r.nextLong() >> r.nextInt(64), value -> {
            assertThat(new Text().decimal(value).toString()).isEqualTo(Long.toUnsignedString(value));
            assertThat(new Text().hex(value).toString()).isEqualTo(Long.toHexString(value));
        });
    }

    @Test
    void writesTimesAsJavaDoes() {
        DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
                .withZone(ZoneOffset.UTC);
        forAll(r -> r.nextLong(), nanos -> {
            Instant instant = Instant.ofEpochSecond(0, nanos);
            assertThat(new Text().timestamp(nanos).toString()).isEqualTo(format.format(instant));
        });
    }

    @Test
    void knowsItsColumnWhateverTheColours() {
        Text text = new Text()
                .add("ab\ncd")
                .ink("\u001b[31m")
                .add('e')
                .add("…")
                .decimal(12)
                .hex(255);
        assertThat(text.column()).isEqualTo(8);
        assertThat(text.to(10).column()).isEqualTo(10);
        assertThat(text.toString()).isEqualTo("ab\ncd\u001b[31me…12ff  ");
    }

    @Test
    void growsAsNeeded() {
        Text text = new Text();
        for (int i = 0; i < 1000; i++) {
            text.add("0123456789");
        }
        assertThat(text.length()).isEqualTo(10_000);
    }
}
