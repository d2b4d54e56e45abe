package io.pathlore.cli.network;

import io.pathlore.analysis.filter.Columns;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Sql;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Quantities;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.model.TimeText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Request;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.Row;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one request asks for: the parameters that all of these routes have, and where the answer is found.
 *
 * @param after what the cursor says the last page ended with; empty on the first page
 */
record Asked(Queries queries, Labels labels, Span span, int limit, List<String> after, Map<String, String> parameters) {
    private static final int MAX_LIMIT = 10_000;
    private static final int MAX_CURSOR_LENGTH = 256;
    private static final long DEFAULT_SPAN = Duration.ofMinutes(5).toNanos();
    /** Room for a minute or an hour more. */
    private static final long MAX_TIME = Long.MAX_VALUE - Duration.ofDays(1).toNanos();

    private static final Pattern DURATION = Pattern.compile("[0-9.]+ ?[A-Za-z]+");

    /** A cursor fixes the time: what a list is of does not move while somebody turns its pages. */
    static Asked of(Request request, NetworkRoutes.Source source) throws Problem {
        Map<String, String> query = request.query();
        Queries queries = source.queries();
        List<String> cursor = cursor(query.get("cursor"));
        long until;
        long since;
        if (cursor.isEmpty()) {
            long newest = Span.newest(queries);
            until = time(query, "until", newest == Row.ABSENT ? source.nowNanos() : newest, 0);
            since = time(query, "since", until, DEFAULT_SPAN);
        } else {
            since = number(cursor.get(0));
            until = number(cursor.get(1));
        }
        since = Math.max(since, 0);
        if (since >= until || until > MAX_TIME) {
            throw new Problem(400, "since: is not before until");
        }
        return new Asked(
                queries,
                new Labels(source.inventory()),
                Span.of(since, until, queries),
                query.containsKey("limit") ? request.number("limit") : MAX_LIMIT,
                cursor.isEmpty() ? cursor : cursor.subList(2, cursor.size()),
                query);
    }

    /** RFC 3339, or so long before {@code end}. */
    private static long time(Map<String, String> query, String name, long end, long otherwise) throws Problem {
        String text = query.get(name);
        if (text == null) {
            return end - otherwise;
        }
        try {
            if (text.equals("now")) {
                return end;
            }
            if (DURATION.matcher(text).matches()) {
                return end - Quantities.nanos(text);
            }
        } catch (IllegalArgumentException e) {
            throw new Problem(400, name + ": " + e.getMessage());
        }
        Long nanos = TimeText.parse(text);
        if (nanos == null) {
            throw new Problem(400, name + ": a time like 5m (before the end) or 2026-11-15T18:00:00Z");
        }
        return nanos;
    }

    // Cursors
    // --------------------------------------------------------------------------------------------------------------

    private static List<String> cursor(@Nullable String text) throws Problem {
        if (text == null) {
            return List.of();
        }
        List<String> parts = List.of();
        if (text.length() <= MAX_CURSOR_LENGTH) {
            try {
                parts = List.of(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", -1));
            } catch (IllegalArgumentException e) {
                throw foreign();
            }
        }
        if (parts.size() < 3) {
            throw foreign();
        }
        return parts;
    }

    private static Problem foreign() {
        return new Problem(400, "cursor: not one that this server gave out");
    }

    private static long number(String text) throws Problem {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw foreign();
        }
    }

    /** From where the last page ended. */
    long afterNumber(int index) throws Problem {
        if (index >= after.size()) {
            throw foreign();
        }
        return number(after.get(index));
    }

    String afterText(int index) throws Problem {
        if (index >= after.size()) {
            throw foreign();
        }
        return after.get(index);
    }

    /** Where the next page begins. */
    String cursor(Object... last) {
        StringBuilder text =
                new StringBuilder().append(span.since()).append(' ').append(span.until());
        for (Object key : last) {
            text.append(' ').append(key);
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    // Filters
    // --------------------------------------------------------------------------------------------------------------

    Sql filter(Columns columns) throws Problem {
        try {
            return Filter.parse(parameters.getOrDefault("filter", ""), InventoryNames.of(labels.inventory()))
                    .toSql(columns);
        } catch (FilterException e) {
            throw new Problem(400, "filter: " + e.getMessage(), e.place());
        }
    }

    /** Of groups of rows: one row that matches is enough, and what is told of the group is of all of them. */
    Question having(Columns columns) throws Problem {
        return parameters.containsKey("filter")
                ? Question.of("HAVING bool_or(").add(filter(columns)).add(")")
                : new Question();
    }

    Inventory inventory() {
        return labels.inventory();
    }
}
