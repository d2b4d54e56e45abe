package io.pathlore.mitigate.notice;

import io.pathlore.model.JsonLine;
import java.util.Locale;

/**
 * Something people should know. How far it went is part of it and begins its text, so that nobody takes what was only seen for what was done.
 *
 * @param name what kind of thing, as Alertmanager calls an alert: {@code PathloreAttack}
 * @param id of the attack or mitigation; a later one of the same name and id replaces one that waits
 * @param severity {@code info}, {@code warning} or {@code critical}
 * @param endNanos {@link JsonLine#NO_TIME} while it goes on
 */
public record Notice(
        String name, String id, Stage stage, String severity, String text, long startNanos, long endNanos) {
    /** How far it went. */
    public enum Stage {
        OBSERVED,
        PROPOSED,
        APPLIED;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    boolean isOver() {
        return endNanos != JsonLine.NO_TIME;
    }

    /** How far it went, and what it is. */
    public String summary() {
        return stage.label() + ": " + text;
    }
}
