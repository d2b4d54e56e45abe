package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntParser;
import io.pathlore.wire.inband.IntShim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows by which marks INT is announced in this network, and looks there. Hot path. */
final class IntFinder {
    /** The packet goes on as an ordinary one. */
    static final int NOT_FOUND = -1;

    static final byte GPE_NEW = 1;
    static final byte GPE_OLD = 2;
    static final byte GPE_JUNE_2016 = 3;

    private static final int PORT_INT_TRANSPARENT_SECURITY = 555;
    private static final int SHIM_MD_NPT_2 = 0x18;

    private final boolean strict;
    private final int[] intPorts;
    private final boolean[] dscpMarks = new boolean[64];
    private final @Nullable Long probeMarker;
    private final int[] geneveClasses;
    private final byte[] gpeStyles = new byte[256];
    private final int greEtherType;
    private final boolean beforeTcpOptions;
    private final boolean june2016;
    private final Walk walk;
    private final IntParser intParser;
    /** INT is looked for at the other side of TCP options too. */
    private boolean bothSides;

    IntFinder(DecodeOptions options, Walk walk) {
        this.strict = options.strict();
        this.walk = walk;
        this.intParser = new IntParser(options, walk.warnings);
        DecodeOptions.IntMarks marks = options.marks();
        intPorts = toArray(marks.udpPorts());
        geneveClasses = toArray(marks.geneveClasses());
        for (DecodeOptions.Dscp mark : marks.dscp()) {
            for (int value = 0; value < dscpMarks.length; value++) {
                dscpMarks[value] |= (value & mark.mask()) == mark.value();
            }
        }
        probeMarker = marks.probeMarker();
        greEtherType = marks.greEtherType();
        beforeTcpOptions = marks.beforeTcpOptions();
        june2016 = marks.june2016();
        if (june2016) {
            gpeStyles[DecodeOptions.IntMarks.GPE_JUNE_2016] = GPE_JUNE_2016;
        }
        marks.gpeOld().forEach(value -> gpeStyles[value] = gpeStyles[value] == 0 ? GPE_OLD : gpeStyles[value]);
        marks.gpeNew().forEach(value -> gpeStyles[value] = GPE_NEW);
    }

    private static int[] toArray(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    void begin(Profile profile) {
        bothSides = !strict && profile != Profile.SPEC;
        intParser.begin(walk.buffer, profile, walk.transparentSecurity);
    }

    boolean isMarked(int dscp) {
        return dscpMarks[dscp];
    }

    boolean beforeTcpOptions() {
        return beforeTcpOptions;
    }

    /** How INT follows this VXLAN-GPE next protocol, or 0. */
    byte gpeStyle(int nextProtocol) {
        return gpeStyles[nextProtocol];
    }

    boolean isIntEtherType(int etherType) {
        return etherType == greEtherType;
    }

    /** Next protocol or EtherType of the shim found last. */
    int nextProtocol() {
        return intParser.nextProtocol();
    }

    /** Transparent Security's sink restores the IP protocol before it copies the packet, the UDP header is still there. */
    boolean isRestoredProtocol(int l4) {
        return walk.limit - l4 >= 9 && isIntPort(walk.u16(l4 + 2)) && walk.u8(l4 + 8) == SHIM_MD_NPT_2;
    }

    /** NOT_FOUND when the packet goes on as an ordinary one, else the next step. */
    int l4Int(int position, int other, Encapsulation carrier) {
        if (carrier == Encapsulation.UDP && isIntPort(walk.view.flow.destinationPort)) {
            return strongInt(position, carrier, IntParser.Mark.UDP_PORT);
        }
        if (isProbe(position)) {
            return strongInt(position + 8, carrier, IntParser.Mark.PROBE);
        }
        if (bothSides && other != position && isProbe(other)) {
            int found = walk.view.intCount;
            int step = strongInt(other + 8, carrier, IntParser.Mark.PROBE);
            if (walk.view.intCount > found) {
                walk.warnings.add(Quirk.A_56, other);
            }
            return step;
        }
        if (walk.intFoundHere) {
            // Behind an INT header only another strong mark speaks of another one.
            return NOT_FOUND;
        }
        if (dscpMarks[walk.dscp]) {
            if (strict) {
                return strongInt(position, carrier, IntParser.Mark.DSCP);
            }
            int step = weakInt(position, other, carrier, IntParser.Mark.DSCP);
            if (step == NOT_FOUND && walk.searchWithoutMark) {
                step = weakInt(position, other, carrier, IntParser.Mark.NONE);
            }
            if (step == NOT_FOUND) {
                walk.warnings.add(Fault.INT_FALSE_POSITIVE, position);
            }
            return step;
        }
        return walk.searchWithoutMark ? weakInt(position, other, carrier, IntParser.Mark.NONE) : NOT_FOUND;
    }

    /** INT 0.5 behind an ICMP header, by DSCP alone. */
    void icmpInt(int position) {
        if (weakInt(position, position, Encapsulation.ICMP, IntParser.Mark.DSCP) == NOT_FOUND) {
            walk.warnings.add(Fault.INT_FALSE_POSITIVE, position);
        }
        // The tail has a place for a port, the packet has none.
        walk.view.flow.destinationPort = FlowView.ABSENT;
    }

    /** Where the options were cut off, INT may still stand before them; what does not verify there is not spoken of. */
    void quietInt(int position, Encapsulation carrier) {
        boolean probe = isProbe(position);
        boolean marked = probe || !walk.intFoundHere && (dscpMarks[walk.dscp] || walk.searchWithoutMark);
        if (!bothSides && !beforeTcpOptions || !marked || view().intCount == PacketView.MAX_INT_HEADERS) {
            return;
        }
        IntHeaderView header = view().nextInt();
        int noticed = walk.warnings.count();
        intParser.bounds(walk.declared, walk.present);
        IntParser.Mark mark =
                probe ? IntParser.Mark.PROBE : dscpMarks[walk.dscp] ? IntParser.Mark.DSCP : IntParser.Mark.NONE;
        int shim = probe ? position + 8 : position;
        if (intParser.overL4(shim, mark, carrier, walk.protocol, header) == Fault.NONE) {
            if (!beforeTcpOptions) {
                walk.warnings.add(Quirk.A_56, position);
            }
            behindL4Int(header);
        } else {
            walk.warnings.rewind(noticed);
        }
    }

    private PacketView view() {
        return walk.view;
    }

    private boolean isProbe(int position) {
        return probeMarker != null && walk.limit - position >= 8 && walk.buffer.getLong(position) == probeMarker;
    }

    private boolean isIntPort(int port) {
        for (int intPort : intPorts) {
            if (intPort == port) {
                return true;
            }
        }
        return walk.transparentSecurity && port == PORT_INT_TRANSPARENT_SECURITY;
    }

    private int strongInt(int position, Encapsulation carrier, IntParser.Mark mark) {
        if (walk.view.intCount == PacketView.MAX_INT_HEADERS) {
            return walk.fault(Fault.INT_CHAIN_TOO_LONG, position);
        }
        IntHeaderView header = walk.view.nextInt();
        int noticed = walk.warnings.count();
        intParser.bounds(walk.declared, walk.present);
        Fault fault = intParser.overL4(position, mark, carrier, walk.protocol, header);
        if (fault == Fault.NONE) {
            return behindL4Int(header);
        }
        walk.warnings.rewind(noticed);
        if (fault == Fault.INT_FALSE_POSITIVE) {
            if (!strict) {
                walk.warnings.add(fault, position);
            }
            return NOT_FOUND;
        }
        walk.warnings.add(fault, position);
        cutIfMissing(fault);
        return Walk.STOP;
    }

    /** A mark that ordinary packets have too, or none at all: what does not verify is not INT. */
    private int weakInt(int position, int other, Encapsulation carrier, IntParser.Mark mark) {
        if (walk.view.intCount == PacketView.MAX_INT_HEADERS) {
            return NOT_FOUND;
        }
        IntHeaderView header = walk.view.nextInt();
        int noticed = walk.warnings.count();
        intParser.bounds(walk.declared, walk.present);
        Fault fault = intParser.overL4(position, mark, carrier, walk.protocol, header);
        if (fault == Fault.NONE) {
            return behindL4Int(header);
        }
        walk.warnings.rewind(noticed);
        Fault missing = missingByCut(fault, position);
        int missingAt = position;
        if (bothSides && other != position) {
            Fault otherFault = intParser.overL4(other, mark, carrier, walk.protocol, header);
            if (otherFault == Fault.NONE) {
                walk.warnings.add(Quirk.A_56, other);
                return behindL4Int(header);
            }
            walk.warnings.rewind(noticed);
            if (missing == Fault.NONE) {
                missing = missingByCut(otherFault, other);
                missingAt = other;
            }
        }
        if (mark == IntParser.Mark.NONE || missing == Fault.NONE) {
            return NOT_FOUND;
        }
        walk.cut(Layer.INT);
        return walk.fault(missing, missingAt);
    }

    /** The fault, if only bytes that were cut off are missing. */
    private Fault missingByCut(Fault fault, int position) {
        boolean cut = fault == Fault.INT_SHIM_TRUNCATED
                ? position + IntShim.LENGTH <= walk.declared
                : isMissing(fault) && intParser.missingByCut();
        return cut ? fault : Fault.NONE;
    }

    private void cutIfMissing(Fault fault) {
        if (isMissing(fault)) {
            walk.cut(Layer.INT);
        }
    }

    private static boolean isMissing(Fault fault) {
        return fault == Fault.INT_SHIM_TRUNCATED || fault == Fault.INT_HEADER_TRUNCATED;
    }

    private int behindL4Int(IntHeaderView header) {
        accept(header);
        walk.intFoundHere = true;
        boolean ipPayload = intParser.npt() == IntShim.NPT_IP_PROTOCOL;
        if (ipPayload) {
            walk.protocol = intParser.restoredProtocol();
            walk.view.inner.beneath(walk.view.flow, walk.protocol);
            walk.view.flow = walk.view.inner;
        } else {
            int port = intParser.restoredPort();
            if (port > 0 || intParser.npt() == IntShim.NPT_UDP_PORT) {
                walk.view.flow.destinationPort = port;
            }
        }
        if (header.truncated()) {
            return cutShort(header);
        }
        walk.at = header.end();
        if (ipPayload) {
            return Walk.TRANSPORT;
        }
        return header.encapsulation() == Encapsulation.UDP
                ? UdpPayload.step(walk.view.flow.destinationPort)
                : Walk.STOP;
    }

    /** A destination header may claim a length no packet has; then nothing was cut. */
    private int cutShort(IntHeaderView header) {
        return header.end() <= walk.declared ? walk.cut(Layer.INT) : Walk.STOP;
    }

    private void accept(IntHeaderView header) {
        int offset = header.shimOffset() < 0 ? header.headerOffset() : header.shimOffset();
        walk.view.add(Layer.INT, offset);
        walk.view.intCount++;
    }

    /** One more header of a chain: transit nodes read up to the destination header only [INT 2.1 §5.1]. */
    private void link(int type, int offset) {
        if (type == IntShim.TYPE_DESTINATION) {
            walk.destinationSeen = true;
        } else if (walk.destinationSeen && (type == IntShim.TYPE_MD || type == IntShim.TYPE_MX)) {
            walk.warnings.add(Fault.INT_TYPE_ORDER, offset);
        }
    }

    /** One link of a chain of INT headers behind Walk.VXLAN-Walk.GPE or Walk.GRE. True when the walk goes on behind it. */
    boolean shimInt(int style, Encapsulation carrier) {
        if (walk.view.intCount == PacketView.MAX_INT_HEADERS) {
            walk.warnings.add(Fault.INT_CHAIN_TOO_LONG, walk.at);
            return false;
        }
        link(typeAhead(style == GPE_NEW), walk.at);
        IntHeaderView header = walk.view.nextInt();
        int noticed = walk.warnings.count();
        intParser.bounds(walk.declared, walk.present);
        Fault fault = intParser.behindShim(walk.at, style == GPE_NEW, style == GPE_JUNE_2016, carrier, header);
        if (fault != Fault.NONE) {
            walk.warnings.rewind(noticed);
            cutIfMissing(fault);
            // Nothing is ever wrong with a destination header, not even that it is cut.
            if (fault != Fault.INT_SHIM_TRUNCATED || typeAhead(style == GPE_NEW) != IntShim.TYPE_DESTINATION) {
                walk.warnings.add(fault, walk.at);
            }
            return false;
        }
        accept(header);
        if (header.truncated()) {
            cutShort(header);
            return false;
        }
        walk.at = header.end();
        return true;
    }

    /** Type of the shim at hand, 0 when it has no byte. */
    private int typeAhead(boolean newStyle) {
        if (walk.at >= walk.limit) {
            return 0;
        }
        return newStyle ? walk.u8(walk.at) >> 4 : walk.u8(walk.at);
    }

    boolean geneveOptions(int from, int end) {
        walk.destinationSeen = false;
        int option = from;
        while (option < end) {
            if (walk.limit - option < 4 || end - option < 4) {
                return true;
            }
            int word = walk.buffer.getInt(option);
            int next = option + 4 + 4 * (word & 0x1F);
            int type = word >>> 8 & 0x7F;
            boolean old = june2016 && word >>> 16 != DecodeOptions.IntMarks.GENEVE_CLASS;
            int last = old ? IntShim.TYPE_DESTINATION : IntShim.TYPE_MX;
            boolean isInt = type >= IntShim.TYPE_MD && type <= last && isIntClass(word >>> 16);
            if (isInt && !geneveInt(option, next, end, type, word >>> 16)) {
                return false;
            }
            option = next;
        }
        return true;
    }

    private boolean isIntClass(int optionClass) {
        for (int known : geneveClasses) {
            if (known == optionClass) {
                return true;
            }
        }
        return false;
    }

    private boolean geneveInt(int option, int next, int optionsEnd, int type, int optionClass) {
        if (next > optionsEnd) {
            if (type == IntShim.TYPE_DESTINATION) {
                return true;
            }
            walk.warnings.add(Fault.INT_GENEVE_OPTION_OVERRUN, option + 3);
            return false;
        }
        if (walk.view.intCount == PacketView.MAX_INT_HEADERS) {
            walk.warnings.add(Fault.INT_CHAIN_TOO_LONG, option);
            return false;
        }
        link(type, option);
        IntHeaderView header = walk.view.nextInt();
        int noticed = walk.warnings.count();
        intParser.bounds(walk.declared, walk.present);
        boolean only2 = optionClass == DecodeOptions.IntMarks.GENEVE_CLASS;
        Fault fault = intParser.inGeneveOption(option + 4, next, type, only2, june2016 && !only2, header);
        if (fault != Fault.NONE) {
            walk.warnings.rewind(noticed);
            walk.warnings.add(fault, option + 4);
            cutIfMissing(fault);
            return false;
        }
        accept(header);
        if (header.truncated()) {
            walk.cut(Layer.INT);
            return false;
        }
        return true;
    }
}
