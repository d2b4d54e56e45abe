package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.filter.EventSubject;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.model.EventKind;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which events somebody asks for. Times are when they began, or were still going on. */
record EventQuery(
        @Nullable EventKind kind,
        Filter filter,
        long since,
        long until,
        int limit,
        @Nullable String id) {
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 10_000;
    private static final Set<String> KNOWN = Set.of("kind", "filter", "since", "until", "limit");
    private static final Set<String> OF_A_KIND = Set.of("id", "filter", "since", "until", "limit");
    private static final Set<String> STREAM = Set.of("kind", "filter");

    static EventQuery of(Request request, Names names) throws Problem {
        return of(request, KNOWN, names);
    }

    /** Of one kind alone. */
    static EventQuery of(Request request, EventKind kind, Names names) throws Problem {
        EventQuery query = of(request, OF_A_KIND, names);
        String id = request.query().get("id");
        return new EventQuery(kind, query.filter, query.since, query.until, query.limit, id);
    }

    /** Of those that are still to come. */
    static EventQuery ofStream(Request request, Names names) throws Problem {
        return of(request, STREAM, names);
    }

    private static EventQuery of(Request request, Set<String> known, Names names) throws Problem {
        Map<String, String> query = request.query();
        ReportQuery.known(query, known);
        String word = query.get("kind");
        EventKind kind = null;
        if (word != null) {
            kind = EventKind.ofLabel(word).orElseThrow(() -> new Problem(400, "kind: there is none called so"));
        }
        String limit = query.getOrDefault("limit", Integer.toString(DEFAULT_LIMIT));
        if (!limit.matches("[1-9][0-9]{0,4}") || Integer.parseInt(limit) > MAX_LIMIT) {
            throw new Problem(400, "limit: a number from 1 to " + MAX_LIMIT);
        }
        return new EventQuery(
                kind,
                filter(query, names),
                time(query, "since", Long.MIN_VALUE),
                time(query, "until", Long.MAX_VALUE),
                Integer.parseInt(limit),
                null);
    }

    private static Filter filter(Map<String, String> query, Names names) throws Problem {
        try {
            return Filter.parse(query.getOrDefault("filter", ""), names).only(EventSubject.FIELDS, "events");
        } catch (FilterException e) {
            throw ReportQuery.wrong(e);
        }
    }

    private static long time(Map<String, String> query, String name, long otherwise) throws Problem {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        Long nanos = TimeText.parse(text);
        if (nanos == null) {
            throw new Problem(400, name + ": a time like 2026-11-15T18:00:00Z");
        }
        return nanos;
    }

    boolean wants(Event event) {
        boolean began = event.startNanos() < until;
        boolean lasted = event.endNanos() == Event.OPEN || event.endNanos() >= since || event.startNanos() >= since;
        return began
                && lasted
                && (kind == null || event.kind() == kind)
                && (id == null || event.id().toString().equals(id))
                && (filter.fields().isEmpty() || filter.matches(new EventSubject(event)));
    }

    Reply answer(EventBook book) {
        JsonText json = new JsonText().open('{').name("items").open('[');
        book.newest(limit, this::wants).forEach(entry -> json.raw(entry.json()));
        return Reply.json(200, json.close(']').close('}').toString());
    }
}
