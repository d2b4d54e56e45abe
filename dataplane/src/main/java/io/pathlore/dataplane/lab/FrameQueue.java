package io.pathlore.dataplane.lab;

import java.util.Arrays;

/** First in, first out. Hot path: a ring that grows to what it once held. */
final class FrameQueue {
    private Frame[] ring = new Frame[16];
    private int first;
    private int size;
    /** Octets of the frames, for the owner to keep. */
    long bytes;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Frame peek() {
        return ring[first];
    }

    void add(Frame frame) {
        if (size == ring.length) {
            Frame[] larger = Arrays.copyOfRange(ring, first, first + 2 * size);
            System.arraycopy(ring, 0, larger, size - first, first);
            ring = larger;
            first = 0;
        }
        ring[first + size & ring.length - 1] = frame;
        size++;
    }

    Frame remove() {
        Frame frame = ring[first];
        first = first + 1 & ring.length - 1;
        size--;
        return frame;
    }
}
