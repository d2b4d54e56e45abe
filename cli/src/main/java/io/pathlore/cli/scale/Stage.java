package io.pathlore.cli.scale;

/** What parts there are, in the order in which reports come by. */
public enum Stage {
    /** Datagrams of some exporters: decoded, and their numbers followed. */
    DATAGRAMS,
    /** Reports of some flows: counted, their ways followed, packets put together. */
    FLOWS,
    /** Reports of all flows, by victim. */
    ATTACKS,
    /** Hops, queues and links; knows how complete reports were, so what the others find comes by here. */
    HOPS
}
