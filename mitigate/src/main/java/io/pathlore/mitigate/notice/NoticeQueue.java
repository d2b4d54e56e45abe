package io.pathlore.mitigate.notice;

import io.pathlore.mitigate.notice.Grouping.Label;
import io.pathlore.model.JsonLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What waits to be sent to one receiver: gathered by group for a moment, so that a hundred at once are one message, and tried again with
 * longer and longer waits. Bounded: the newest are turned away when it is full, and counted; what nobody took after all tries is counted
 * too. Belongs to one thread at a time.
 */
final class NoticeQueue {
    static final int CAPACITY = 512;
    static final int PER_MESSAGE = 64;
    static final int TRIES = 12;
    private static final long FIRST_WAIT_NANOS = 1_000_000_000L;
    private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;
    private static final long NEVER_TOLD = Long.MIN_VALUE;
    /** How Alertmanager says that something goes on. */
    private static final String NEVER = "0001-01-01T00:00:00Z";

    /** Notices of one group, and how to say them; {@code more} wait that did not fit in. */
    record Message(Map<Label, String> group, List<Notice> notices, boolean more, String json) {}

    /** When a group was told of, and is to be. */
    private static final class Group {
        long toldNanos = NEVER_TOLD;
        long dueNanos;
        int waiting;
    }

    private final Grouping grouping;
    private final Map<String, Notice> waiting = new LinkedHashMap<>();
    private final Map<Map<Label, String>, Group> groups = new HashMap<>();
    private long retryNanos = Long.MIN_VALUE;
    private int tries;
    private long turnedAway;
    private long lost;

    NoticeQueue(Grouping grouping) {
        this.grouping = grouping;
    }

    private static String key(Notice notice) {
        return notice.name() + "|" + notice.id();
    }

    private Group group(Notice notice) {
        return groups.computeIfAbsent(grouping.group(notice), _ -> new Group());
    }

    void add(Notice notice, long nowNanos) {
        String key = key(notice);
        if (waiting.size() >= CAPACITY && !waiting.containsKey(key)) {
            turnedAway++;
            return;
        }
        Notice before = waiting.get(key);
        if (before != null) {
            group(before).waiting--;
        }
        waiting.put(key, notice);
        Group group = group(notice);
        if (group.waiting++ == 0) {
            group.dueNanos = due(group, nowNanos);
        }
    }

    private long due(Group group, long nowNanos) {
        long first = nowNanos + grouping.waiting().toNanos();
        return group.toldNanos == NEVER_TOLD
                ? first
                : Math.max(first, group.toldNanos + grouping.interval().toNanos());
    }

    /** Nanoseconds until something is to be sent; large where nothing is. */
    long waitNanos(long nowNanos) {
        long due = Long.MAX_VALUE;
        for (Group group : groups.values()) {
            due = group.waiting > 0 ? Math.min(due, group.dueNanos) : due;
        }
        return due == Long.MAX_VALUE ? due : Math.max(0, Math.max(due, retryNanos) - nowNanos);
    }

    /** All of the group that is due first, up to what one message holds. */
    Message next() {
        Notice first = waiting.values().stream()
                .reduce((a, b) -> group(b).dueNanos < group(a).dueNanos ? b : a)
                .orElseThrow();
        Map<Label, String> labels = grouping.group(first);
        List<Notice> all = waiting.values().stream()
                .filter(notice -> grouping.group(notice).equals(labels))
                .toList();
        List<Notice> said = all.subList(0, Math.min(PER_MESSAGE, all.size()));
        return new Message(labels, said, said.size() < all.size(), json(labels, said));
    }

    /** What was sent may have been replaced by something newer meanwhile; that is still to be sent. */
    void done(Message message, boolean taken, long nowNanos) {
        if (taken) {
            tries = 0;
            retryNanos = nowNanos;
            remove(message);
            Group group = groups.computeIfAbsent(message.group(), _ -> new Group());
            group.toldNanos = nowNanos;
            group.dueNanos = message.more() ? nowNanos : due(group, nowNanos);
            return;
        }
        tries++;
        if (tries >= TRIES) {
            tries = 0;
            lost += remove(message);
        }
        retryNanos = nowNanos + Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS << Math.min(6, Math.max(0, tries - 1)));
    }

    private int remove(Message message) {
        int removed = 0;
        for (Notice notice : message.notices()) {
            if (waiting.remove(key(notice), notice)) {
                group(notice).waiting--;
                removed++;
            }
        }
        return removed;
    }

    long turnedAway() {
        return turnedAway;
    }

    long lost() {
        return lost;
    }

    int size() {
        return waiting.size();
    }

    /** As Alertmanager tells its webhooks, version 4. */
    private static String json(Map<Label, String> group, List<Notice> notices) {
        boolean over = notices.stream().allMatch(Notice::isOver);
        JsonLine json = new JsonLine().begin();
        String key = group.entrySet().stream()
                .map(one -> one.getKey().label() + "=\"" + one.getValue() + "\"")
                .collect(Collectors.joining(", "));
        json.text("version", "4").text("groupKey", "{}:{" + key + "}").integer("truncatedAlerts", 0);
        json.text("status", over ? "resolved" : "firing").text("receiver", "pathlore");
        json.open("groupLabels");
        group.forEach((label, value) -> json.text(label.label(), value));
        json.close().open("commonLabels");
        for (Label label : Label.values()) {
            String value = label.of(notices.getFirst());
            if (notices.stream().allMatch(notice -> label.of(notice).equals(value))) {
                json.text(label.label(), value);
            }
        }
        json.close().open("commonAnnotations").close().text("externalURL", "");
        json.openArray("alerts");
        for (Notice notice : notices) {
            json.openElement().text("status", notice.isOver() ? "resolved" : "firing");
            json.open("labels")
                    .text("alertname", notice.name())
                    .text("id", notice.id())
                    .text("severity", notice.severity());
            json.text("stage", notice.stage().label()).close();
            json.open("annotations").text("summary", notice.summary()).close();
            json.time("startsAt", notice.startNanos());
            if (notice.isOver()) {
                json.time("endsAt", notice.endNanos());
            } else {
                json.text("endsAt", NEVER);
            }
            json.text("generatorURL", "").text("fingerprint", notice.id()).close();
        }
        return json.closeArray().end().strip();
    }

    /** For who looks. */
    List<Notice> waiting() {
        return new ArrayList<>(waiting.values());
    }
}
