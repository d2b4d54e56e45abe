package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.wire.inband.Encapsulation;

/** Headers that carry another packet: overlays, tunnels, labels and service chains. */
final class TunnelWalker {
    private static final int MAX_LABELS = 16;
    private static final int MAX_EXTENSIONS = 8;

    private final boolean strict;
    private final Walk walk;
    private final IntFinder finder;
    private final IoamFinder ioamFinder;

    TunnelWalker(boolean strict, Walk walk, IntFinder finder, IoamFinder ioamFinder) {
        this.strict = strict;
        this.walk = walk;
        this.finder = finder;
        this.ioamFinder = ioamFinder;
    }

    int step(int step) {
        return switch (step) {
            case Walk.MPLS -> mpls();
            case Walk.PPPOE -> pppoe();
            case Walk.NSH -> nsh();
            case Walk.VXLAN -> vxlan();
            case Walk.GPE -> vxlanGpe();
            case Walk.GENEVE -> geneve();
            case Walk.GTP_U -> gtpU();
            default -> Walk.STOP;
        };
    }

    private int mpls() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        int stack = walk.at;
        for (int labels = 0; labels < MAX_LABELS; labels++) {
            if (walk.limit - walk.at < 4) {
                walk.cut(Layer.MPLS);
                return walk.fault(Fault.PKT_TRUNCATED_L2, walk.at);
            }
            boolean bottom = (walk.buffer.get(walk.at + 2) & 1) != 0;
            walk.at += 4;
            if (bottom) {
                walk.view.add(Layer.MPLS, stack);
                return behindMpls();
            }
        }
        return walk.fault(Fault.PKT_MPLS_NO_BOS, walk.at);
    }

    /** Nothing says what follows the last label; the first nibble decides, as routers do [RFC 4928]. */
    private int behindMpls() {
        if (walk.limit <= walk.at) {
            return Walk.STOP;
        }
        int nibble = walk.u8(walk.at) >> 4;
        if (nibble == 4) {
            return Walk.IPV4;
        }
        if (nibble == 6) {
            return Walk.IPV6;
        }
        if (nibble == 0) {
            walk.at += 4; // pseudowire control word
        }
        return Walk.ETHERNET;
    }

    private int pppoe() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        if (walk.limit - walk.at < 8) {
            walk.cut(Layer.PPPOE);
            return walk.fault(Fault.PKT_TRUNCATED_L2, walk.at);
        }
        walk.view.add(Layer.PPPOE, walk.at);
        int ppp = walk.u16(walk.at + 6);
        walk.at += 8;
        return ppp == 0x0021 ? Walk.IPV4 : ppp == 0x0057 ? Walk.IPV6 : Walk.STOP;
    }

    // ---- tunnels

    private int vxlan() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        if (walk.limit - walk.at < 8) {
            return walk.cut(Layer.VXLAN);
        }
        if ((walk.buffer.get(walk.at) & 0x08) == 0) {
            return Walk.STOP;
        }
        walk.view.add(Layer.VXLAN, walk.at);
        walk.vni = walk.buffer.getInt(walk.at + 4) >>> 8;
        walk.at += 8;
        return Walk.ETHERNET;
    }

    private int vxlanGpe() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        if (walk.limit - walk.at < 8) {
            return walk.cut(Layer.VXLAN_GPE);
        }
        int flags = walk.u8(walk.at);
        if ((flags & 0x30) != 0) {
            return Walk.STOP;
        }
        int next = walk.u8(walk.at + 3);
        boolean isInt = finder.gpeStyle(next) != 0 && walk.searchMarks;
        if ((flags & 0x04) == 0) {
            if (!isInt) {
                if ((flags & 0x08) == 0) {
                    return Walk.STOP;
                }
                next = 3;
            } else if (strict) {
                return walk.fault(Fault.PKT_GPE_P_BIT_CLEAR, walk.at);
            } else {
                walk.warnings.add(Quirk.A_14, walk.at);
            }
        }
        walk.view.add(Layer.VXLAN_GPE, walk.at);
        if ((flags & 0x08) != 0) {
            walk.vni = walk.buffer.getInt(walk.at + 4) >>> 8;
        }
        walk.at += 8;
        walk.destinationSeen = false;
        while (finder.gpeStyle(next) != 0) {
            if (!walk.searchMarks || !finder.shimInt(finder.gpeStyle(next), Encapsulation.VXLAN_GPE)) {
                return Walk.STOP;
            }
            next = finder.nextProtocol();
        }
        return nextProtocol(next);
    }

    /** Walk.VXLAN-Walk.GPE and Walk.NSH share these values. */
    private int nextProtocol(int next) {
        return switch (next) {
            case 1 -> Walk.IPV4;
            case 2 -> Walk.IPV6;
            case 3 -> Walk.ETHERNET;
            case 4 -> Walk.NSH;
            default -> Walk.STOP;
        };
    }

    private int geneve() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        int geneve = walk.at;
        if (walk.limit - geneve < 8) {
            return walk.cut(Layer.GENEVE);
        }
        int first = walk.u8(geneve);
        if (first >> 6 != 0) {
            return walk.fault(Fault.PKT_GENEVE_VERSION, geneve);
        }
        int optionsEnd = geneve + 8 + 4 * (first & 0x3F);
        if (optionsEnd > walk.declared) {
            return walk.fault(Fault.PKT_GENEVE_OPTLEN_OVERRUN, geneve);
        }
        walk.view.add(Layer.GENEVE, geneve);
        walk.vni = walk.buffer.getInt(geneve + 4) >>> 8;
        if (walk.searchMarks && !finder.geneveOptions(geneve + 8, optionsEnd)) {
            return Walk.STOP;
        }
        if (optionsEnd > walk.limit) {
            return walk.cut(Layer.GENEVE);
        }
        walk.etherType = walk.u16(geneve + 2);
        walk.at = optionsEnd;
        return Walk.ETHER_TYPE;
    }

    private int gtpU() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        int gtp = walk.at;
        if (walk.limit - gtp < 8) {
            return walk.cut(Layer.GTP_U);
        }
        int flags = walk.u8(gtp);
        if (flags >> 5 != 1 || walk.u8(gtp + 1) != 0xFF) {
            return Walk.STOP;
        }
        walk.at = gtp + 8;
        if ((flags & 7) != 0) {
            if (walk.limit - walk.at < 4) {
                return walk.cut(Layer.GTP_U);
            }
            // The type of the first extension header counts only with E set.
            int nextType = (flags & 4) != 0 ? walk.u8(walk.at + 3) : 0;
            walk.at += 4;
            for (int count = 0; nextType != 0; count++) {
                if (count == MAX_EXTENSIONS) {
                    return Walk.STOP;
                }
                if (walk.limit <= walk.at) {
                    return walk.cut(Layer.GTP_U);
                }
                int bytes = 4 * walk.u8(walk.at);
                if (bytes == 0) {
                    return Walk.STOP;
                }
                if (walk.limit - walk.at < bytes) {
                    return walk.cut(Layer.GTP_U);
                }
                walk.at += bytes;
                nextType = walk.u8(walk.at - 1);
            }
        }
        walk.view.add(Layer.GTP_U, gtp);
        if (walk.limit <= walk.at) {
            return Walk.STOP;
        }
        int nibble = walk.u8(walk.at) >> 4;
        return nibble == 4 ? Walk.IPV4 : nibble == 6 ? Walk.IPV6 : Walk.STOP;
    }

    private int nsh() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        int nsh = walk.at;
        if (walk.limit - nsh < 8) {
            return walk.cut(Layer.NSH);
        }
        int headerBytes = 4 * (walk.u8(nsh + 1) & 0x3F);
        if (walk.u8(nsh) >> 6 != 0 || headerBytes < 8) {
            return Walk.STOP;
        }
        if (walk.limit - nsh < headerBytes) {
            return walk.cut(Layer.NSH);
        }
        walk.view.add(Layer.NSH, nsh);
        int next = walk.u8(nsh + 3);
        walk.at = nsh + headerBytes;
        while (next == 6) {
            if (walk.limit - walk.at < 4) {
                return walk.cut(Layer.IOAM);
            }
            int bytes = 4 * walk.u8(walk.at + 1);
            if (bytes < 4) {
                return walk.fault(Fault.IOAM_OPTION_TRUNCATED, walk.at);
            }
            int ioam = walk.at;
            ioamFinder.option(walk.u8(walk.at), walk.at + 4, walk.at + bytes);
            next = walk.u8(walk.at + 3);
            walk.at += bytes;
            if (walk.at > walk.limit) {
                return walk.cut(Layer.IOAM);
            }
            walk.view.add(Layer.IOAM, ioam);
        }
        return next == 5 ? Walk.MPLS : nextProtocol(next);
    }
}
