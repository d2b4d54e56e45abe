package io.pathlore.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the operator knows of domain specific metadata: the wire says which bits are set, never how wide an item is or
 * whether only the source writes it [INT 2.1 §5.8].
 */
public final class Domains {
    public static final int TRANSPARENT_SECURITY = 0x5453;

    /** An 8-byte item of this name is shown as the device that sent the packet: MAC address and two zero bytes. */
    public static final String DEVICE = "device";

    public static final int DEVICE_WORDS = 2;

    /** Bit 0 is the most significant one. */
    public record Item(int bit, int words, boolean sourceOnly, String name) {
        public Item {
            if (bit < 0 || bit > 15 || words < 1 || words > 31) {
                throw new IllegalArgumentException("domain item bit " + bit + ", words " + words);
            }
        }
    }

    public record Domain(int id, List<Item> items) {
        public Domain {
            if (id < 1 || id > 0xFFFF) {
                throw new IllegalArgumentException("domain id " + id + " is not in 1 to 65535");
            }
            items = List.copyOf(items);
        }
    }

    /** Transparent Security's device id alone, which every decoder should know. */
    public static final Domains DEFAULT =
            new Domains(List.of(new Domain(TRANSPARENT_SECURITY, List.of(new Item(0, 2, true, DEVICE)))));

    public static final Domains NONE = new Domains(List.of());

    private final List<Domain> domains;
    private final int[] ids;
    private final int[] knownBits;
    private final byte[][] widths;
    private final int[] sourceOnlyBits;
    private final int[] deviceBit;

    public Domains(List<Domain> domains) {
        this.domains = List.copyOf(domains);
        int count = domains.size();
        ids = new int[count];
        knownBits = new int[count];
        widths = new byte[count][16];
        sourceOnlyBits = new int[count];
        deviceBit = new int[count];
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Domain domain = domains.get(i);
            if (seen.contains(domain.id)) {
                throw new IllegalArgumentException("domain " + domain.id + " is defined twice");
            }
            seen.add(domain.id);
            ids[i] = domain.id;
            deviceBit[i] = -1;
            for (Item item : domain.items) {
                int mask = 0x8000 >>> item.bit;
                knownBits[i] |= mask;
                widths[i][item.bit] = (byte) item.words;
                if (item.sourceOnly) {
                    sourceOnlyBits[i] |= mask;
                }
                if (item.name.equals(DEVICE) && item.words == DEVICE_WORDS && item.sourceOnly) {
                    deviceBit[i] = item.bit;
                }
            }
        }
    }

    public List<Domain> all() {
        return domains;
    }

    public @Nullable Domain find(int id) {
        int index = indexOf(id);
        return index < 0 ? null : domains.get(index);
    }

    /** Hot path. Whether every one of these bits has a known width in this domain. */
    public boolean knows(int id, int bits) {
        int index = indexOf(id);
        return index >= 0 && (bits & ~knownBits[index]) == 0;
    }

    /** Hot path. Words of all items whose bit is set; unknown bits count nothing. */
    public int words(int id, int bits) {
        int index = indexOf(id);
        return index < 0 ? 0 : sum(index, bits & knownBits[index]);
    }

    /** Hot path. Words that only the source writes. */
    public int sourceOnlyWords(int id, int bits) {
        int index = indexOf(id);
        return index < 0 ? 0 : sum(index, bits & sourceOnlyBits[index]);
    }

    /**
     * Words of the DS items of the source hop that stand before its device id, or -1 if there is none. Where the source
     * pushed no hop, only its own items are there: {@code sourceOnly}.
     */
    public int wordsBeforeDevice(int id, int bits, boolean sourceOnly) {
        int index = indexOf(id);
        if (index < 0 || deviceBit[index] < 0 || (bits & 0x8000 >>> deviceBit[index]) == 0) {
            return -1;
        }
        int before = ~(0xFFFF >>> deviceBit[index]) & (sourceOnly ? sourceOnlyBits[index] : knownBits[index]);
        return sum(index, bits & before);
    }

    private int sum(int index, int bits) {
        int words = 0;
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            words += widths[index][15 - Integer.numberOfTrailingZeros(rest)];
        }
        return words;
    }

    private int indexOf(int id) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return i;
            }
        }
        return -1;
    }
}
