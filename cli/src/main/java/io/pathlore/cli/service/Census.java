package io.pathlore.cli.service;

import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.analysis.sequence.StreamView;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers, from the thread that owns the streams, what their numbers say of each exporter. The owner looks at some streams in
 * every tick; who asks meanwhile gets the answer of the round that begins next.
 */
final class Census {
    private static final int MAX_NODES = 16;

    /**
     * One exporter.
     *
     * @param nodes it speaks for, at most {@value #MAX_NODES} of them
     * @param suspected two senders take turns in one of its streams
     */
    record Entry(int streams, TreeSet<Long> nodes, SequenceTotals totals, boolean suspected) {
        /** Of another worker. */
        Entry plus(Entry other) {
            TreeSet<Long> both = new TreeSet<>(nodes);
            both.addAll(other.nodes);
            while (both.size() > MAX_NODES) {
                both.removeLast();
            }
            return new Entry(streams + other.streams, both, totals.plus(other.totals), suspected || other.suspected);
        }

        Entry plus(StreamView stream) {
            if (stream.nodeId() != StreamView.NO_NODE && nodes.size() < MAX_NODES) {
                nodes.add(stream.nodeId());
            }
            return new Entry(streams + 1, nodes, totals.plus(stream.totals()), suspected || stream.suspected());
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
    void step(SequenceTable sequences, int streams, long nowNanos) {
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
            answering.complete(new Answer(counted));
            counted = new HashMap<>();
        }
    }

    private void count(StreamView stream) {
        String address = Addresses.text(stream.exporterHigh(), stream.exporterLow());
        Entry entry = counted.computeIfAbsent(address, _ -> new Entry(0, new TreeSet<>(), SequenceTotals.NONE, false));
        counted.put(address, entry.plus(stream));
    }

    /** The owner goes: answers who still waits, and everybody who comes later. */
    void finish(SequenceTable sequences) {
        counted = new HashMap<>();
        sequences.scan(0, Integer.MAX_VALUE, Long.MAX_VALUE, this::count);
        Answer answer = new Answer(counted);
        last = answer;
        answering.complete(answer);
        CompletableFuture<Answer> waiting = asked.getAndSet(null);
        if (waiting != null) {
            waiting.complete(answer);
        }
    }
}
