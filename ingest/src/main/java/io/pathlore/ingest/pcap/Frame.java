package io.pathlore.ingest.pcap;

/** The frame that was read last: what the file says of it and where it lies in the window. Filled anew for each. */
final class Frame {
    /** Counted from 1 over the whole capture; 0 before the first. */
    long number;

    long timeNanos;
    int linkType;
    int offset;
    int length;
    long originalLength;
}
