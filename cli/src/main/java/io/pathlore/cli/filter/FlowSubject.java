package io.pathlore.cli.filter;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Subject;
import io.pathlore.cli.service.Recording;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A flow with what was counted of it, as filters see it: {@code dropped} if any of its packets was. */
public record FlowSubject(Recording.Flow flow) implements Subject {
    /** What it can be asked for. */
    public static final Set<Field> FIELDS = Collections.unmodifiableSet(EnumSet.of(
            Field.SRC,
            Field.DST,
            Field.SPORT,
            Field.DPORT,
            Field.PROTO,
            Field.VNI,
            Field.FLOW,
            Field.DROPPED,
            Field.CONGESTED));

    @Override
    public int count(Field field) {
        return FIELDS.contains(field) ? 1 : 0;
    }

    @Override
    public long number(Field field, int index) {
        FlowKey key = flow.key();
        return switch (field) {
            case SPORT -> key.sourcePort();
            case DPORT -> key.destinationPort();
            case PROTO -> key.protocol();
            case VNI -> key.vni();
            case DROPPED -> flow.drops() > 0 ? 1 : 0;
            case CONGESTED -> flow.congested() > 0 ? 1 : 0;
            default -> ABSENT;
        };
    }

    @Override
    public @Nullable String text(Field field, int index) {
        return field == Field.FLOW ? flow.key().id().toString() : null;
    }

    @Override
    public boolean hasAddress(Field field) {
        return field == Field.SRC || field == Field.DST;
    }

    @Override
    public long addressHigh(Field field) {
        return field == Field.SRC ? flow.key().sourceHigh() : flow.key().destinationHigh();
    }

    @Override
    public long addressLow(Field field) {
        long low = field == Field.SRC ? flow.key().sourceLow() : flow.key().destinationLow();
        return flow.key().v6() ? low : ReportRow.mapped(low);
    }
}
