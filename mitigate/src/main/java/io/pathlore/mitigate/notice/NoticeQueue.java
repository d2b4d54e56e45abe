package io.pathlore.mitigate.notice;

import io.pathlore.model.JsonLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What waits to be sent to one receiver: gathered for a moment, so that a hundred at once are one message, and tried again with longer and
 * longer waits. Bounded: the newest are turned away when it is full, and counted; what nobody took after all tries is counted too. Belongs to
 * one thread at a time.
 */
final class NoticeQueue {
    static final int CAPACITY = 512;
    static final int PER_MESSAGE = 64;
    static final int TRIES = 12;
    static final long GATHER_NANOS = 1_000_000_000L;
    private static final long FIRST_WAIT_NANOS = 1_000_000_000L;
    private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;
    /** How Alertmanager says that something goes on. */
    private static final String NEVER = "0001-01-01T00:00:00Z";

    /** Notices of one name, and how to say them. */
    record Message(String name, List<Notice> notices, String json) {}

    private final Map<String, Notice> waiting = new LinkedHashMap<>();
    private long dueNanos;
    private int tries;
    private long turnedAway;
    private long lost;

    void add(Notice notice, long nowNanos) {
        String key = notice.name() + "|" + notice.id();
        if (waiting.isEmpty()) {
            dueNanos = nowNanos + GATHER_NANOS;
        }
        if (waiting.size() >= CAPACITY && !waiting.containsKey(key)) {
            turnedAway++;
            return;
        }
        waiting.put(key, notice);
    }

    /** Nanoseconds until something is to be sent; large where nothing is. */
    long waitNanos(long nowNanos) {
        return waiting.isEmpty() ? Long.MAX_VALUE : Math.max(0, dueNanos - nowNanos);
    }

    /** All of one name, up to what one message holds, oldest name first. */
    Message next() {
        String name = waiting.values().iterator().next().name();
        List<Notice> all = waiting.values().stream()
                .filter(notice -> notice.name().equals(name))
                .toList();
        List<Notice> said = all.subList(0, Math.min(PER_MESSAGE, all.size()));
        return new Message(name, said, json(name, said));
    }

    /** What was sent may have been replaced by something newer meanwhile; that is still to be sent. */
    void done(Message message, boolean taken, long nowNanos) {
        if (taken) {
            tries = 0;
            message.notices().forEach(notice -> waiting.remove(notice.name() + "|" + notice.id(), notice));
            dueNanos = nowNanos;
            return;
        }
        tries++;
        if (tries >= TRIES) {
            tries = 0;
            int before = waiting.size();
            message.notices().forEach(notice -> waiting.remove(notice.name() + "|" + notice.id(), notice));
            lost += before - waiting.size();
        }
        dueNanos = nowNanos + Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS << Math.min(6, Math.max(0, tries - 1)));
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
    private static String json(String name, List<Notice> notices) {
        boolean over = notices.stream().allMatch(Notice::isOver);
        JsonLine json = new JsonLine().begin();
        json.text("version", "4")
                .text("groupKey", "{}:{alertname=\"" + name + "\"}")
                .integer("truncatedAlerts", 0);
        json.text("status", over ? "resolved" : "firing").text("receiver", "pathlore");
        json.open("groupLabels").text("alertname", name).close();
        json.open("commonLabels").text("alertname", name).close();
        json.open("commonAnnotations").close().text("externalURL", "");
        json.openArray("alerts");
        for (Notice notice : notices) {
            json.openElement().text("status", notice.isOver() ? "resolved" : "firing");
            json.open("labels").text("alertname", name).text("id", notice.id()).text("severity", notice.severity());
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
