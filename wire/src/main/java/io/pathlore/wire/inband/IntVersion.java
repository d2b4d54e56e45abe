package io.pathlore.wire.inband;

/** Layout families of INT metadata headers; 2.0 and 2.1 are one on the wire. */
public enum IntVersion {
    JUNE_2016("2016"),
    V0_5("0.5"),
    V1_0("1.0"),
    V2("2.x");

    private final String label;

    IntVersion(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
