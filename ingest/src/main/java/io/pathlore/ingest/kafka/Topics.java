package io.pathlore.ingest.kafka;

/** Names that outsiders rely on. */
public final class Topics {
    public static final String DATAGRAMS = "pathlore.datagrams.v1";
    public static final String EVENTS = "pathlore.events.v1";
    public static final String ROLLUPS = "pathlore.rollups.v1";

    private Topics() {}
}
