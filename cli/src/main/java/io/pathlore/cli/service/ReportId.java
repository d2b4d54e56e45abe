package io.pathlore.cli.service;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a report is: the journal, the datagram in it, and which of the datagram's reports. As text {@code EDGE-POSITION-ORDINAL},
 * the edge in 16 hex digits; it means the same for as long as the journal keeps the datagram.
 */
record ReportId(long edge, long position, int ordinal) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16})-([0-9]{1,18})-([0-9]{1,5})");

    /** Null where the text is no id. */
    static @Nullable ReportId parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        return new ReportId(
                Long.parseUnsignedLong(parts.group(1), 16),
                Long.parseLong(parts.group(2)),
                Integer.parseInt(parts.group(3)));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%016x-%d-%d", edge, position, ordinal);
    }
}
