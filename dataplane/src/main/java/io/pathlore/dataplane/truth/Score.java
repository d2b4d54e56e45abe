package io.pathlore.dataplane.truth;

import io.pathlore.model.EventKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How well events tell what happened. A detection matches a fact when kind and identity agree and it is said to have begun
 * between the fact's start and {@code visibleAt} + tolerance; one to one, as many pairs as possible, so a second detection of one
 * fact is a false one. Facts that no report could show are not counted, nor is a detection of one.
 *
 * @param kinds those that happened or were detected, in the order of {@link EventKind}
 * @param missed facts that were visible and not detected
 * @param falseOnes detections of nothing
 * @param invisible facts no report could show
 * @param unjudged detections that agree with a fact no report could show
 */
public record Score(
        List<KindScore> kinds,
        List<Pair> pairs,
        List<Observed> missed,
        List<Observed> falseOnes,
        List<Observed> invisible,
        List<Observed> unjudged) {
    private static final Comparator<Observed> BY_START =
            Comparator.comparingLong((Observed one) -> one.span().startNanos()).thenComparing(Observed::id);

    public Score {
        kinds = List.copyOf(kinds);
        pairs = List.copyOf(pairs);
        missed = List.copyOf(missed);
        falseOnes = List.copyOf(falseOnes);
        invisible = List.copyOf(invisible);
        unjudged = List.copyOf(unjudged);
    }

    /** A fact and its detection. */
    public record Pair(Observed fact, Observed detection) {
        /** From the first report that showed it; {@link Span#ABSENT} where the detection does not say when. */
        public long delayNanos() {
            return detection.detectedAtNanos() == Span.ABSENT
                    ? Span.ABSENT
                    : detection.detectedAtNanos() - fact.span().visibleAtNanos();
        }
    }

    /** Of nearest rank. */
    public record Delay(long medianNanos, long p95Nanos, long maxNanos) {}

    /** {@code delay} is null where no detection says when it was made. */
    public record KindScore(
            EventKind kind,
            int truePositives,
            int falsePositives,
            int falseNegatives,
            @Nullable Delay delay) {
        /** 1 where nothing was detected: nothing false was said. */
        public double precision() {
            return share(truePositives, falsePositives);
        }

        /** 1 where there was nothing to detect. */
        public double recall() {
            return share(truePositives, falseNegatives);
        }
    }

    private static double share(int right, int wrong) {
        return right + wrong == 0 ? 1 : (double) right / (right + wrong);
    }

    public double precision() {
        return share(pairs.size(), falseOnes.size());
    }

    public double recall() {
        return share(pairs.size(), missed.size());
    }

    public @Nullable Delay delay() {
        return delayOf(pairs);
    }

    /**
     * Of several lines with one id the last counts.
     *
     * @param silentAfterNanos the time-out after which the collector calls an exporter silent
     */
    public static Score of(List<Observed> truth, List<Observed> events, long silentAfterNanos) {
        Map<Identity, Group> groups = new TreeMap<>();
        for (Observed fact : latest(truth)) {
            group(groups, fact).facts.add(fact);
        }
        for (Observed event : latest(events)) {
            group(groups, event).detections.add(event);
        }
        Matching matching = new Matching(silentAfterNanos);
        groups.values().forEach(matching::match);
        return matching.score();
    }

    private static Group group(Map<Identity, Group> groups, Observed of) {
        return groups.computeIfAbsent(new Identity(of.kind(), of.identity()), key -> new Group());
    }

    private static Collection<Observed> latest(List<Observed> lines) {
        Map<String, Observed> byId = new LinkedHashMap<>();
        for (Observed line : lines) {
            byId.put(line.id(), line);
        }
        return byId.values();
    }

    private static @Nullable Delay delayOf(List<Pair> pairs) {
        long[] delays = pairs.stream()
                .mapToLong(Pair::delayNanos)
                .filter(delay -> delay != Span.ABSENT)
                .sorted()
                .toArray();
        return delays.length == 0 ? null : new Delay(rank(delays, 50), rank(delays, 95), delays[delays.length - 1]);
    }

    private static long rank(long[] sorted, int percent) {
        return sorted[(sorted.length * percent + 99) / 100 - 1];
    }

    /** What a fact and its detection share. */
    private record Identity(EventKind kind, String text) implements Comparable<Identity> {
        @Override
        public int compareTo(Identity other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : text.compareTo(other.text);
        }
    }

    private static final class Group {
        final List<Observed> facts = new ArrayList<>();
        final List<Observed> detections = new ArrayList<>();
    }

    private static final class Matching {
        private final long silentAfterNanos;
        private final List<Pair> pairs = new ArrayList<>();
        private final List<Observed> missed = new ArrayList<>();
        private final List<Observed> falseOnes = new ArrayList<>();
        private final List<Observed> invisible = new ArrayList<>();
        private final List<Observed> unjudged = new ArrayList<>();

        Matching(long silentAfterNanos) {
            this.silentAfterNanos = silentAfterNanos;
        }

        void match(Group group) {
            List<Observed> visible = new ArrayList<>();
            List<Observed> hidden = new ArrayList<>();
            for (Observed fact : group.facts) {
                (fact.span().isVisible() ? visible : hidden).add(fact);
            }
            invisible.addAll(hidden);
            // By its id a detection is that very fact, and must not be taken for another one near by.
            Set<String> hiddenIds = new HashSet<>();
            hidden.forEach(fact -> hiddenIds.add(fact.id()));
            List<Observed> detections = new ArrayList<>();
            for (Observed detection : group.detections) {
                if (hiddenIds.remove(detection.id())) {
                    unjudged.add(detection);
                } else {
                    detections.add(detection);
                }
            }
            hidden.removeIf(fact -> !hiddenIds.contains(fact.id()));
            List<Observed> rest =
                    pair(visible, detections, (fact, detection) -> pairs.add(new Pair(fact, detection)), missed);
            falseOnes.addAll(pair(hidden, rest, (fact, detection) -> unjudged.add(detection), new ArrayList<>()));
        }

        private interface Match {
            void on(Observed fact, Observed detection);
        }

        /**
         * As many pairs as possible: detections in the order of their starts, each to that fact open at the time that closes
         * first. Returns the detections left over.
         */
        private List<Observed> pair(
                List<Observed> facts, List<Observed> detections, Match match, List<Observed> unmatched) {
            facts.sort(BY_START);
            detections.sort(BY_START);
            PriorityQueue<Observed> open = new PriorityQueue<>(
                    Comparator.comparingLong(this::latestStart).thenComparing(BY_START));
            List<Observed> left = new ArrayList<>();
            int next = 0;
            for (Observed detection : detections) {
                long start = detection.span().startNanos();
                while (next < facts.size() && facts.get(next).span().startNanos() <= start) {
                    open.add(facts.get(next++));
                }
                while (!open.isEmpty() && latestStart(open.peek()) < start) {
                    unmatched.add(open.remove());
                }
                if (open.isEmpty()) {
                    left.add(detection);
                } else {
                    match.on(open.remove(), detection);
                }
            }
            unmatched.addAll(open);
            unmatched.addAll(facts.subList(next, facts.size()));
            return left;
        }

        /** The last moment at which a detection of it may be said to have begun. */
        private long latestStart(Observed fact) {
            long tolerance =
                    fact.kind().toleranceNanos() + (fact.kind() == EventKind.EXPORTER_SILENT ? silentAfterNanos : 0);
            Span span = fact.span();
            if (span.isVisible()) {
                return span.visibleAtNanos() + tolerance;
            }
            return span.hasEnded() ? span.endNanos() + tolerance : Long.MAX_VALUE;
        }

        Score score() {
            pairs.sort(Comparator.comparing(Pair::fact, BY_START));
            for (List<Observed> list : List.of(missed, falseOnes, invisible, unjudged)) {
                list.sort(BY_START);
            }
            List<KindScore> kinds = Arrays.stream(EventKind.values())
                    .map(this::kind)
                    .filter(score -> score.truePositives + score.falsePositives + score.falseNegatives > 0)
                    .toList();
            return new Score(kinds, pairs, missed, falseOnes, invisible, unjudged);
        }

        private KindScore kind(EventKind kind) {
            List<Pair> ours =
                    pairs.stream().filter(pair -> pair.fact.kind() == kind).toList();
            return new KindScore(kind, ours.size(), count(falseOnes, kind), count(missed, kind), delayOf(ours));
        }

        private static int count(List<Observed> of, EventKind kind) {
            return (int) of.stream().filter(one -> one.kind() == kind).count();
        }
    }
}
