package io.pathlore.cli.service;

import io.pathlore.analysis.health.ClockOffset;
import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.analysis.sequence.StreamView;
import io.pathlore.model.ReportRow;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers, from the thread that owns the streams, what their numbers say of each exporter, and what its clock shows. The owner looks at some streams in
 * every tick; who asks meanwhile gets the answer of the round that begins next.
 */
final class Census {
    private static final int MAX_NODES = 16;

    /**
     * One exporter.
     *
     * @param nodes it speaks for, at most {@value #MAX_NODES} of them
     * @param suspected two senders take turns in one of its streams
     * @param clockAhead of ours, at least, in nanoseconds; {@link ClockOffset#UNKNOWN}
     */
    record Entry(int streams, TreeSet<Long> nodes, SequenceTotals totals, boolean suspected, long clockAhead) {
        static Entry none() {
            return new Entry(0, new TreeSet<>(), SequenceTotals.NONE, false, ClockOffset.UNKNOWN);
        }

        /** Of another worker. */
        Entry plus(Entry other) {
            TreeSet<Long> both = new TreeSet<>(nodes);
            both.addAll(other.nodes);
            while (both.size() > MAX_NODES) {
                both.removeLast();
            }
            return new Entry(
                    streams + other.streams,
                    both,
                    totals.plus(other.totals),
                    suspected || other.suspected,
                    Math.max(clockAhead, other.clockAhead));
        }

        Entry plus(StreamView stream) {
            if (stream.nodeId() != StreamView.NO_NODE && nodes.size() < MAX_NODES) {
                nodes.add(stream.nodeId());
            }
            return new Entry(
                    streams + 1, nodes, totals.plus(stream.totals()), suspected || stream.suspected(), clockAhead);
        }

        Entry at(long ahead) {
            return new Entry(streams, nodes, totals, suspected, ahead);
        }
    }

    /** By address in text. */
    record Answer(Map<String, Entry> exporters) {}

    private final AtomicReference<@Nullable CompletableFuture<Answer>> asked = new AtomicReference<>();

    private volatile @Nullable Answer last;

    // The owner's.
    private CompletableFuture<Answer> answering = CompletableFuture.completedFuture(new Answer(Map.of()));
    private Map<String, Entry> counted = new HashMap<>();
    private int from;

    /** Any thread. */
    CompletableFuture<Answer> ask() {
        CompletableFuture<Answer> mine = new CompletableFuture<>();
        CompletableFuture<Answer> other = asked.compareAndExchange(null, mine);
        Answer end = last; // read after asking: either it is there, or the owner still sees the question
        return end != null ? CompletableFuture.completedFuture(end) : other == null ? mine : other;
    }

    /** A part of the work, if there is any. By the owner. */
    void step(SequenceTable sequences, ExporterMinutes minutes, int streams, long nowNanos) {
        if (answering.isDone()) {
            CompletableFuture<Answer> next = asked.getAndSet(null);
            if (next == null) {
                return;
            }
            answering = next;
            counted = new HashMap<>();
            from = 0;
        }
        from = sequences.scan(from, streams, nowNanos, this::count);
        if (from == 0) {
            minutes.clocks(this::clock);
            answering.complete(new Answer(counted));
            counted = new HashMap<>();
        }
    }

    private void count(StreamView stream) {
        String address = Addresses.text(stream.exporterHigh(), stream.exporterLow());
        Entry entry = counted.computeIfAbsent(address, _ -> Entry.none());
        counted.put(address, entry.plus(stream));
    }

    private void clock(boolean v6, long high, long low, long aheadNanos) {
        if (aheadNanos != ClockOffset.UNKNOWN) {
            String address = v6 ? Addresses.text(high, low) : Addresses.text(0, ReportRow.mapped(low));
            counted.put(address, counted.getOrDefault(address, Entry.none()).at(aheadNanos));
        }
    }

    /** The owner goes: answers who still waits, and everybody who comes later. */
    void finish(SequenceTable sequences, ExporterMinutes minutes) {
        counted = new HashMap<>();
        sequences.scan(0, Integer.MAX_VALUE, Long.MAX_VALUE, this::count);
        minutes.clocks(this::clock);
        Answer answer = new Answer(counted);
        last = answer;
        answering.complete(answer);
        CompletableFuture<Answer> waiting = asked.getAndSet(null);
        if (waiting != null) {
            waiting.complete(answer);
        }
    }
}
