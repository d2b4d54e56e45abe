package io.pathlore.model;

/**
 * Known ways in which emitters depart from the specifications and which lenient decoding repairs. The names are the
 * A-numbers of docs/spec-notes.md, the same in JSON and in {@code pathlore check}.
 */
public enum Quirk {
    A_05("A-05", "TR 2.0 §3.3.1", "MD Length leaves out the domain specific words (as printed in example 4.2)"),
    A_08("A-08", "TR 2.0 §3.3.1", "metadata padded with all ones beyond what the bitmaps ask for"),
    A_12("A-12", "TR 2.0 §3.3", "RepType IOAM: its contents are not defined"),
    A_14("A-14", "INT June 2016 §5.3.2", "VXLAN-GPE announces INT with the P flag clear"),
    A_27("A-27", "TR 2.0 §3.1", "UDP length beyond the bytes sent: the report was cut after its lengths were computed"),
    A_28("A-28", "TR 2.0 §3.3", "RepType 0 with INT contents and constant lengths"),
    A_29("A-29", "TR 2.0 §3.3", "InType says IP, an Ethernet header is there"),
    A_30("A-30", "INT 2.1 §5.7.2", "IP protocol already restored although UDP and INT follow"),
    A_31("A-31", "INT 2.1 §5.7.2", "shim Length counts the shim"),
    A_32("A-32", "TR 2.0 §3.2", "sequence number in the upper 16 of 22 bits"),
    A_33("A-33", "TR 2.0 §3.3", "drop report with RepType 0, D clear and bytes behind the report"),
    A_41("A-41", "INT 1.0 metadata header", "8-byte timestamps and one-word level 2 interfaces in INT 1.0"),
    A_42("A-42", "INT 1.0 metadata header", "packet sequence number in the reserved 16 bits"),
    A_44("A-44", "INT June 2016 §5.3.3", "8-byte timestamps in an INT header of the 2016 layout"),
    A_47("A-47", "TR 1.0 §3.2", "D, Q, F at bits 17-19 instead of 23-25"),
    A_48("A-48", "INT 1.0 metadata header", "INT 1.0 header with version 0"),
    A_49("A-49", "INT 0.5 metadata header", "INT 0.5 header with the two-bit version of June 2016"),
    A_56("A-56", "INT 1.0 TCP/UDP", "INT stands before the TCP options though the data offset covers them"),
    A_57("A-57", "TR 2.0 §3.2", "version 1 on a version 2.0 header"),
    A_58("A-58", "TR 2.0 §3.3", "no individual report header behind the group header"),
    A_59("A-59", "TR 2.0 §3.3", "Report Length and MD Length 0 though contents follow"),
    A_60("A-60", "TR 1.0 §3.2", "Length does not match the header that is there"),
    A_61("A-61", "TR 0.5 §3.2", "version 1 on a version 0.5 header"),
    A_62("A-62", "INT 2.1 §5.9", "type MX on a packet that carries a hop stack"),
    A_67("A-67", "TR 1.0 §3.2", "switch id 0 when the hop limit was reached"),
    A_68("A-68", "INT 2.1 §5.8", "item widths differ from the specification; solved from Hop ML"),
    A_70("A-70", "TR 2.0 §3.1", "outer IP or UDP lengths are wrong: a UDP socket never delivers this report");

    private final String label;
    private final String clause;
    private final String meaning;

    Quirk(String label, String clause, String meaning) {
        this.label = label;
        this.clause = clause;
        this.meaning = meaning;
    }

    public String label() {
        return label;
    }

    /** The clause of the specification that the bytes depart from. */
    public String clause() {
        return clause;
    }

    public String meaning() {
        return meaning;
    }
}
