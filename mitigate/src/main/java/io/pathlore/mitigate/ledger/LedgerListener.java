package io.pathlore.mitigate.ledger;

import org.jspecify.annotations.Nullable;

/** Hears what changed, from the thread that owns the ledger: must not wait for anything. */
public interface LedgerListener {
    /** For whoever asks afterwards: who did what with it, and why. {@code about} is null where it is no single mitigation. */
    void onAct(Operator by, String what, String why, @Nullable Mitigation about);

    /** A rule has stopped so many packets, between two moments of the wall clock. */
    default void onStopped(Mitigation about, long fromNanos, long untilNanos, long packets) {}

    /** Somebody should look. */
    void onAlert(Alert alert, String text, @Nullable Mitigation about);

    /** Why a person is called. */
    enum Alert {
        CAP,
        FAILED,
        DISK,
        ORPHAN
    }
}
