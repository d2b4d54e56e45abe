package io.pathlore.cli.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Which of many reports a listener is shown: at most so many in a second. While they all fit, each is shown at once. Where the last second
 * had more than that, the second is divided, each part has its share, and of a part every report has the same chance.
 */
final class EvenChoice {
    static final int TICKS_PER_SECOND = 10;

    /** What is chosen waits for the end of its part. */
    private static final int HELD_CHARACTERS = 4 << 20;

    private record Chosen(long number, String text) {}

    private final int perSecond;
    private final int parts;
    private final RandomGenerator random;
    private final List<Chosen> chosen = new ArrayList<>();
    private long held;
    private long offered;
    private int room;

    private int tick;
    private boolean crowded;
    private long matching;
    private int shown;

    EvenChoice(int perSecond, RandomGenerator random) {
        this.perSecond = perSecond;
        this.random = random;
        parts = Math.min(perSecond, TICKS_PER_SECOND);
        room = perSecond;
    }

    /** {@code text} is made only of what may be shown. */
    void offer(Supplier<String> text) {
        matching++;
        offered++;
        if (chosen.size() < room && held < HELD_CHARACTERS) {
            Chosen next = new Chosen(matching, text.get());
            held += next.text.length();
            chosen.add(next);
            return;
        }
        long place = random.nextLong(offered);
        if (place < chosen.size()) {
            Chosen next = new Chosen(matching, text.get());
            Chosen former = chosen.set((int) place, next);
            held += next.text.length() - former.text.length();
        }
    }

    /** A tenth of a second is over: what is shown of it, in the order it came. */
    List<String> tick() {
        boolean partEnds = part(tick + 1) > part(tick);
        tick++;
        if (crowded && !partEnds) {
            return List.of();
        }
        List<String> out = chosen.stream()
                .sorted(Comparator.comparingLong(Chosen::number))
                .map(Chosen::text)
                .toList();
        chosen.clear();
        held = 0;
        offered = 0;
        shown += out.size();
        room = crowded ? share() : perSecond - shown;
        return out;
    }

    private int part(int atTick) {
        return atTick * parts / TICKS_PER_SECOND;
    }

    private int share() {
        int left = parts - part(tick);
        return left == 0 ? 0 : (perSecond - shown + left - 1) / left;
    }

    /** Of the second at hand. */
    long matching() {
        return matching;
    }

    int shown() {
        return shown;
    }

    boolean secondIsOver() {
        return tick >= TICKS_PER_SECOND;
    }

    void nextSecond() {
        crowded = matching > perSecond;
        matching = 0;
        shown = 0;
        tick = 0;
        room = crowded ? share() : perSecond;
    }
}
