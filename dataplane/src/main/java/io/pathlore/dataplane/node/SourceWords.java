package io.pathlore.dataplane.node;

import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Domains.Domain;
import io.pathlore.wire.Domains.Item;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The domain specific words only a source adds, in DS bit order. What an item means, its name in the domain's definition
 * says: {@code device} is the packet's Ethernet source address and 16 zero bits, {@code sequence} counts the packets the source
 * marked, {@code flow} is the lower half of the flow's hash. Of any other the source knows nothing: all ones.
 */
final class SourceWords {
    private static final int MAX_WORDS = 255;
    private static final int SOURCE_ADDRESS = 6;

    private final Domains domains;
    private final int[] words = new int[MAX_WORDS];

    SourceWords(Domains domains) {
        this.domains = domains;
    }

    /** Borrowed until the next call. */
    int[] of(Instructions instructions, PacketView view, long sequence, long flowHash) {
        if (instructions.dsInstructions() == 0) {
            return words;
        }
        Domain domain = domains.find(instructions.domainId());
        if (domain == null) {
            return words;
        }
        int at = 0;
        for (int i = 0; i < domain.items().size(); i++) {
            Item item = domain.items().get(i);
            if (item.sourceOnly() && (instructions.dsInstructions() << item.bit() & 0x8000) != 0) {
                write(item, at, view, sequence, flowHash);
                at += item.words();
            }
        }
        return words;
    }

    private void write(Item item, int at, PacketView view, long sequence, long flowHash) {
        Arrays.fill(words, at, at + item.words(), -1);
        switch (item.name()) {
            case Domains.DEVICE -> {
                if (view.ethernetOffset() >= 0 && item.words() == Domains.DEVICE_WORDS) {
                    ByteBuffer buffer = view.buffer();
                    int mac = view.ethernetOffset() + SOURCE_ADDRESS;
                    words[at] = buffer.getInt(mac);
                    words[at + 1] = buffer.getShort(mac + 4) << 16;
                }
            }
            case "sequence" -> words[at] = (int) sequence;
            case "flow" -> words[at] = (int) flowHash;
            default -> {}
        }
    }
}
