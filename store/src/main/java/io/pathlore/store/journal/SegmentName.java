package io.pathlore.store.journal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** How the files of a journal are called: 16 hexadecimal digits of the first position, and what it is. */
final class SegmentName {
    static final String SEGMENT = ".journal";
    static final String INDEX = ".index";
    static final String TEMPORARY = ".tmp";
    static final String QUARANTINED = ".bad";
    private static final int DIGITS = 16;

    private SegmentName() {}

    static String segment(long firstPosition) {
        return String.format(Locale.ROOT, "%016x", firstPosition) + SEGMENT;
    }

    static String index(long firstPosition) {
        return String.format(Locale.ROOT, "%016x", firstPosition) + INDEX;
    }

    static boolean isSegment(String name) {
        return isOurs(name) && name.length() == DIGITS + SEGMENT.length() && name.endsWith(SEGMENT);
    }

    static boolean isIndex(String name) {
        return isOurs(name) && name.length() == DIGITS + INDEX.length() && name.endsWith(INDEX);
    }

    static boolean isTemporary(String name) {
        return isOurs(name) && name.endsWith(TEMPORARY);
    }

    static boolean isQuarantined(String name) {
        return isOurs(name) && name.endsWith(QUARANTINED);
    }

    /** Of any name that is ours. */
    static long firstPosition(String name) {
        return Long.parseLong(name, 0, DIGITS, 16);
    }

    /** Segments only, oldest first. */
    static List<String> segments(List<String> names) {
        List<String> segments = new ArrayList<>();
        for (String name : names) {
            if (isSegment(name)) {
                segments.add(name);
            }
        }
        Collections.sort(segments);
        return segments;
    }

    private static boolean isOurs(String name) {
        // Positions stay below 2^63.
        if (name.length() <= DIGITS || name.charAt(0) > '7' || name.charAt(DIGITS) != '.') {
            return false;
        }
        for (int i = 0; i < DIGITS; i++) {
            char c = name.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
