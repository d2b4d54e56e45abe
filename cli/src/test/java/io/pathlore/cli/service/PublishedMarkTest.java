package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedMarkTest {
    private static final long EDGE = 0xFEDC_BA98_7654_3210L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void isThereAgainForTheSameJournalOnly() throws IOException {
        PublishedMark mark = PublishedMark.in(directory.resolve("kafka"), PublishedMark.DATAGRAMS);
        assertThat(mark.positionOf(EDGE)).isEqualTo(PublishedMark.NONE);
        mark.keep(EDGE, 7);
        mark.keep(EDGE, Long.MAX_VALUE);
        assertThat(directory.resolve("kafka/published"))
                .hasContent("edge fedcba9876543210 position 9223372036854775807");

        PublishedMark again = PublishedMark.in(directory.resolve("kafka"), PublishedMark.DATAGRAMS);
        assertThat(again.positionOf(EDGE)).isEqualTo(Long.MAX_VALUE);
        assertThat(again.positionOf(EDGE + 1)).isEqualTo(PublishedMark.NONE);
    }

    @Test
    void isNotGuessed() throws IOException {
        for (String text :
                new String[] {"", "edge 1 position 2\n", "edge fedcba9876543210 position 9999999999999999999\n"}) {
            Files.writeString(directory.resolve("published"), text);
            assertThatThrownBy(() -> PublishedMark.in(directory, PublishedMark.DATAGRAMS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not what was written there");
        }
    }
}
