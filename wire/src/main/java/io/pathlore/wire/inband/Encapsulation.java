package io.pathlore.wire.inband;

/** What carries an INT header. */
public enum Encapsulation {
    TCP("tcp"),
    UDP("udp"),
    ICMP("icmp"),
    VXLAN_GPE("vxlan-gpe"),
    GENEVE("geneve"),
    GRE("gre");

    private final String label;

    Encapsulation(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
