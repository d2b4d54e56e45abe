package io.pathlore.ingest;

/** Why an accepted datagram is not in the journal. */
public enum JournalDrop {
    FULL("full"),
    SLOW("slow"),
    ERROR("error");

    private final String label;

    JournalDrop(String label) {
        this.label = label;
    }

    /** Its name in JSON and metrics. */
    public String label() {
        return label;
    }
}
