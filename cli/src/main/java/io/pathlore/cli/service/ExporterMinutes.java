package io.pathlore.cli.service;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.health.ClockOffset;
import io.pathlore.analysis.sequence.Outcome;
import io.pathlore.model.ReportRow;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.List;

/** What exporters sent, minute by minute. Hot path: belongs to the thread that decodes, where all datagrams of an exporter arrive. */
public final class ExporterMinutes {
    /** Is told of a minute that is over. */
    interface Sink {
        void exporter(Row.Exporter row);

        /** All minutes that begin before this time have been told. */
        void complete(long untilNanos);
    }

    private static final int EXPORTERS = 4_096;
    private static final long MINUTE = 60_000_000_000L;
    private static final long SETTLE_NANOS = 1_000_000_000L;

    private static final class Minute {
        final boolean v6;
        final long high;
        final long low;
        long number;
        long datagrams;
        long bytes;
        long undecodable;
        long reports;
        long rejected;
        long duplicates;
        long arrived;
        long missing;
        /** The first of their streams: they have a number if others of the exporter have. */
        long firsts;

        final ClockOffset clock = new ClockOffset();

        Minute(boolean v6, long high, long low, long number) {
            this.v6 = v6;
            this.high = high;
            this.low = low;
            this.number = number;
        }

        void begin(long next) {
            number = next;
            datagrams = 0;
            bytes = 0;
            undecodable = 0;
            reports = 0;
            rejected = 0;
            duplicates = 0;
            arrived = 0;
            missing = 0;
            firsts = 0;
        }
    }

    private final transient Sink sink;
    private final LongMap<Minute> exporters = new LongMap<>(EXPORTERS);
    private long told = Long.MIN_VALUE;

    /** That nobody is told of. */
    public static ExporterMinutes untold() {
        return new ExporterMinutes(new Sink() {
            @Override
            public void exporter(Row.Exporter row) {}

            @Override
            public void complete(long untilNanos) {}
        });
    }

    ExporterMinutes(Sink sink) {
        this.sink = sink;
    }

    private Minute minute(boolean v6, long high, long low, long nanos) {
        long key = ReportRow.mix(low ^ ReportRow.mix(high ^ (v6 ? 1 : 0)));
        long number = Math.floorDiv(nanos, MINUTE);
        Minute minute = exporters.get(key);
        if (minute == null) {
            minute = exporters.get(key, () -> new Minute(v6, high, low, number), this::tell);
        } else if (minute.number < number) {
            tell(minute);
            minute.begin(number);
        }
        return minute;
    }

    /**
     * {@code all} reports, of which {@code good} could be decoded; {@code numbers} it stands for, and those missing before it. {@code told}: what the
     * clock of its node showed, or {@link ReportRow#ABSENT}.
     */
    void datagram(
            boolean v6,
            long high,
            long low,
            long nanos,
            int bytes,
            int all,
            int good,
            Outcome outcome,
            int numbers,
            int gap,
            long told) {
        Minute minute = minute(v6, high, low, nanos);
        minute.datagrams++;
        minute.bytes += bytes;
        minute.reports += good;
        minute.rejected += all - good;
        if (outcome == Outcome.DUPLICATE) {
            minute.duplicates += good;
        } else if (told != ReportRow.ABSENT) {
            minute.clock.add(nanos, told);
        }
        if (outcome == Outcome.FIRST && good > 0) { // of one that cannot be read nobody knows the number
            minute.firsts++;
        }
        minute.arrived += numbers;
        minute.missing += gap;
    }

    void undecodable(boolean v6, long high, long low, long nanos, int bytes) {
        Minute minute = minute(v6, high, low, nanos);
        minute.datagrams++;
        minute.bytes += bytes;
        minute.undecodable++;
    }

    /** The clock of an exporter: how far ahead of ours, or {@link ClockOffset#UNKNOWN}. */
    interface ClockSink {
        void clock(boolean v6, long high, long low, long aheadNanos);
    }

    /** By the owner. */
    void clocks(ClockSink clocks) {
        exporters.forEach(minute -> clocks.clock(minute.v6, minute.high, minute.low, minute.clock.aheadNanos()));
    }

    void onTick(long nowNanos) {
        long now = Math.floorDiv(nowNanos - SETTLE_NANOS, MINUTE);
        if (told == Long.MIN_VALUE) {
            told = now;
        } else if (now > told) {
            told = now;
            List<Minute> over = new ArrayList<>();
            exporters.forEach(minute -> {
                if (minute.number < now) {
                    over.add(minute);
                }
            });
            over.forEach(minute -> {
                tell(minute);
                minute.begin(minute.number);
            });
            sink.complete(now * MINUTE);
        }
    }

    void end() {
        exporters.forEach(this::tell);
    }

    private void tell(Minute minute) {
        if (minute.datagrams == 0) {
            return;
        }
        long lost = Math.max(0, minute.missing);
        boolean counts = minute.arrived > 0;
        // With the first, so that a minute that is read again, where every stream begins with it, is the same.
        long arrived = minute.arrived + minute.firsts;
        sink.exporter(new Row.Exporter(
                minute.number * MINUTE,
                new Row.Address(minute.v6, minute.high, minute.low),
                minute.datagrams,
                minute.bytes,
                minute.undecodable,
                minute.reports,
                minute.rejected,
                counts ? minute.duplicates : Row.ABSENT,
                counts ? lost : Row.ABSENT,
                counts ? (double) arrived / (arrived + lost) : Double.NaN));
    }
}
