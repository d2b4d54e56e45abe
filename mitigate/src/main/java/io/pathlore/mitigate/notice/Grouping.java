package io.pathlore.mitigate.notice;

import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which notices are said together, and how often: as Alertmanager groups alerts.
 *
 * @param by labels that all notices of a message have in common
 * @param waiting for more of them, before a group is told of the first time
 * @param interval at least so long between two messages of a group
 */
public record Grouping(Set<Label> by, Duration waiting, Duration interval) {
    /** All labels but the id are closed sets, so there are never many groups. */
    public enum Label {
        ALERTNAME,
        SEVERITY,
        STAGE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        String of(Notice notice) {
            return switch (this) {
                case ALERTNAME -> notice.name();
                case SEVERITY -> notice.severity();
                case STAGE -> notice.stage().label();
            };
        }
    }

    public static final Grouping USUAL =
            new Grouping(EnumSet.of(Label.ALERTNAME), Duration.ofSeconds(1), Duration.ofSeconds(5));

    public Grouping {
        by = Set.copyOf(by);
    }

    /** What makes a notice one of its group. */
    Map<Label, String> group(Notice notice) {
        Map<Label, String> labels = new LinkedHashMap<>();
        for (Label label : Label.values()) {
            if (by.contains(label)) {
                labels.put(label, label.of(notice));
            }
        }
        return labels;
    }
}
