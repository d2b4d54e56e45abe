package io.pathlore.cli.config;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.mitigate.notice.Maintenance.Once;
import io.pathlore.mitigate.notice.Maintenance.Times;
import io.pathlore.mitigate.notice.Maintenance.Weekly;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code maintenance}: when nobody is to be called, and for what. */
final class MaintenanceReader {
    private static final int DAY_LETTERS = 3;

    private MaintenanceReader() {}

    static List<EnforcerSetting.Quiet> read(Settings root) {
        List<EnforcerSetting.Quiet> list = new ArrayList<>();
        for (Settings one : root.sections("maintenance")) {
            EnforcerReader.need(one, "name", "from", "until");
            EnforcerReader.only(one, Set.of("name", "from", "until", "days", "zone", "filter"));
            Times times = one.has("days") ? weekly(one) : once(one);
            Filter filter = EnforcerReader.filter(one);
            list.add(new EnforcerSetting.Quiet(one.text("name"), times, filter));
        }
        return list;
    }

    private static Times once(Settings one) {
        if (one.has("zone")) {
            throw one.error("zone", "a moment like 2026-11-20T22:00:00Z has its own; zone is for days");
        }
        Instant from = moment(one, "from");
        Instant until = moment(one, "until");
        if (!from.isBefore(until)) {
            throw one.error("until", "it ends before it begins");
        }
        return new Once(from, until);
    }

    private static Instant moment(Settings one, String key) {
        try {
            return Instant.parse(one.text(key));
        } catch (DateTimeParseException e) {
            throw one.error(key, "expected a moment like 2026-11-20T22:00:00Z; or days, and times like 22:00");
        }
    }

    private static Times weekly(Settings one) {
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String text : one.texts("days")) {
            days.add(day(one, text));
        }
        try {
            ZoneId zone = one.has("zone") ? ZoneId.of(one.text("zone")) : ZoneId.of("UTC");
            return new Weekly(days, time(one, "from"), time(one, "until"), zone);
        } catch (DateTimeException e) {
            throw one.error("zone", "no such time zone; like Europe/Berlin");
        }
    }

    private static DayOfWeek day(Settings one, String text) {
        for (DayOfWeek day : DayOfWeek.values()) {
            String name = day.name().toLowerCase(Locale.ROOT);
            if (name.equals(text) || name.substring(0, DAY_LETTERS).equals(text)) {
                return day;
            }
        }
        throw one.error("days", "'" + text + "' is no day; there are mon, tue, wed, thu, fri, sat, sun");
    }

    private static LocalTime time(Settings one, String key) {
        try {
            return LocalTime.parse(one.text(key));
        } catch (DateTimeParseException e) {
            throw one.error(key, "expected a time of day like 22:00, in quotes");
        }
    }
}
