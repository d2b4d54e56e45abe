package io.pathlore.cli.service;

import io.pathlore.cli.service.EdgesCursor.Place;
import io.pathlore.cli.service.ReportQuery.Cursor;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The lists of several edges as one, by time. Each is read piece by piece, all of them at once, and a report is told when every edge has said
 * what it has next: so the order is that of time as far as it is in each of the lists. Of an edge that cannot be asked nothing more is told, and
 * that it cannot. Belongs to one request.
 */
final class EdgeMerge {
    /** After this no edge is asked any more; the last answers may take as long as an edge has. */
    private static final long BUDGET_NANOS = 3_000_000_000L;

    /** What all edges together may have waiting here: least for one is more than the largest report takes. */
    private static final int WAITING_BYTES = 16 << 20;

    private static final int MAX_BYTES = 9 << 20;
    private static final int LEAST = 32;
    private static final int LESS = 8;

    /** Is told of each report in its order; false: no more of them. */
    @FunctionalInterface
    interface Taker {
        boolean take(EdgeItem item, Edge edge);
    }

    /** One edge, and how far it was read. */
    private static final class Source {
        final Edge edge;
        Place place;
        int ask;
        List<EdgeItem> items = List.of();
        int at;
        /** Behind the items; null: the end. */
        @Nullable
        Cursor next;

        String why = "";

        Source(Edge edge, Place place, int ask) {
            this.edge = edge;
            this.place = place;
            this.ask = ask;
        }

        boolean isWaited() {
            return place instanceof Place.At && at == items.size();
        }

        boolean hasOne() {
            return at < items.size();
        }
    }

    private final Edges edges;
    private final EdgesCursor from;
    private final String question;
    private final boolean wholeDatagrams;
    private final List<Source> sources = new ArrayList<>();
    private final int share;
    private final long endTicks = System.nanoTime() + BUDGET_NANOS;
    private final Map<Long, Source> journals = new HashMap<>();
    private long datagrams;
    private long reports;
    private long octets;
    private long damaged;

    /**
     * @param filter in the language of filters, as it was given
     * @param limit about so many are wanted
     * @param raw with their datagrams
     * @param wholeDatagrams one that was told of is not gone back to, whatever reports it has
     */
    EdgeMerge(Edges edges, EdgesCursor from, String filter, int limit, boolean raw, boolean wholeDatagrams) {
        this.edges = edges;
        this.from = from;
        this.wholeDatagrams = wholeDatagrams;
        question = (filter.isBlank() ? "" : "&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                + (raw ? "&raw=true" : "");
        int count = edges.all().size();
        share = Math.min(MAX_BYTES, WAITING_BYTES / count);
        for (int i = 0; i < count; i++) {
            Source source = new Source(
                    edges.all().get(i), from.places().get(i), Math.min(limit, Math.max(LEAST, 2 * limit / count)));
            if (source.place instanceof Place.LeftOut) {
                source.why = "could not be asked before, and is left out since then; ask from the beginning";
            }
            sources.add(source);
        }
    }

    /** Tells of them until there are no more, or somebody has had enough. Where to go on; null: that was all. */
    @Nullable
    EdgesCursor run(Taker taker) throws Problem {
        while (true) {
            if (sources.stream().anyMatch(Source::isWaited)) {
                if (!fetch()) {
                    return next();
                }
                continue;
            }
            Source first = first();
            if (first == null) {
                return null;
            }
            EdgeItem item = first.items.get(first.at++);
            ReportId id = item.id();
            first.place = place(id);
            if (!first.hasOne()) {
                settle(first);
            }
            if (!taker.take(item, first.edge)) {
                return sources.stream().anyMatch(source -> source.place instanceof Place.At) ? next() : null;
            }
        }
    }

    private Place place(ReportId id) {
        if (from.newest()) {
            return new Place.At(id.position(), id.ordinal());
        }
        return wholeDatagrams ? new Place.At(id.position() + 1, 0) : new Place.At(id.position(), id.ordinal() + 1);
    }

    /** What came of it has been told. */
    private void settle(Source source) {
        Cursor next = source.next;
        if (next == null) {
            source.place = new Place.End();
        } else if (wholeDatagrams && next.ordinal() > 0) {
            source.place = new Place.At(next.position() + 1, 0);
        } else {
            source.place = new Place.At(next.position(), next.ordinal());
        }
    }

    private EdgesCursor next() {
        return from.with(sources.stream().map(source -> source.place).toList());
    }

    private @Nullable Source first() {
        Source first = null;
        for (Source source : sources) {
            if (source.hasOne() && (first == null || isBefore(source, first))) {
                first = source;
            }
        }
        return first;
    }

    private boolean isBefore(Source one, Source other) {
        long time = one.items.get(one.at).timeNanos();
        long otherTime = other.items.get(other.at).timeNanos();
        return from.newest() ? time > otherTime : time < otherTime;
    }

    /** Asks those whose next is not known, all at once. False: there is no time left to ask. */
    private boolean fetch() throws Problem {
        if (System.nanoTime() - endTicks >= 0) {
            return false;
        }
        Map<Source, Future<EdgeItem.Page>> asked = new HashMap<>();
        for (Source source : sources) {
            if (source.isWaited()) {
                asked.put(source, edges.threads().submit(() -> ask(source)));
            }
        }
        // In their order, so that the same answers come of the same.
        for (Source source : sources) {
            Future<EdgeItem.Page> answer = asked.get(source);
            if (answer != null) {
                try {
                    take(source, answer.get());
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof EdgeException failure)) {
                        throw new IllegalStateException(e.getCause());
                    }
                    leaveOut(source, failure.why());
                } catch (InterruptedException e) {
                    asked.values().forEach(each -> each.cancel(true));
                    Thread.currentThread().interrupt();
                    throw new Problem(503, "the time of this request is over");
                }
            }
        }
        if (sources.stream().allMatch(source -> source.place instanceof Place.LeftOut)) {
            throw new Problem(503, "no edge that has the reports can be asked: " + Unreached.text(unreached()));
        }
        return true;
    }

    private EdgeItem.Page ask(Source source) throws EdgeException {
        if (!(source.place instanceof Place.At place)) {
            throw new IllegalStateException("it is over");
        }
        Cursor cursor = from.cursor(place);
        boolean wasBusy = false;
        while (true) {
            try {
                String text = source.edge.askText(
                        "/api/v1/reports?limit=" + source.ask + "&cursor=" + cursor + question, share);
                EdgeItem.Page page = EdgeItem.page(text);
                if (page == null || page.items().size() > source.ask) {
                    throw source.edge.strange("what it answers is no list of reports");
                }
                return page;
            } catch (EdgeException e) {
                boolean hasTime = System.nanoTime() - endTicks < 0;
                boolean again = e.isTooMuch() && source.ask > 1 || e.isBusy() && !wasBusy;
                if (!again || !hasTime) {
                    throw e;
                }
                wasBusy |= e.isBusy();
                source.ask = e.isTooMuch() ? Math.max(1, source.ask / LESS) : source.ask;
            }
        }
    }

    private void take(Source source, EdgeItem.Page page) {
        for (EdgeItem item : page.items()) {
            Source other = journals.putIfAbsent(item.id().edge(), source);
            if (other != null && other != source) {
                leaveOut(source, "has the journal of " + other.edge.name() + ": is it the same collector?");
                return;
            }
            if (other == null) {
                edges.isHome(item.id().edge(), source.edge);
            }
        }
        Cursor next = page.next().isEmpty() ? null : Cursor.parse(page.next());
        boolean isSame = next != null
                && source.place instanceof Place.At(long position, int ordinal)
                && next.equals(from.cursor(new Place.At(position, ordinal)));
        if (next == null && !page.next().isEmpty() || isSame) {
            leaveOut(source, source.edge.strange("its cursor is not understood").why());
            return;
        }
        datagrams += page.datagrams();
        reports += page.reports();
        octets += page.octets();
        damaged += page.damaged();
        source.items = page.items();
        source.at = 0;
        source.next = next;
        if (source.items.isEmpty()) {
            settle(source);
        }
    }

    private static void leaveOut(Source source, String why) {
        source.place = new Place.LeftOut();
        source.items = List.of();
        source.at = 0;
        source.why = why;
    }

    List<Unreached> unreached() {
        return sources.stream()
                .filter(source -> source.place instanceof Place.LeftOut)
                .map(source -> new Unreached(source.edge.name(), source.why))
                .toList();
    }

    /** How much the edges have looked at. */
    void scanned(JsonText json) {
        json.name("scanned").open('{');
        json.name("datagrams").value(datagrams);
        json.name("reports").value(reports);
        json.name("octets").value(octets);
        if (damaged > 0) {
            json.name("damaged").value(damaged);
        }
        json.close('}');
    }
}
