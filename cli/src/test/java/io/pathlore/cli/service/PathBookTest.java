package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Paths beyond number, invented or real: the book does not grow, and those that are asked for stay. */
class PathBookTest {
    private static final int CAPACITY = 1_000;

    @Test
    void tenThousandPathsTakeTheRoomThereIs() {
        invent(10_000);
    }

    @Test
    @Tag("slow")
    void aMillionPathsTakeTheRoomThereIs() {
        invent(1_000_000);
    }

    private static void invent(int paths) {
        PathBook book = new PathBook(CAPACITY);
        book.takes(-1, List.of(1L, 2L, 3L), true);
        for (int i = 0; i < paths; i++) {
            book.takes(i, List.of((long) i, 7L), false);
            if (i % 100 == 0) {
                PathBook.Known used = book.of(0, -1);
                assertThat(used).isNotNull();
                assertThat(used.nodes).containsExactly(1L, 2L, 3L);
            }
            assertThat(book.size()).isLessThanOrEqualTo(CAPACITY);
        }
        assertThat(book.forgotten()).isBetween(paths - (long) CAPACITY, (long) paths);
        assertThat(book.of(0, paths - 1L)).isNotNull();
        assertThat(book.of(0, 0)).isNull();
    }
}
