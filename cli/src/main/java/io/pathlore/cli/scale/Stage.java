package io.pathlore.cli.scale;

/** What parts there are, in the order in which reports come by. */
public enum Stage {
    /** Datagrams of some exporters: decoded, and their numbers followed. */
    DATAGRAMS,
    /** Reports of some flows: counted, their ways followed, packets put together. */
    FLOWS,
    /** Reports of packets that are sent to some networks, or come out of them. */
    ATTACKS,
    /** Reports that some nodes are in: their hops and queues, and links. */
    HOPS,
    /** Sees no reports: knows how complete they were, which link is down, and who scans together. What the others find comes by here. */
    VERDICTS
}
