package io.pathlore.dataplane.inband;

/** Where in a packet a source puts INT, and how others know that it is there [INT 2.1 §5.7]. */
public enum Carrier {
    /** Behind TCP or UDP, marked by the DSCP (NPT 0). Since INT 0.5. */
    DSCP,
    /** Behind TCP or UDP and a 64-bit probe marker (NPT 0). Since INT 1.0. */
    PROBE_MARKER,
    /** Behind UDP, marked by its destination port (INT 0.5: the tail keeps the original; 2.x: NPT 1). */
    UDP_PORT,
    /** Behind a UDP header the source adds in front of any L4 (NPT 2). INT 2.x. */
    NEW_UDP,
    /** Behind VXLAN-GPE; a plain VXLAN packet becomes one. All versions. */
    VXLAN_GPE,
    /** In a Geneve option. All versions. */
    GENEVE,
    /** Behind GRE; where there is none, the source adds it with an outer IPv4 header. INT 2.x over IPv4. */
    GRE
}
