package io.pathlore.mitigate.notice;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between who has something to tell and who is told: in a maintenance window nobody is called for what was expected. What was kept
 * back is counted and can be looked at; what still goes on when its window ends is told then. What is done to the network does not change.
 */
public final class Maintenance implements AutoCloseable {
    /** Kept for people to look at. */
    static final int KEPT = 256;

    /** That go on and were not told of. */
    static final int OPEN = 512;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** When, for what, and why. */
    public record Window(String name, Times times, Predicate<Notice> silences) {}

    /** When a window is open. */
    public sealed interface Times {
        /** When it will be over, if it is open at that moment; else null. */
        @Nullable
        Instant openUntil(Instant now);
    }

    /** Once. */
    public record Once(Instant from, Instant until) implements Times {
        @Override
        public @Nullable Instant openUntil(Instant now) {
            return now.isBefore(from) || !now.isBefore(until) ? null : until;
        }
    }

    /** On the same days of every week; where it ends before it begins, it ends on the next day. */
    public record Weekly(Set<DayOfWeek> days, LocalTime from, LocalTime until, ZoneId zone) implements Times {
        public Weekly {
            days = Set.copyOf(days);
        }

        @Override
        public @Nullable Instant openUntil(Instant now) {
            ZonedDateTime there = now.atZone(zone);
            for (int ago = 0; ago <= 1; ago++) {
                ZonedDateTime day = there.minusDays(ago);
                if (days.contains(day.getDayOfWeek())) {
                    ZonedDateTime begins = ZonedDateTime.of(day.toLocalDate(), from, zone);
                    ZonedDateTime ends = ZonedDateTime.of(
                            until.isAfter(from)
                                    ? day.toLocalDate()
                                    : day.toLocalDate().plusDays(1),
                            until,
                            zone);
                    if (!there.isBefore(begins) && there.isBefore(ends)) {
                        return ends.toInstant();
                    }
                }
            }
            return null;
        }
    }

    /** What was kept back, and by which window. */
    public record Silenced(Instant at, String window, Notice notice) {}

    private final List<Window> windows;
    private final Supplier<Instant> clock;
    private final Consumer<Notice> onward;
    private final Deque<Silenced> silenced = new ArrayDeque<>();
    private final Map<String, Notice> open = new LinkedHashMap<>();
    private final @Nullable Thread thread;
    private long count;
    private boolean closed;

    /** @param onward is told what nobody silences */
    public Maintenance(List<Window> windows, Supplier<Instant> clock, Consumer<Notice> onward) {
        this.windows = List.copyOf(windows);
        this.clock = clock;
        this.onward = onward;
        thread = windows.isEmpty()
                ? null
                : Thread.ofVirtual().name("pathlore-maintenance").start(this::run);
    }

    /** Any thread. */
    public void tell(Notice notice) {
        synchronized (this) {
            String key = notice.name() + "|" + notice.id();
            Instant now = clock.get();
            String window = silencedBy(notice, now);
            boolean neverTold = open.remove(key) != null;
            if (window != null) {
                count++;
                if (silenced.size() == KEPT) {
                    silenced.removeFirst();
                }
                silenced.addLast(new Silenced(now, window, notice));
                if (!notice.isOver() && open.size() < OPEN) {
                    open.put(key, notice);
                }
                return;
            }
            if (neverTold && notice.isOver()) {
                return; // nobody was told that it began
            }
        }
        onward.accept(notice);
    }

    private @Nullable String silencedBy(Notice notice, Instant now) {
        for (Window window : windows) {
            if (window.times().openUntil(now) != null && window.silences().test(notice)) {
                return window.name();
            }
        }
        return null;
    }

    /** What goes on, and is silenced no more, is told. */
    void look() {
        List<Notice> due;
        synchronized (this) {
            Instant now = clock.get();
            due = open.values().stream()
                    .filter(notice -> silencedBy(notice, now) == null)
                    .toList();
            open.values().removeAll(due);
        }
        due.forEach(onward);
    }

    private void run() {
        try {
            while (isOpenAfter(LOOK)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isOpenAfter(Duration pause) throws InterruptedException {
        long until = System.nanoTime() + pause.toNanos();
        for (long left = pause.toMillis(); left > 0 && !closed; left = (until - System.nanoTime()) / NANOS_PER_MILLI) {
            wait(left);
        }
        return !closed;
    }

    public List<Window> windows() {
        return windows;
    }

    /** The last ones, the newest first. */
    public synchronized List<Silenced> silenced() {
        return List.copyOf(silenced).reversed();
    }

    /** Since the start. */
    public synchronized long count() {
        return count;
    }

    /** That go on, and will be told when their window is over. */
    public synchronized int open() {
        return open.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        if (thread != null) {
            thread.interrupt();
        }
    }
}
