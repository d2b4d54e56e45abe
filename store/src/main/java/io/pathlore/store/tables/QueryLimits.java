package io.pathlore.store.tables;

import java.time.Duration;

/**
 * What one question may take. Memory is that of the tables, {@link TableOptions#memoryBytes}.
 *
 * @param time to answer, waiting for others included
 * @param rows of an answer; what is behind them is left out
 * @param answerBytes of an answer; what is behind them is left out
 * @param questionChars of the question itself
 * @param atOnce questions that are answered at the same time; others wait
 */
public record QueryLimits(Duration time, int rows, long answerBytes, int questionChars, int atOnce) {
    public static final QueryLimits DEFAULT = new QueryLimits(Duration.ofSeconds(10), 10_000, 16L << 20, 64 << 10, 2);

    public QueryLimits {
        if (time.isNegative() || time.isZero() || rows < 1 || answerBytes < 1 || questionChars < 1 || atOnce < 1) {
            throw new IllegalArgumentException("time=" + time + " rows=" + rows + " answerBytes=" + answerBytes
                    + " questionChars=" + questionChars + " atOnce=" + atOnce + "; at least 1");
        }
    }
}
