package io.pathlore.mitigate.ledger;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Where a mitigation stands. What may follow what is written here and nowhere else; docs/reference/mitigation.md shows it. */
public enum State {
    /** It would be proposed if the mode were not to observe. */
    OBSERVED,
    /** Waits for an operator, or for room under a cap. */
    PROPOSED,
    /** Somebody wants it; the enforcer has not said yes. */
    APPROVED,
    /** The enforcer said yes. */
    SENT,
    /** Drop reports of exporters that are bound to their node tell that it drops. */
    PROVEN,
    /** Not wanted any more; the enforcer has not said that it is gone. */
    DECAYING,
    /** Gone. */
    WITHDRAWN,
    /** What is wanted could not be had so far, to install or to withdraw; it is tried on. */
    FAILED,
    /** Judged as harmful, or impossible. */
    REFUSED,
    /** Gone, because its time was over. */
    EXPIRED;

    private Set<State> next() {
        return switch (this) {
            case OBSERVED -> EnumSet.of(PROPOSED, REFUSED, WITHDRAWN, EXPIRED);
            case PROPOSED -> EnumSet.of(APPROVED, REFUSED, WITHDRAWN, EXPIRED);
            case APPROVED -> EnumSet.of(SENT, FAILED, REFUSED, DECAYING, WITHDRAWN, EXPIRED);
            // Back to approved: the enforcer may have forgotten it, or we cannot know after a restart.
            case SENT -> EnumSet.of(PROVEN, APPROVED, DECAYING);
            case PROVEN -> EnumSet.of(SENT, APPROVED, DECAYING);
            case DECAYING -> EnumSet.of(WITHDRAWN, EXPIRED, FAILED);
            case FAILED -> EnumSet.of(SENT, DECAYING, WITHDRAWN, EXPIRED);
            case WITHDRAWN, REFUSED, EXPIRED -> EnumSet.noneOf(State.class);
        };
    }

    public boolean mayBecome(State other) {
        return next().contains(other);
    }

    /** Nothing can follow. */
    public boolean isOver() {
        return next().isEmpty();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
