package io.pathlore.dataplane.inband;

/** Who carries the metadata [INT 2.1 §2]. */
public enum Mode {
    /** Embedded data: every node adds its metadata to the packet, the sink reports. */
    MD,
    /** Embedded instructions: the packet carries what to report, every node reports for itself. */
    MX,
    /** Export data: the packet is untouched, every node matches for itself and reports. */
    XD
}
