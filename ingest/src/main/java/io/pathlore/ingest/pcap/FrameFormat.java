package io.pathlore.ingest.pcap;

/** A kind of capture file, once its magic number has told which. */
sealed interface FrameFormat permits PcapFrames, PcapngFrames {
    /** Finds the next frame; false at the end. {@link Frame#number} is the caller's to count and ours to quote. */
    boolean next(Frame frame) throws CaptureException;
}
