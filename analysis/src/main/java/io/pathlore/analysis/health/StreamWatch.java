package io.pathlore.analysis.health;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.sequence.Outcome;
import io.pathlore.model.IpText;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What becomes of reports themselves: lost on their way, an exporter that starts anew or falls silent, somebody who speaks in the
 * name of another. Told of every datagram whose number is not simply the next, and now and then of every stream. Belongs to one
 * thread.
 */
public final class StreamWatch {
    /**
     * What may differ from site to site.
     *
     * @param silentNanos an exporter that sends nothing for so long is silent
     * @param settleNanos a number that is missing for so long is lost
     * @param streams that are watched at once, and nodes that several speak for
     */
    public record Rules(long silentNanos, long settleNanos, int streams) {}

    private static final long APART_NANOS = 5_000_000_000L;

    /** Gaps of one stream that may be open at a time, as many as numbers may be out of order; what does not fit is lost at once. */
    private static final int GAPS = 1_024;

    /** Of one stream when all together have {@link #MANY}: anybody can make up streams. */
    private static final int FEW_GAPS = 64;

    private static final int MANY = 65_536;

    private static final double MISSED = 5;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MAX_ADDRESSES = 16;
    private static final long NEVER = Long.MIN_VALUE;

    private static final class Stream {
        final Reporter reporter;
        final int hwId;
        final long mask;
        long strayFirst = NEVER;

        // Numbers that are missing: from, how many, since when.
        long[] from = new long[0];
        long[] missing = new long[0];
        long[] since = new long[0];
        int gaps;

        // The loss that is told of.
        long lossFirst = NEVER;
        long lossLast = NEVER;
        long lossFound;
        long lost;
        long silentFrom = NEVER;
        long silentFound;

        Stream(Reporter reporter, int hwId, long mask) {
            this.reporter = reporter;
            this.hwId = hwId;
            this.mask = mask;
        }
    }

    private static final class Claim {
        long first = NEVER;
        long last = NEVER;
        long found;
        long node;
        final TreeSet<String> addresses = new TreeSet<>();
    }

    private final transient Rules rules;
    private final transient EventSink events;
    private final LongMap<Stream> streams;

    /** Those with numbers missing, or a loss that goes on: of all streams mostly none. */
    private final Set<Stream> troubled = new LinkedHashSet<>();

    private final LongMap<Claim> claims;
    private final List<Claim> open = new ArrayList<>();
    private int silents;
    private int gaps;

    public StreamWatch(Rules rules, EventSink events) {
        this.rules = rules;
        this.events = events;
        streams = new LongMap<>(rules.streams);
        claims = new LongMap<>(rules.streams);
    }

    /**
     * A datagram and what its number said.
     *
     * @param node or {@link ReportRow#ABSENT}
     * @param bits of the sequence number
     * @param gap numbers missing before it, as far as they were not missed before
     */
    public void on(
            long node,
            int hwId,
            boolean v6,
            long exporterHigh,
            long exporterLow,
            int bits,
            long sequence,
            int gap,
            Outcome outcome,
            long nowNanos) {
        if (outcome == Outcome.FIRST || outcome == Outcome.DUPLICATE || outcome == Outcome.CONSTANT) {
            return; // nothing to remember, and anybody can make up streams
        }
        Stream stream = stream(node, hwId, v6, exporterHigh, exporterLow, bits);
        number(stream, sequence & stream.mask, gap, outcome, nowNanos);
    }

    private Stream stream(long node, int hwId, boolean v6, long high, long low, int bits) {
        long key = key(node, hwId, high, low);
        Stream stream = streams.get(key);
        if (stream == null) {
            Reporter reporter = new Reporter(node, node == ReportRow.ABSENT ? IpText.of(v6, high, low) : null);
            long mask = -1L >>> Long.SIZE - bits;
            stream = streams.get(key, () -> new Stream(reporter, hwId, mask), this::forget);
        }
        return stream;
    }

    private void forget(Stream stream) {
        gaps -= stream.gaps;
        troubled.remove(stream);
        silents -= stream.silentFrom == NEVER ? 0 : 1;
    }

    private static long key(long node, int hwId, long high, long low) {
        return ReportRow.mix(ReportRow.mix(ReportRow.mix(high) ^ low) ^ node << 8 ^ hwId);
    }

    private void number(Stream stream, long sequence, int gap, Outcome outcome, long now) {
        switch (outcome) {
            case GAP -> {
                if (stream.silentFrom == NEVER) { // else that is told already
                    miss(stream, sequence - gap & stream.mask, gap, now);
                }
                stream.strayFirst = NEVER;
            }
            case REORDERED, LATE -> fill(stream, sequence, now);
            case STRAY, REPEATED ->
                stream.strayFirst = stream.strayFirst == NEVER ? now : Math.min(stream.strayFirst, now);
            case RESTART -> {
                settle(stream, Long.MAX_VALUE, now);
                long start =
                        stream.strayFirst == NEVER || now - stream.strayFirst > APART_NANOS ? now : stream.strayFirst;
                events.on(new Event(start, start, now, new Details.ExporterRestart(stream.reporter, stream.hwId)));
                stream.strayFirst = NEVER;
            }
            case FIRST, IN_ORDER, RESEEDED, DUPLICATE, CONSTANT -> {}
        }
    }

    private void miss(Stream stream, long from, long missing, long now) {
        while (stream.gaps >= mostGaps()) {
            lose(stream, 0, now);
        }
        troubled.add(stream);
        if (stream.gaps == stream.from.length) {
            int room = Math.min(GAPS, Math.max(4, 2 * stream.gaps));
            stream.from = Arrays.copyOf(stream.from, room);
            stream.missing = Arrays.copyOf(stream.missing, room);
            stream.since = Arrays.copyOf(stream.since, room);
        }
        stream.from[stream.gaps] = from;
        stream.missing[stream.gaps] = missing;
        stream.since[stream.gaps++] = now;
        gaps++;
    }

    private int mostGaps() {
        return gaps < MANY ? GAPS : FEW_GAPS;
    }

    /** What is missing before the number was missed already when that came, be it read later. */
    private void fill(Stream stream, long sequence, long now) {
        for (int i = 0; i < stream.gaps; i++) {
            long at = sequence - stream.from[i] & stream.mask;
            if (at < stream.missing[i]) {
                long behind = stream.missing[i] - at - 1;
                long since = stream.since[i];
                if (at > 0) {
                    stream.missing[i] = at;
                    stream.since[i] = Math.min(since, now);
                    if (behind > 0 && stream.gaps < mostGaps()) {
                        miss(stream, sequence + 1 & stream.mask, behind, since);
                    }
                } else if (behind > 0) {
                    stream.from[i] = sequence + 1 & stream.mask;
                    stream.missing[i] = behind;
                } else {
                    remove(stream, i);
                }
                return;
            }
        }
    }

    private void remove(Stream stream, int index) {
        int behind = stream.gaps - index - 1;
        System.arraycopy(stream.from, index + 1, stream.from, index, behind);
        System.arraycopy(stream.missing, index + 1, stream.missing, index, behind);
        System.arraycopy(stream.since, index + 1, stream.since, index, behind);
        stream.gaps--;
        gaps--;
    }

    /** What was missing is lost. */
    private void lose(Stream stream, int index, long now) {
        long since = stream.since[index];
        if (stream.lossFirst != NEVER && since - stream.lossLast >= APART_NANOS) {
            events.on(loss(stream, stream.lossLast));
            stream.lossFirst = NEVER;
        }
        boolean first = stream.lossFirst == NEVER;
        if (first) {
            stream.lossFirst = since;
            stream.lossLast = since;
            stream.lossFound = now;
            stream.lost = 0;
        }
        stream.lossLast = Math.max(stream.lossLast, since);
        stream.lost += stream.missing[index];
        remove(stream, index);
        if (first) {
            events.on(loss(stream, Event.OPEN));
        }
    }

    private static Event loss(Stream stream, long end) {
        return new Event(
                stream.lossFirst,
                end,
                stream.lossFound,
                new Details.ReportLoss(stream.reporter, stream.hwId, stream.lost));
    }

    private static Event silent(Stream stream, long end) {
        return new Event(
                stream.silentFrom, end, stream.silentFound, new Details.ExporterSilent(stream.reporter, stream.hwId));
    }

    private static int oldest(Stream stream) {
        int oldest = stream.gaps - 1;
        for (int i = oldest - 1; i >= 0; i--) {
            oldest = stream.since[i] <= stream.since[oldest] ? i : oldest;
        }
        return oldest;
    }

    private void settle(Stream stream, long before, long now) {
        for (int i = oldest(stream); i >= 0 && stream.since[i] <= before; i = oldest(stream)) {
            lose(stream, i, now);
        }
    }

    /** Somebody spoke for a node that another address speaks for. */
    public void onForeign(long node, boolean v6, long exporterHigh, long exporterLow, long nowNanos) {
        Claim claim = claims.get(ReportRow.mix(node), Claim::new, open::remove);
        if (claim.first == NEVER || nowNanos - claim.last >= APART_NANOS && !open.contains(claim)) {
            claim.node = node;
            claim.first = nowNanos;
            claim.addresses.clear();
            open.add(claim);
            claim.addresses.add(IpText.of(v6, exporterHigh, exporterLow));
            claim.found = nowNanos;
            events.on(spoof(claim, Event.OPEN));
        } else if (claim.addresses.size() < MAX_ADDRESSES) {
            claim.addresses.add(IpText.of(v6, exporterHigh, exporterLow));
        }
        claim.last = Math.max(claim.last, nowNanos);
    }

    private static Event spoof(Claim claim, long end) {
        return new Event(
                claim.first, end, claim.found, new Details.SpoofSuspected(claim.node, List.copyOf(claim.addresses)));
    }

    /**
     * How a stream stands. One that is heard of seldom is silent only when it would have spoken several times by now.
     *
     * @param perSecond what it usually sends, 0 where that is not known
     */
    public void onStream(
            long node,
            int hwId,
            boolean v6,
            long exporterHigh,
            long exporterLow,
            int bits,
            long lastNanos,
            double perSecond,
            long nowNanos) {
        long silence = nowNanos - lastNanos;
        boolean silent = silence >= rules.silentNanos && perSecond * silence >= MISSED * NANOS_PER_SECOND;
        Claim claim = claims.get(ReportRow.mix(node));
        if (claim != null && claim.addresses.contains(IpText.of(v6, exporterHigh, exporterLow))) {
            return; // who is no exporter cannot fall silent
        }
        if (silent) {
            Stream stream = stream(node, hwId, v6, exporterHigh, exporterLow, bits);
            if (stream.silentFrom == NEVER) {
                stream.silentFrom = lastNanos;
                stream.silentFound = nowNanos;
                silents++;
                events.on(silent(stream, Event.OPEN));
            }
        } else if (silents > 0) {
            Stream stream = streams.get(key(node, hwId, exporterHigh, exporterLow));
            if (stream != null && stream.silentFrom != NEVER) {
                events.on(silent(stream, lastNanos));
                stream.silentFrom = NEVER;
                silents--;
            }
        }
    }

    /** Stream time has come so far. */
    public void onTick(long nowNanos) {
        troubled.removeIf(stream -> isWell(stream, nowNanos));
        for (Claim claim : List.copyOf(open)) {
            if (nowNanos - claim.last >= APART_NANOS) {
                open.remove(claim);
                events.on(spoof(claim, claim.last));
            }
        }
    }

    private boolean isWell(Stream stream, long nowNanos) {
        settle(stream, nowNanos - rules.settleNanos, nowNanos);
        if (stream.lossFirst != NEVER
                && stream.gaps == 0
                && nowNanos - stream.lossLast >= APART_NANOS + rules.settleNanos) {
            events.on(loss(stream, stream.lossLast));
            stream.lossFirst = NEVER;
        }
        return stream.gaps == 0 && stream.lossFirst == NEVER;
    }

    /** There will be no more datagrams. */
    public void end(long nowNanos) {
        for (Stream stream : troubled) {
            settle(stream, Long.MAX_VALUE, nowNanos);
            if (stream.lossFirst != NEVER) {
                boolean over = nowNanos - stream.lossLast >= APART_NANOS;
                events.on(loss(stream, over ? stream.lossLast : Event.OPEN));
                stream.lossFirst = NEVER;
            }
        }
        for (Claim claim : List.copyOf(open)) {
            events.on(spoof(claim, Event.OPEN));
        }
        open.clear();
    }
}
