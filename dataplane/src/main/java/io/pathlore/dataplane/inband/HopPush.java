package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** What a node changes of the INT header that others put into a packet: its hop, its flags, its counts. Hot path. */
final class HopPush {
    private static final int MAX_SHIM_WORDS = 255;
    private static final int MAX_OPTION_WORDS = 31;
    private static final int MAX_GENEVE_WORDS = 63;
    private static final int MAX_SOURCE_WORDS = 255;

    private final Domains domains;
    private final boolean transparentSecurity;
    private final HopWriter hopWriter;
    private final Ripple ripple = new Ripple();
    /** Source-only words that a hop pushed to an otherwise empty stack has to stand among. */
    private final int[] sourceWords = new int[MAX_SOURCE_WORDS];

    HopPush(Domains domains, boolean transparentSecurity) {
        this.domains = domains;
        this.transparentSecurity = transparentSecurity;
        this.hopWriter = new HopWriter(domains);
    }

    Push push(Packet packet, PacketView view, HopValues own, NodeAbility ability, int mtu) {
        if (view.ints() == 0) {
            return Push.UNABLE;
        }
        IntHeaderView header = view.intHeader(0);
        if (!isPushable(view, header)) {
            return Push.UNABLE;
        }
        int layer = layer(view);
        boolean grows = Ripple.canGrow(view, layer, 0, header.hopBytes(), header.end());
        if (!grows && !isInside(view)) {
            return Push.UNABLE;
        }
        ByteBuffer buffer = packet.buffer();
        IntVersion version = header.version();
        if (isAtLimit(header)) {
            setFlags(packet, view, HeaderFlags.hopLimitExceeded(version, transparentSecurity));
            return Push.HOP_LIMIT;
        }
        int bitmap = header.instructions();
        int bytes = header.hopBytes();
        int domainWords = bytes / 4 - HopWriter.baseWords(version, bitmap);
        int domain = version == IntVersion.V2 ? (int) header.domainId() : 0;
        int ds = version == IntVersion.V2 ? (int) header.dsInstructions() : 0;
        if (!grows
                || bytes == 0
                || domainWords < 0
                || domainWords > 0 && (ds == 0 || domain == 0)
                || bytes / 4 > ability.maxHopWords()
                || packet.start() < bytes
                || !lengthsTake(view, header, layer, bytes / 4)) {
            return Push.UNABLE;
        }
        boolean known = ds == 0 || domains.knows(domain, ds);
        int stackWords = (stackEnd(header) - header.stackOffset()) / 4;
        int sourceOnly = ds != 0 && known ? domains.sourceOnlyWords(domain, ds) : 0;
        if (sourceOnly > 0 && stackWords < sourceOnly) {
            // The source pushed nothing; a hop now would be read as the source's own words.
            return Push.UNABLE;
        }
        if (Ripple.ipLength(view) + bytes > mtu) {
            if (ability.intermediateReports() && canClear(header)) {
                return Push.REPORT_FIRST;
            }
            setFlags(packet, view, HeaderFlags.mtuExceeded(version, transparentSecurity));
            return Push.MTU;
        }
        if (!ability.padsUnknown() && (!known || (bitmap & HopWriter.reserved(version)) != 0)) {
            return Push.UNABLE;
        }
        int stack = header.stackOffset();
        ripple.begin(buffer);
        int hopEnd = stack;
        if (sourceOnly > 0 && stackWords == sourceOnly) {
            hopEnd = stack + 4 * sourceOnly;
            for (int i = 0; i < sourceOnly; i++) {
                sourceWords[i] = buffer.getInt(stack + 4 * i);
            }
            ripple.removed(stack, hopEnd);
            packet.insert(stack, bytes);
            hopWriter.sourceHop(buffer, stack - bytes, version, bitmap, domain, ds, own, sourceWords, sourceOnly);
        } else {
            packet.insert(stack, bytes);
            hopWriter.hop(buffer, stack - bytes, version, bitmap, domainWords, known, own);
            if (version == IntVersion.JUNE_2016 && stackWords == 0) {
                HopEncoder.markBottomOfStack(buffer, stack - 4);
            }
        }
        ripple.added(stack - bytes, hopEnd);
        count(buffer, header, -bytes);
        lengthen(buffer, view, header, layer, -bytes, bytes / 4);
        boolean complements = ability.complements() && HopWriter.hasComplement(version, bitmap);
        ripple.outward(view, layer, -bytes, bytes, complements ? hopEnd - 4 : Ripple.NO_COMPLEMENT);
        return Push.PUSHED;
    }

    /** One more header to which hops may be added: not cut, of a version whose shim says how it counts. */
    private static boolean isPushable(PacketView view, IntHeaderView header) {
        if (header.type() != IntShim.TYPE_MD || header.opaque() || header.truncated()) {
            return false;
        }
        boolean two = header.version() == IntVersion.V2;
        if (two && header.hopMl() < 0) {
            return false;
        }
        return header.shimOffset() < 0 || (IntShim.type(view.buffer().getInt(header.shimOffset())) != 0) == two;
    }

    /** Whether the packet's own lengths cover the first INT header: what lies behind them is not the packet's. */
    static boolean isInside(PacketView view) {
        return Ripple.canGrow(view, layer(view), 0, 0, view.intHeader(0).end());
    }

    private static boolean isAtLimit(IntHeaderView header) {
        return switch (header.version()) {
            case JUNE_2016, V0_5 -> header.totalHops() >= header.maxHops();
            case V1_0, V2 -> header.remainingHops() == 0;
        };
    }

    static int stackEnd(IntHeaderView header) {
        return header.tailOffset() >= 0 ? header.tailOffset() : header.end();
    }

    /** Index of the first INT header's layer: that of the outermost domain. */
    static int layer(PacketView view) {
        int layer = 0;
        while (view.layer(layer) != Layer.INT) {
            layer++;
        }
        return layer;
    }

    private static int geneve(PacketView view, int layer) {
        int geneve = layer - 1;
        while (view.layer(geneve) != Layer.GENEVE) {
            geneve--;
        }
        return view.layerOffset(geneve);
    }

    private static boolean lengthsTake(PacketView view, IntHeaderView header, int layer, int words) {
        ByteBuffer buffer = view.buffer();
        if (header.encapsulation() == Encapsulation.GENEVE) {
            int option = buffer.get(header.headerOffset() - 1) & MAX_OPTION_WORDS;
            int all = buffer.get(geneve(view, layer)) & MAX_GENEVE_WORDS;
            return option + words <= MAX_OPTION_WORDS && all + words <= MAX_GENEVE_WORDS;
        }
        int shim = buffer.getInt(header.shimOffset());
        int length = IntShim.type(shim) != 0 ? IntShim.length(shim) : IntShim.oldLength(shim);
        return length + words <= MAX_SHIM_WORDS;
    }

    /** The length fields of INT itself. */
    private void lengthen(ByteBuffer buffer, PacketView view, IntHeaderView header, int layer, int shift, int words) {
        if (header.encapsulation() == Encapsulation.GENEVE) {
            int option = header.headerOffset() + shift - 2;
            ripple.put(option, buffer.getShort(option) + words);
            int geneve = geneve(view, layer) + shift;
            ripple.put(geneve, buffer.getShort(geneve) + (words << 8));
            return;
        }
        int shim = header.shimOffset() + shift;
        if (IntShim.type(buffer.getInt(shim)) != 0) {
            ripple.put(shim, buffer.getShort(shim) + words);
        } else {
            ripple.put(shim + 2, buffer.getShort(shim + 2) + (words << 8));
        }
    }

    private void count(ByteBuffer buffer, IntHeaderView header, int shift) {
        int at = header.headerOffset() + shift + 2;
        int step = switch (header.version()) {
            case JUNE_2016, V0_5 -> 1;
            case V1_0, V2 -> -1;
        };
        ripple.put(at, buffer.getShort(at) + step);
    }

    void setFlags(Packet packet, PacketView view, int flags) {
        putFirst(packet, view, 0, packet.buffer().getShort(view.intHeader(0).headerOffset()) | flags);
    }

    /** Writes a 16-bit word of the first INT header. */
    void putFirst(Packet packet, PacketView view, int field, int value) {
        ripple.begin(packet.buffer());
        ripple.put(view.intHeader(0).headerOffset() + field, value);
        ripple.outward(view, layer(view), 0, 0, Ripple.NO_COMPLEMENT);
    }

    private boolean canClear(IntHeaderView header) {
        if (header.version() != IntVersion.V2 || header.hops() == 0) {
            return false;
        }
        // What belongs to the source alone has to stay, so the domain must be known.
        int ds = (int) header.dsInstructions();
        return ds == 0 || domains.knows((int) header.domainId(), ds);
    }

    boolean clear(Packet packet, PacketView view) {
        if (view.ints() == 0) {
            return false;
        }
        IntHeaderView header = view.intHeader(0);
        if (!isPushable(view, header) || !canClear(header)) {
            return false;
        }
        ByteBuffer buffer = packet.buffer();
        int layer = layer(view);
        int stack = header.stackOffset();
        int end = header.end();
        int kept = keepSourceWords(buffer, header, end);
        int bytes = end - stack - 4 * kept;
        if (!Ripple.canGrow(view, layer, 0, -bytes, end)) {
            return false;
        }
        int from = end - 4 * kept;
        ripple.begin(buffer);
        ripple.removed(stack, end);
        packet.remove(from, bytes);
        for (int i = 0; i < kept; i++) {
            buffer.putInt(from + 4 * i, sourceWords[i]);
        }
        ripple.added(from, end);
        lengthen(buffer, view, header, layer, bytes, -bytes / 4);
        ripple.outward(view, layer, bytes, -bytes, Ripple.NO_COMPLEMENT);
        return true;
    }

    /** Copies the source-only words out of the oldest hop; returns their number. */
    private int keepSourceWords(ByteBuffer buffer, IntHeaderView header, int stackEnd) {
        int domain = (int) header.domainId();
        int ds = (int) header.dsInstructions();
        if (ds == 0 || domains.sourceOnlyWords(domain, ds) == 0) {
            return 0;
        }
        int complement = HopWriter.hasComplement(header.version(), header.instructions()) ? 4 : 0;
        int word = stackEnd - complement - 4 * domains.words(domain, ds);
        int kept = 0;
        for (int rest = ds; rest != 0; ) {
            int bit = Integer.highestOneBit(rest);
            rest ^= bit;
            boolean sourceOnly = domains.sourceOnlyWords(domain, bit) > 0;
            for (int i = domains.words(domain, bit); i > 0; i--, word += 4) {
                if (sourceOnly) {
                    sourceWords[kept++] = buffer.getInt(word);
                }
            }
        }
        return kept;
    }
}
