package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.filter.EventSubject;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.model.EventKind;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which events somebody asks for. Times are when they began, or were still going on. */
record EventQuery(
        @Nullable EventKind kind,
        Filter filter,
        long since,
        long until,
        @Nullable String id) {
    static final Parameter KIND = Parameter.word(
            "kind",
            "of this kind only",
            Arrays.stream(EventKind.values()).map(EventKind::label).toList());
    static final Parameter SINCE = Parameter.text("since", "that began then or later, or went on: RFC 3339");
    static final Parameter UNTIL = Parameter.text("until", "that began before: RFC 3339");
    static final Parameter FILTER = Parameter.filter("events");

    /** Of one kind alone. */
    static EventQuery of(Request request, EventKind kind, Names names) throws Problem {
        EventQuery query = of(request, names);
        String id = request.query().get("id");
        return new EventQuery(kind, query.filter, query.since, query.until, id);
    }

    static EventQuery of(Request request, Names names) throws Problem {
        Map<String, String> query = request.query();
        return new EventQuery(
                EventKind.ofLabel(query.getOrDefault("kind", "")).orElse(null),
                filter(query, names),
                time(query, "since", Long.MIN_VALUE),
                time(query, "until", Long.MAX_VALUE),
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

    /** A page of them, each written so. */
    Reply answer(EventBook book, Request request, Function<EventBook.Entry, String> item) throws Problem {
        EventBook.Page page = book.page(request.number("limit"), request.query().get("cursor"), this::wants);
        JsonText json = new JsonText().open('{').name("items").open('[');
        page.entries().forEach(entry -> json.raw(item.apply(entry)));
        json.close(']');
        if (page.next() != null) {
            json.name("next").value(page.next());
        }
        return Reply.json(200, json.close('}').toString());
    }
}
