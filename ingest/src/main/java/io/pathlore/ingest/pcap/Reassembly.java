package io.pathlore.ingest.pcap;

import io.pathlore.wire.net.OuterHeaders;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the fragments of IP packets together, as the kernel does for a socket. Holds at most {@link #MAX_PACKETS}
 * unfinished packets, the oldest of which makes room for another, and none for longer than {@link #EXPIRY_NANOS} of
 * capture time. Where IPv4 fragments overlap the first to come wins; a packet whose IPv6 fragments do is given up
 * [RFC 5722]. Its memory is taken once, packet by packet as that many are needed at the same time.
 *
 * <p>Every fragment is counted once: it is pending, and then either joined, or incomplete, or the one that completed.
 */
final class Reassembly {
    static final int MAX_PACKETS = 64;
    static final long EXPIRY_NANOS = 30_000_000_000L;
    static final int MAX_LENGTH = 0xFFFF;
    private final List<Packet> packets = new ArrayList<>(MAX_PACKETS);
    private Packet complete = new Packet(0);
    private long started;
    private long seen;
    private long pending;
    private long joined;
    private long incomplete;

    /** Takes in a fragment; true when it was the last one missing, and the packet lies in {@link #buffer}. */
    boolean add(OuterHeaders fragment, ByteBuffer from, long timeNanos) {
        seen++;
        pending++;
        Packet packet = find(fragment, timeNanos);
        packet.add(fragment, from);
        if (!packet.isComplete()) {
            return false;
        }
        pending -= packet.fragments;
        joined += packet.fragments - 1;
        packet.inUse = false;
        complete = packet;
        return true;
    }

    /** No more fragments will come. */
    void end() {
        packets.forEach(this::giveUp);
    }

    private Packet find(OuterHeaders fragment, long timeNanos) {
        Packet found = null;
        Packet free = null;
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            if (packet.isOlderThan(EXPIRY_NANOS, timeNanos)) {
                giveUp(packet);
            }
            if (!packet.inUse) {
                free = packet;
            } else if (packet.isOf(fragment)) {
                found = packet;
            }
        }
        if (found != null) {
            return found;
        }
        if (free == null) {
            free = packets.size() < MAX_PACKETS ? allocate() : evictOldest();
        }
        free.start(fragment, started++, timeNanos);
        return free;
    }

    private Packet allocate() {
        var packet = new Packet(MAX_LENGTH);
        packets.add(packet);
        return packet;
    }

    private Packet evictOldest() {
        Packet oldest = packets.getFirst();
        for (Packet packet : packets) {
            if (packet.order < oldest.order) {
                oldest = packet;
            }
        }
        giveUp(oldest);
        return oldest;
    }

    private void giveUp(Packet packet) {
        if (packet.inUse) {
            packet.inUse = false;
            pending -= packet.fragments;
            incomplete += packet.fragments;
        }
    }

    /** The completed packet from the header that its first fragment began with, until the next {@link #add}. */
    ByteBuffer buffer() {
        return complete.buffer;
    }

    int length() {
        return complete.length;
    }

    int protocol() {
        return complete.protocol;
    }

    /** Whether a fragment of the completed packet had been clamped. */
    boolean clamped() {
        return complete.clamped;
    }

    long seen() {
        return seen;
    }

    long pending() {
        return pending;
    }

    long joined() {
        return joined;
    }

    long incomplete() {
        return incomplete;
    }

    /** A packet in progress. Fragments lie at multiples of 8 octets, so which of them are here is a bit for every 8. */
    private static final class Packet {
        private static final int UNIT = 8;
        private static final int UNKNOWN = -1;
        private final ByteBuffer buffer;
        private final long[] present;
        private boolean inUse;
        private long order;
        private long firstNanos;
        private int fragments;
        private int unitsPresent;
        private int length; // UNKNOWN until the last fragment is here
        private int highest;
        private int protocol;
        private boolean contradictory;
        private boolean clamped;
        private boolean v6;
        private int id;
        private long sourceHi;
        private long sourceLo;
        private long destinationHi;
        private long destinationLo;

        Packet(int capacity) {
            buffer = ByteBuffer.allocate(capacity);
            present = new long[(capacity / UNIT + Long.SIZE) / Long.SIZE];
        }

        void start(OuterHeaders fragment, long order, long timeNanos) {
            inUse = true;
            this.order = order;
            firstNanos = timeNanos;
            fragments = 0;
            unitsPresent = 0;
            length = UNKNOWN;
            highest = 0;
            protocol = fragment.protocol();
            contradictory = false;
            clamped = false;
            v6 = fragment.v6();
            id = fragment.fragmentId();
            sourceHi = fragment.sourceHi();
            sourceLo = fragment.sourceLo();
            destinationHi = fragment.destinationHi();
            destinationLo = fragment.destinationLo();
            Arrays.fill(present, 0);
        }

        boolean isOf(OuterHeaders fragment) {
            // IPv6 numbers the packets of a pair of hosts whatever they carry [RFC 8200 §4.5].
            return id == fragment.fragmentId()
                    && sourceLo == fragment.sourceLo()
                    && destinationLo == fragment.destinationLo()
                    && sourceHi == fragment.sourceHi()
                    && destinationHi == fragment.destinationHi()
                    && v6 == fragment.v6()
                    && (v6 || protocol == fragment.protocol());
        }

        boolean isOlderThan(long nanos, long nowNanos) {
            return inUse
                    && firstNanos != CaptureReader.TIME_UNKNOWN
                    && nowNanos != CaptureReader.TIME_UNKNOWN
                    && nowNanos - firstNanos > nanos;
        }

        boolean isComplete() {
            return !contradictory && length != UNKNOWN && unitsPresent == units(length);
        }

        void add(OuterHeaders fragment, ByteBuffer from) {
            fragments++;
            clamped |= fragment.clamped();
            int start = fragment.fragmentOffset();
            int octets = fragment.payloadEnd() - fragment.payloadOffset();
            // All but the last are multiples of 8, unless the capture has only their start: then that is a hole.
            octets -= fragment.moreFragments() ? octets % UNIT : 0;
            int end = start + octets;
            if (contradictory || contradicts(end, fragment.moreFragments())) {
                contradictory = true;
                return;
            }
            highest = Math.max(highest, end);
            length = fragment.moreFragments() ? length : end;
            if (start == 0) {
                protocol = fragment.protocol(); // the first fragment's is the one that counts [RFC 8200 §4.5]
            }
            copy(from, fragment.payloadOffset(), start, end);
        }

        private boolean contradicts(int end, boolean moreFragments) {
            if (end > MAX_LENGTH) {
                return true;
            }
            if (moreFragments) {
                return length != UNKNOWN && end > length;
            }
            return highest > end || (length != UNKNOWN && length != end);
        }

        private void copy(ByteBuffer from, int offset, int start, int end) {
            int already = 0;
            for (int unit = start / UNIT; unit < units(end); unit++) {
                already += isPresent(unit) ? 1 : 0;
            }
            if (already > 0 && v6) {
                boolean again = already == units(end) - start / UNIT && same(from, offset, start, end);
                contradictory = !again;
                return;
            }
            for (int unit = start / UNIT; unit < units(end); unit++) {
                if (!isPresent(unit)) {
                    present[unit / Long.SIZE] |= 1L << unit;
                    unitsPresent++;
                    int at = unit * UNIT;
                    buffer.put(at, from, offset + at - start, Math.min(UNIT, end - at));
                }
            }
        }

        private boolean same(ByteBuffer from, int offset, int start, int end) {
            for (int at = start; at < end; at++) {
                if (buffer.get(at) != from.get(offset + at - start)) {
                    return false;
                }
            }
            return true;
        }

        private boolean isPresent(int unit) {
            return (present[unit / Long.SIZE] & 1L << unit) != 0;
        }

        private static int units(int octets) {
            return (octets + UNIT - 1) / UNIT;
        }
    }
}
