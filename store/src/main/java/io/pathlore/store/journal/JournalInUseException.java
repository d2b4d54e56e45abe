package io.pathlore.store.journal;

/** Another process writes this journal, or keeps others from it. */
public final class JournalInUseException extends JournalException {
    private static final long serialVersionUID = 1;

    private final String owner;

    JournalInUseException(String where, String owner) {
        super("journal " + where + ": is written by another collector" + owner
                + "; stop it, or give this one a data directory of its own");
        this.owner = owner;
    }

    /** {@code " (process 17)"}, or nothing where that is not known. */
    public String owner() {
        return owner;
    }
}
