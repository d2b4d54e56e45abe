package io.pathlore.dataplane.traffic;

/** The kinds of attack, by the name events use. */
public enum Vector {
    UDP_FLOOD("udp-flood"),
    SYN_FLOOD("syn-flood"),
    ICMP_FLOOD("icmp-flood"),
    REFLECTION("reflection"),
    FRAGMENT_FLOOD("fragment-flood"),
    CARPET_BOMBING("carpet-bombing"),
    SCAN("scan");

    private final String label;

    Vector(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
