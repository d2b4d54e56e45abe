package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;

/**
 * The time that is asked about in round steps, to be drawn.
 *
 * @param length of a step, in nanoseconds
 * @param first when the first begins
 */
record Steps(Asked asked, long length, long first, int points) {
    static final Parameter POINTS = Parameter.number("points", "steps at most", 1, 2_000, 300);
    private static final long[] ROUND = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400
    };

    /** So many at most. */
    static Steps of(Asked asked, int most) {
        long length = round(asked.span().until() - asked.span().since(), most);
        long first = Math.floorDiv(asked.span().since(), length) * length;
        return new Steps(asked, length, first, (int) Math.ceilDiv(asked.span().until() - first, length));
    }

    /** The least of the round ones with which so many points are enough; beyond the last of them, days. */
    private static long round(long nanos, int points) {
        for (long seconds : ROUND) {
            if (nanos <= seconds * Span.SECOND * points) {
                return seconds * Span.SECOND;
            }
        }
        long day = ROUND[ROUND.length - 1] * Span.SECOND;
        return Math.ceilDiv(Math.ceilDiv(nanos, points), day) * day;
    }

    /**
     * Rows of the queues that match the filter, with the number of their step as {@code step}. A step of a minute or more is made of minutes
     * where there are any; a shorter one only of seconds.
     */
    Question rows(String columns) throws Problem {
        Question question = Question.of("SELECT epoch_ns(time) // ? AS step, " + columns + " FROM", length);
        if (length >= Span.MINUTE) {
            question.add(asked.span().hops()).add("WHERE true");
        } else {
            question.add("hops_1s WHERE").add(asked.span().seconds());
        }
        if (asked.parameters().containsKey("filter")) {
            question.add("AND (").add(asked.filter(Columns.hops("queues"))).add(")");
        }
        return question;
    }

    /** Which of the steps a row is of, from 0; -1 where it is of none. */
    int at(TableRow row) throws SQLException {
        long at = row.number("step") - first / length;
        return at >= 0 && at < points ? (int) at : -1;
    }

    /** What is not known is null. */
    static void number(ArrayNode to, long value) {
        if (value == Row.ABSENT) {
            to.addNull();
        } else {
            to.add(value);
        }
    }
}
