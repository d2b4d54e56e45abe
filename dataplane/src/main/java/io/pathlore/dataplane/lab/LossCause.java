package io.pathlore.dataplane.lab;

/** How a packet or report vanishes without anyone having dropped it. */
public enum LossCause {
    /** By chance, on its way. */
    CHANCE,
    /** Sent into a link that is down, or on it when it went down. */
    LINK_DOWN,
    /** The exporter is silent. */
    SILENT,
    /** The exporter is restarting. */
    RESTART
}
