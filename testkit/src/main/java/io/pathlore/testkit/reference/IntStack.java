package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hops of a metadata stack, newest first on the wire [INT 2.1 §5.8, spec-notes 5.12].
 *
 * @param octets the packet
 * @param from where the stack starts
 * @param words its declared length
 * @param present where the bytes in hand end
 * @param bitmap instructions
 * @param items what they mean
 * @param bos every word has a BOS bit (June 2016)
 * @param hopWords words of a hop, without source-only ones
 * @param sourceOnlyWords words the source hop has more than the others
 * @param domain domain specific items of a known domain, in bit order
 * @param domainWords words of an unknown domain in each hop
 */
record IntStack(
        Octets octets,
        int from,
        int words,
        int present,
        int bitmap,
        Items items,
        boolean bos,
        int hopWords,
        int sourceOnlyWords,
        List<DomainItem> domain,
        int domainWords) {
    private static final int DEVICE_WORDS = 2;

    /** Puts {@code hops} in path order, and what the source alone said, into the INT object. */
    void read(Map<String, Object> json) {
        List<Object> hops = new ArrayList<>();
        int end = Math.min(present, from + words * 4);
        int split = hopWords == 0 ? 0 : (words - sourceOnlyWords) / hopWords;
        int remainder = hopWords == 0 ? 0 : (words - sourceOnlyWords) % hopWords;
        int whole = remainder == 0 ? split : Math.max(split - 1, 0);
        for (int hop = 0; hop < whole; hop++) {
            int at = from + hop * hopWords * 4;
            boolean source = hop == split - 1 && sourceOnlyWords > 0;
            int needed = source && wholeOrNothing() ? hopWords + sourceOnlyWords : hopWords;
            if (at + needed * 4 <= end) {
                hops.add(hop(at, end, source, json));
            }
        }
        if (remainder != 0 && !cut()) {
            // an unknown domain hides words of the source: the last hop cannot be split
            Map<String, Object> raw = new LinkedHashMap<>();
            raw.put("raw", hexWords(from + whole * hopWords * 4, from + words * 4));
            hops.add(raw);
        }
        Collections.reverse(hops);
        json.put("hops", hops);
        if (split == 0 && remainder == 0 && sourceOnlyWords > 0 && !cut()) {
            deviceAlone(from, end, json);
        }
    }

    private boolean cut() {
        return from + words * 4 > present;
    }

    /** Source-only words may stand before items that every hop has, so that a cut hop lacks some of those [spec-notes 5.12]. */
    private boolean wholeOrNothing() {
        return Items.isSet(bitmap, IntItems.CHECKSUM_COMPLEMENT, IntItems.BITS)
                || domain.stream().anyMatch(item -> !item.sourceOnly());
    }

    /** The source pushed nothing but its source-only words. */
    private void deviceAlone(int from, int end, Map<String, Object> json) {
        int at = from;
        for (DomainItem item : domain) {
            if (item.sourceOnly()) {
                boolean device = item.name().equals("device") && item.words() == DEVICE_WORDS;
                if (device && at + item.words() * 4 <= end && !octets.allOnes(at * 8, DEVICE_WORDS * 32)) {
                    json.put("sourceDevice", octets.mac(at));
                }
                at += item.words() * 4;
            }
        }
    }

    private Map<String, Object> hop(int from, int end, boolean source, Map<String, Object> json) {
        Map<String, Object> hop = new LinkedHashMap<>();
        List<Object> domainHex = new ArrayList<>();
        int at = from;
        for (int bit = 0; bit < IntItems.CHECKSUM_COMPLEMENT; bit++) {
            at = item(bit, at, end, hop);
        }
        for (DomainItem item : domain) {
            if (item.sourceOnly() && (!source || cut())) {
                continue;
            }
            int next = at + item.words() * 4;
            if (next <= end) {
                if (item.sourceOnly() && item.name().equals("device") && item.words() == DEVICE_WORDS) {
                    if (!octets.allOnes(at * 8, DEVICE_WORDS * 32)) {
                        json.put("sourceDevice", octets.mac(at));
                    }
                } else {
                    domainHex.addAll(hexWords(at, next));
                }
            }
            at = next;
        }
        domainHex.addAll(hexWords(at, at + domainWords * 4));
        at += domainWords * 4;
        item(IntItems.CHECKSUM_COMPLEMENT, at, end, hop);
        if (!domainHex.isEmpty()) {
            hop.put("domain", domainHex);
        }
        return hop;
    }

    private int item(int bit, int at, int end, Map<String, Object> hop) {
        if (!Items.isSet(bitmap, bit, IntItems.BITS)) {
            return at;
        }
        int next = at + (items.knows(bit) ? items.words(bit) : 1) * 4;
        if (next <= end) {
            items.read(bit, octets, at, bos ? 1 : 0, hop);
        }
        return next;
    }

    private List<Object> hexWords(int from, int end) {
        List<Object> list = new ArrayList<>();
        for (int at = from; at < end; at += 4) {
            list.add(octets.hex(at, at + 4));
        }
        return list;
    }
}
