package io.pathlore.cli.service;

import io.pathlore.cli.service.ReportQuery.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where to go on in a list that several edges have, as text that whoever asked gives back.
 *
 * @param print of the edges that it was made for
 * @param places one for each edge
 */
record EdgesCursor(boolean newest, long since, long until, int print, List<Place> places) {
    private static final int RADIX = 36;
    private static final int FIXED = 4;
    private static final Pattern TEXT =
            Pattern.compile("m[on](\\.-?[0-9a-z]{1,13}){3}(\\.(-|x|[0-9a-z]{1,13}_[0-9a-z]{1,6})){1,64}");

    /** How far one edge was read. */
    sealed interface Place {
        /** As of a {@link Cursor}. */
        record At(long position, int ordinal) implements Place {}

        /** There is no more of it. */
        record End() implements Place {}

        /** It could not be asked; what it has is not in this list any more, or the order would not hold. */
        record LeftOut() implements Place {}
    }

    EdgesCursor {
        places = List.copyOf(places);
    }

    static EdgesCursor begin(Cursor of, int print, int edges) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < edges; i++) {
            places.add(new Place.At(of.position(), of.ordinal()));
        }
        return new EdgesCursor(of.newest(), of.since(), of.until(), print, places);
    }

    static @Nullable EdgesCursor parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            return null;
        }
        String[] parts = text.split("\\.", -1);
        try {
            List<Place> places = new ArrayList<>();
            for (int i = FIXED; i < parts.length; i++) {
                places.add(place(parts[i]));
            }
            EdgesCursor cursor = new EdgesCursor(
                    parts[0].equals("mn"),
                    Long.parseLong(parts[1], RADIX),
                    Long.parseLong(parts[2], RADIX),
                    Integer.parseInt(parts[3], RADIX),
                    places);
            return cursor.since > cursor.until ? null : cursor;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Place place(String text) {
        if (text.equals("-")) {
            return new Place.End();
        }
        if (text.equals("x")) {
            return new Place.LeftOut();
        }
        int dash = text.indexOf('_');
        return new Place.At(
                Long.parseLong(text.substring(0, dash), RADIX), Integer.parseInt(text.substring(dash + 1), RADIX));
    }

    /** What one edge is asked with. */
    Cursor cursor(Place.At place) {
        return new Cursor(newest, since, until, place.position, place.ordinal);
    }

    EdgesCursor with(List<Place> next) {
        return new EdgesCursor(newest, since, until, print, next);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(newest ? "mn." : "mo.")
                .append(Long.toString(since, RADIX))
                .append('.')
                .append(Long.toString(until, RADIX))
                .append('.')
                .append(Integer.toString(print, RADIX));
        for (Place place : places) {
            text.append('.')
                    .append(
                            switch (place) {
                                case Place.At(long position, int ordinal) ->
                                    Long.toString(position, RADIX) + "_" + Integer.toString(ordinal, RADIX);
                                case Place.End() -> "-";
                                case Place.LeftOut() -> "x";
                            });
        }
        return text.toString();
    }
}
