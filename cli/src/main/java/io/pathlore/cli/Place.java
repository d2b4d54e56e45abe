package io.pathlore.cli;

import io.pathlore.wire.envelope.Envelope;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.net.AddressText;
import io.pathlore.wire.net.OuterHeaders;
import org.jspecify.annotations.Nullable;

/** Where the bytes at hand came from. Hot path: filled again for every datagram. */
final class Place {
    static final long UNKNOWN_TIME = Origin.UNKNOWN_TIME;

    /** The same, for the JSON form. */
    final Origin origin = new Origin();

    /** Of the frame in its capture, from 1; of the record in its journal, its position. */
    long number;

    boolean inJournal;
    long timeNanos = UNKNOWN_TIME;
    /** False for bytes given by hand and for data packets: nobody exported them. */
    boolean addressed;

    boolean v6;
    long sourceHigh;
    long sourceLow;
    long destinationHigh;
    long destinationLow;
    int sourcePort;
    int destinationPort;
    /** Index in the buffer of the datagram's, or packet's, first byte. */
    int start;

    void at(long frame, long timeNanos, int start) {
        number = frame;
        inJournal = false;
        this.timeNanos = timeNanos;
        this.start = start;
        addressed = false;
        origin.at(frame, timeNanos);
    }

    void of(Envelope envelope) {
        number = envelope.position();
        inJournal = true;
        timeNanos = envelope.receivedNanos();
        start = envelope.datagramOffset();
        addressed = true;
        v6 = envelope.v6();
        sourceHigh = envelope.exporterHigh();
        sourceLow = envelope.exporterLow();
        destinationHigh = envelope.destinationHigh();
        destinationLow = envelope.destinationLow();
        sourcePort = envelope.exporterPort();
        destinationPort = envelope.destinationPort();
        origin.atPosition(number, timeNanos);
        origin.between(v6, sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort);
        if (!hasDestination()) {
            origin.toUnknownAddress();
        }
    }

    /** Whether it is known which address it was sent to; a journal may not know it. */
    boolean hasDestination() {
        return !inJournal || destinationHigh != 0 || destinationLow != 0;
    }

    void between(OuterHeaders headers) {
        addressed = true;
        v6 = headers.v6();
        sourceHigh = headers.sourceHi();
        sourceLow = headers.sourceLo();
        destinationHigh = headers.destinationHi();
        destinationLow = headers.destinationLo();
        sourcePort = headers.sourcePort();
        destinationPort = headers.destinationPort();
        origin.between(v6, sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort);
    }

    /** What tells one exporter from another; null when there is none. */
    @Nullable
    Address exporter() {
        return addressed ? new Address(v6, sourceHigh, sourceLow) : null;
    }

    /** IPv4 in the lower half. */
    record Address(boolean v6, long high, long low) {
        @Override
        public String toString() {
            return AddressText.ip(v6, high, low);
        }
    }
}
