package io.pathlore.ingest;

/** Why a decoded report was not analysed. */
public enum Shed {
    OVERLOAD("overload"),
    LATE("late"),
    BINDING("binding"),
    SELF("self"),
    /** The analysis is done by others, and not here. */
    ELSEWHERE("elsewhere");

    private final String label;

    Shed(String label) {
        this.label = label;
    }

    /** Its name in JSON and metrics. */
    public String label() {
        return label;
    }
}
