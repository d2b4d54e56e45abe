package io.pathlore.wire.decode;

/** The layout a report's bytes follow, whatever its version nibble says. */
public enum ReportVersion {
    V0_5("0.5"),
    V1_0("1.0"),
    V2_0("2.0");

    private final String label;

    ReportVersion(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
