package io.pathlore.store.tables;

import io.pathlore.store.tables.Database.Reader;
import io.pathlore.store.tables.QueryException.Reason;
import io.pathlore.store.tables.SqlGate.Question;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Answers SQL of users. It can ask and nothing else ({@link SqlGate}), on an instance that reaches no file and no setting
 * ({@link Database}), in a transaction that cannot write, for a limited time, with a limited answer. Any thread may ask.
 *
 * <p>The program's own questions ({@link #read}) need no gate, for their text is ours; what users say in them are parameters. The
 * other walls stand for them too.
 */
public final class Queries {
    /** Where the tables are, at this moment. */
    interface Source {
        Database get() throws TableException;
    }

    /** Told of each row of an answer, which is good until it returns. */
    @FunctionalInterface
    public interface RowReader {
        void on(TableRow row) throws SQLException;
    }

    private interface Work<T> {
        T with(Reader reader, long deadline) throws SQLException, QueryException;
    }

    private static final long INSIST_NANOS = 20_000_000;
    /** No name that anybody gives to a column, for then that would be meant. */
    private static final String ROW = "\"the whole row\"";

    private final Source source;
    private final QueryLimits limits;
    private final Semaphore turns;

    Queries(Source source, QueryLimits limits) {
        this.source = source;
        this.limits = limits;
        turns = new Semaphore(limits.atOnce(), true);
    }

    /**
     * Answers one question.
     *
     * @throws QueryException if there is no answer; it says why in one line
     */
    public Answer ask(String sql) throws QueryException, InterruptedException {
        if (sql.length() > limits.questionChars()) {
            throw new QueryException(
                    Reason.REFUSED, "a question of " + sql.length() + " characters; at most " + limits.questionChars());
        }
        return inTurn((reader, deadline) -> answer(reader, sql));
    }

    /**
     * Answers a question of the program's own, row by row, as many as there are.
     *
     * @param sql never anything that a user said
     * @param parameters for its question marks, in order: {@code Long} or {@code String}
     * @throws QueryException if there is no answer, or not all of it: some rows may have been told before
     */
    public void read(String sql, List<?> parameters, RowReader to) throws QueryException, InterruptedException {
        inTurn((reader, deadline) -> {
            beginToRead(reader);
            try (PreparedStatement statement = reader.prepare(sql)) {
                for (int i = 0; i < parameters.size(); i++) {
                    statement.setObject(i + 1, parameters.get(i));
                }
                return tell(statement, to, deadline);
            }
        });
    }

    private long tell(PreparedStatement statement, RowReader to, long deadline) throws SQLException, QueryException {
        try (ResultSet result = statement.executeQuery()) {
            TableRow row = new TableRow(result);
            long told = 0;
            for (; result.next(); told++) {
                // DuckDB has done its part: who tells has to look at the clock too.
                if (System.nanoTime() - deadline > 0) {
                    throw late();
                }
                to.on(row);
            }
            return told;
        }
    }

    private <T> T inTurn(Work<T> work) throws QueryException, InterruptedException {
        long deadline = System.nanoTime() + limits.time().toNanos();
        if (!turns.tryAcquire(limits.time().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new QueryException(Reason.BUSY, "others are asking; try again");
        }
        try {
            return inTime(work, deadline);
        } finally {
            turns.release();
        }
    }

    /** DuckDB works in a thread of its own: a virtual one would keep its carrier from all others until there is an answer. */
    private <T> T inTime(Work<T> work, long deadline) throws QueryException, InterruptedException {
        try (Reader reader = source.get().reader()) {
            FutureTask<T> task = new FutureTask<>(() -> {
                Background.enter();
                return work.with(reader, deadline);
            });
            Thread.ofPlatform().daemon().name("pathlore-query").start(task);
            return await(task, reader, deadline);
        } catch (TableException e) {
            throw new QueryException(Reason.BUSY, TableException.reason(e));
        } catch (SQLException e) {
            throw translated(e, false);
        }
    }

    private <T> T await(FutureTask<T> task, Reader reader, long deadline) throws QueryException, InterruptedException {
        InterruptedException left = null;
        boolean late = false;
        long patience = Math.max(0, deadline - System.nanoTime());
        while (true) {
            try {
                T answer = task.get(patience, TimeUnit.NANOSECONDS);
                if (left != null) {
                    throw left;
                }
                return answer;
            } catch (TimeoutException e) {
                late = left == null;
            } catch (InterruptedException e) {
                left = e;
            } catch (ExecutionException e) {
                if (left != null) {
                    throw left;
                }
                throw translated(e.getCause(), late);
            }
            // One call is not enough: it may come between two statements.
            reader.cancel();
            patience = INSIST_NANOS;
        }
    }

    private Answer answer(Reader reader, String sql) throws SQLException, QueryException {
        Question question = SqlGate.check(reader, sql);
        beginToRead(reader);
        return question.explain() ? plan(reader, question.sql()) : rows(reader, question.sql());
    }

    private static void beginToRead(Reader reader) throws SQLException {
        try (Statement begin = reader.statement()) {
            begin.execute("BEGIN TRANSACTION READ ONLY");
        }
    }

    private Answer rows(Reader reader, String sql) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> finite = new ArrayList<>();
        // In a row of its own even of two columns with one name each has another.
        try (PreparedStatement names = reader.prepare("SELECT * FROM (" + sql + ")")) {
            ResultSetMetaData about = names.getMetaData();
            for (int i = 1; i <= about.getColumnCount(); i++) {
                columns.add(about.getColumnName(i));
                if (about.getColumnType(i) == Types.DOUBLE || about.getColumnType(i) == Types.FLOAT) {
                    String name = quoted(about.getColumnName(i));
                    finite.add("CASE WHEN isfinite(" + name + ") THEN " + name + " END AS " + name);
                }
            }
        }
        // JSON knows no number that is not one.
        String asked = "SELECT *" + (finite.isEmpty() ? "" : " REPLACE (" + String.join(", ", finite) + ")") + " FROM ("
                + sql + ")";
        // DuckDB itself stops giving away text at the limits: the driver puts all of an answer on our heap.
        String limited =
                "SELECT CASE WHEN sum(strlen(answer)) OVER (ROWS UNBOUNDED PRECEDING) <= " + limits.answerBytes()
                        + " THEN answer END FROM (SELECT CAST(to_json(" + ROW + ") AS VARCHAR) AS answer FROM (" + asked
                        + ") AS "
                        + ROW + ") LIMIT " + (limits.rows() + 1L);
        List<String> rows = new ArrayList<>();
        try (Statement statement = reader.statement();
                ResultSet row = statement.executeQuery(limited)) {
            while (row.next()) {
                String answer = row.getString(1);
                if (answer == null || rows.size() == limits.rows()) {
                    return new Answer(columns, rows, true);
                }
                rows.add(answer);
            }
        }
        return new Answer(columns, rows, false);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private Answer plan(Reader reader, String sql) throws SQLException {
        List<String> plans = new ArrayList<>();
        try (Statement statement = reader.statement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                plans.add(row.getString(2));
            }
        }
        List<String> rows = new ArrayList<>();
        for (String plan : plans) {
            try (PreparedStatement statement = reader.prepare("SELECT CAST(to_json({'plan': ?}) AS VARCHAR)")) {
                statement.setString(1, plan);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    rows.add(row.getString(1));
                }
            }
        }
        return new Answer(List.of("plan"), rows, false);
    }

    private QueryException translated(@Nullable Throwable e, boolean late) {
        if (e instanceof QueryException known) {
            return known;
        }
        if (!(e instanceof SQLException)) {
            throw new IllegalStateException(e);
        }
        String line = TableException.reason(e);
        if (late) {
            return late();
        }
        if (line.contains("Out of Memory")) {
            return new QueryException(Reason.TOO_MUCH, "the answer takes more memory than there is; ask for less");
        }
        if (line.contains("INTERRUPT")) {
            return new QueryException(Reason.BUSY, "stopped, because the tables had to be closed; try again");
        }
        return new QueryException(line.contains("Permission Error") ? Reason.REFUSED : Reason.WRONG, line);
    }

    private QueryException late() {
        return new QueryException(
                Reason.TOO_MUCH, "no answer within " + limits.time().toMillis() + " ms; ask for less");
    }
}
