package io.pathlore.wire.inband;

import java.nio.ByteBuffer;

/**
 * One INT header found in a packet, with the hops behind it, read in place. Hot path: filled again for every packet.
 * Accessors answer {@link HopView#ABSENT} (or -1) for what this version or type does not have.
 */
public final class IntHeaderView {
    ByteBuffer buffer = ByteBuffer.allocate(0);
    Encapsulation encapsulation = Encapsulation.UDP;
    IntVersion version = IntVersion.V2;
    int type = IntShim.TYPE_MD;
    /** A destination header whose contents nobody defined. */
    boolean opaque;
    /** Offset of the shim, or -1 where there is none (Geneve). */
    int shimAt;

    int headerAt;
    int stackAt;
    /** Where the INT header, its stack and tail end by their length fields; may lie beyond the bytes present. */
    int end;

    int hopBytes;
    /** Whole hops present. */
    int hops;
    /** Words behind the last split hop that belong to the source hop but cannot be told apart (unknown domain). */
    int rawWords;

    int sourceOnlyWords;
    /** Words before the device id among the DS words of the source hop, or -1. */
    int wordsBeforeDevice = -1;

    /** Octets from the start of the source hop to its DS words. */
    int domainAt;

    /** The source hop has words that other hops have not, beyond the device id. */
    boolean sourceHopDiffers;

    int insertedWords;
    boolean truncated;
    boolean ignoreFlags;
    boolean twoBitVersion;
    /** The hops stand behind an INT-MX header, which has no Hop ML and no hop count. */
    boolean withoutHopMl;

    int originalDscp;
    int tailAt;

    final HopLayout layout = new HopLayout();
    final HopLayout sourceLayout = new HopLayout();

    /** The same header in bytes that lie elsewhere; the caller knows that what decided its reading is unchanged. */
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    public void moveTo(ByteBuffer buffer, int delta) {
        if (this.buffer != buffer) {
            this.buffer = buffer;
        }
        shimAt += delta;
        headerAt += delta;
        stackAt += delta;
        end += delta;
    }

    public Encapsulation encapsulation() {
        return encapsulation;
    }

    public IntVersion version() {
        return version;
    }

    /** {@link IntShim#TYPE_MD} (hop-by-hop before 2.0), {@link IntShim#TYPE_MX} or {@link IntShim#TYPE_DESTINATION}. */
    public int type() {
        return type;
    }

    public boolean opaque() {
        return opaque;
    }

    public int shimOffset() {
        return shimAt;
    }

    public int headerOffset() {
        return headerAt;
    }

    public int headerBytes() {
        return version == IntVersion.V2 ? IntHeader.LENGTH_V2 : IntHeader.LENGTH_BEFORE_V2;
    }

    public int stackOffset() {
        return stackAt;
    }

    public int end() {
        return end;
    }

    /** Offset of the INT 0.5 tail, or -1. */
    public int tailOffset() {
        return tailAt;
    }

    public int instructions() {
        return buffer.getShort(headerAt + 4) & 0xFFFF;
    }

    private boolean hasHopMl() {
        return version == IntVersion.V1_0 || version == IntVersion.V2 && type == IntShim.TYPE_MD && !withoutHopMl;
    }

    public long hopMl() {
        return hasHopMl() ? buffer.get(headerAt + 2) & 0x1F : HopView.ABSENT;
    }

    public long remainingHops() {
        return hasHopMl() ? buffer.get(headerAt + 3) & 0xFF : HopView.ABSENT;
    }

    private boolean hasCounts() {
        return version == IntVersion.JUNE_2016 || version == IntVersion.V0_5;
    }

    public long maxHops() {
        return hasCounts() ? buffer.get(headerAt + 2) & 0xFF : HopView.ABSENT;
    }

    public long totalHops() {
        return hasCounts() ? buffer.get(headerAt + 3) & 0xFF : HopView.ABSENT;
    }

    public boolean discard() {
        return version == IntVersion.V2 && !ignoreFlags && (buffer.get(headerAt) & 0x08) != 0;
    }

    public boolean hopLimitExceeded() {
        if (ignoreFlags) {
            return false;
        }
        int first = buffer.get(headerAt);
        return switch (version) {
            case JUNE_2016 -> (first & 0x04) != 0;
            case V0_5 -> (first & (twoBitVersion ? 0x04 : 0x01)) != 0;
            case V1_0 -> (first & 0x01) != 0;
            case V2 -> type != IntShim.TYPE_MX && (first & 0x04) != 0;
        };
    }

    public boolean mtuExceeded() {
        if (ignoreFlags) {
            return false;
        }
        return switch (version) {
            case JUNE_2016, V0_5 -> false;
            case V1_0 -> (buffer.get(headerAt + 1) & 0x80) != 0;
            case V2 -> type != IntShim.TYPE_MX && (buffer.get(headerAt) & 0x02) != 0;
        };
    }

    /** The packet is a copy made on request (Rep), up to INT 1.0. */
    public boolean replica() {
        int first = buffer.get(headerAt);
        return switch (version) {
            case JUNE_2016 -> (first & 0x08) != 0;
            case V0_5 -> (first & (twoBitVersion ? 0x08 : 0x02)) != 0;
            case V1_0 -> (first & 0x02) != 0;
            case V2 -> false;
        };
    }

    public long domainId() {
        return version == IntVersion.V2 ? buffer.getShort(headerAt + 6) & 0xFFFF : HopView.ABSENT;
    }

    public long dsInstructions() {
        return version == IntVersion.V2 ? buffer.getShort(headerAt + 8) & 0xFFFF : HopView.ABSENT;
    }

    public long dsFlags() {
        return version == IntVersion.V2 ? buffer.getShort(headerAt + 10) & 0xFFFF : HopView.ABSENT;
    }

    /** DSCP before the packet was marked, or -1. */
    public int originalDscp() {
        return originalDscp;
    }

    /** Whole hops present in the packet. */
    public int hops() {
        return hops;
    }

    /** Bytes of the stack are missing: the oldest hops are lost. */
    public boolean truncated() {
        return truncated;
    }

    /** Hop {@code index} on the packet's way, 0 being the first hop that is present. */
    public void hop(int index, HopView into) {
        int at = hopOffset(index);
        into.wrap(buffer, at, isSourceHop(index) ? sourceLayout : layout);
    }

    /** Like {@link #hop} with 0; false when no hop is present. {@link #nextHop} goes on from there. */
    public boolean firstHop(HopView into) {
        if (hops == 0) {
            return false;
        }
        hop(0, into);
        return true;
    }

    /** From a hop of this header to the next on the packet's way; false, and {@code hop} as it was, behind the last one. */
    public boolean nextHop(HopView hop) {
        int at = hop.offset() - hopBytes;
        if (at < stackAt) {
            return false;
        }
        hop.moveTo(at, layout);
        return true;
    }

    /** Offset of hop {@code index} on the packet's way; the stack holds the newest hop first. */
    public int hopOffset(int index) {
        return stackAt + (hops - 1 - index) * hopBytes;
    }

    public int hopBytes() {
        return hopBytes;
    }

    /** The hop that also holds the source-only words. */
    private boolean isSourceHop(int index) {
        return index == 0 && sourceHopDiffers && !truncated;
    }

    /** Words of the oldest hop where it cannot be split, 0 normally; they start at {@link #rawOffset}. */
    public int rawWords() {
        return rawWords;
    }

    public int rawOffset() {
        return stackAt + hops * hopBytes;
    }

    /** Offset of the 8-byte device id the source put on the packet, or -1. */
    public int sourceDeviceOffset() {
        if (wordsBeforeDevice < 0 || sourceOnlyWords == 0 || truncated) {
            return -1;
        }
        return hops == 0
                ? stackAt + 4 * wordsBeforeDevice
                : stackAt + (hops - 1) * hopBytes + domainAt + 4 * wordsBeforeDevice;
    }

    /** First of the two words that {@link #sourceDeviceOffset} takes among the source hop's domain words, or -1. */
    public int deviceWordIndex() {
        return wordsBeforeDevice;
    }

    /** Words an INT-MX source inserted, read by {@link #insertedWord}. */
    public int insertedWords() {
        return insertedWords;
    }

    public int insertedWord(int index) {
        return buffer.getInt(stackAt + 4 * index);
    }
}
