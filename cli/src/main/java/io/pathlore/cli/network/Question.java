package io.pathlore.cli.network;

import io.pathlore.analysis.filter.Sql;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.QueryException;
import java.util.ArrayList;
import java.util.List;

/** SQL of our own under construction. What a user said is a parameter, never text. */
final class Question {
    private final StringBuilder text = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();

    static Question of(String text, Object... values) {
        return new Question().add(text, values);
    }

    /** With one value, a {@code Long} or {@code String}, for each question mark. */
    Question add(String more, Object... values) {
        text.append(more).append(' ');
        parameters.addAll(List.of(values));
        return this;
    }

    Question add(Question more) {
        text.append(more.text);
        parameters.addAll(more.parameters);
        return this;
    }

    Question add(Sql condition) {
        text.append(condition.text()).append(' ');
        parameters.addAll(condition.parameters());
        return this;
    }

    void ask(Queries queries, Queries.RowReader to) throws Problem {
        try {
            queries.read(text.toString(), parameters, to);
        } catch (QueryException e) {
            String why = String.valueOf(e.getMessage());
            switch (e.reason()) {
                case BUSY -> throw new Problem(503, why);
                case TOO_MUCH -> throw new Problem(422, why + ": a shorter time, or a filter");
                case WRONG, REFUSED -> throw new IllegalStateException(why, e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "the server is stopping");
        }
    }
}
