package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Subject;
import io.pathlore.mitigate.notice.Notice;
import io.pathlore.model.Severity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A notice as filters see it: how severe it is. */
record NoticeSubject(Notice notice) implements Subject {
    @Override
    public int count(Field field) {
        return field == Field.SEVERITY ? 1 : 0;
    }

    @Override
    public long number(Field field, int index) {
        return Severity.valueOf(notice.severity().toUpperCase(Locale.ROOT)).ordinal();
    }

    @Override
    public @Nullable String text(Field field, int index) {
        return null;
    }

    @Override
    public boolean hasAddress(Field field) {
        return false;
    }

    @Override
    public long addressHigh(Field field) {
        return ABSENT;
    }

    @Override
    public long addressLow(Field field) {
        return ABSENT;
    }
}
