package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;

/**
 * What a source does to a packet: header, own metadata and mark go in, lengths and checksums follow. INT over TCP, UDP or
 * GRE goes to the outermost IP header, INT in a tunnel to the outermost tunnel of its kind. Hot path: one task at a time,
 * its sizes are kept in fields.
 */
final class IntInsertion {
    private static final int UDP = 17;
    private static final int GRE = 47;
    private static final int PROBE_MARKER = 8;
    private static final int MAX_HOP_ML = 31;
    private static final int MAX_SHIM_WORDS = 255;
    private static final int GENEVE_MAX_OPTION_WORDS = 63;
    private static final int GRE_CHECKSUM_OR_ROUTING = 0xC000;
    private static final int GRE_ROUTING = 0x4000;
    private static final int GRE_KEY_OR_SEQUENCE = 0x3000;
    private static final int ETHER_TYPE_IPV4 = 0x0800;
    private static final int ETHER_TYPE_IPV6 = 0x86DD;
    private static final int VXLAN_PORT = 4789;
    private static final int GPE_PORT = 4790;
    private static final int GPE_VERSION = 0x3000_0000;
    private static final int GPE_P = 0x0400_0000;
    private static final int GPE_ETHERNET = 3;

    private final Codepoints codepoints;
    private final Domains domains;
    private final boolean june2016;
    private final EntropyPort entropyPort;
    private final HopWriter hopWriter;
    private final Ripple ripple = new Ripple();
    private final IpPlace place = new IpPlace();

    // The task at hand.
    private HopValues own = new HopValues();
    private int[] sourceWords = {};
    private long sequence;
    private int hopWords;
    private int sourceOnlyWords;
    private int headerBytes;
    /** Octets that the source puts behind the header: its hop, or what an MX source inserts. */
    private int stackBytes;

    private int hopLimit;
    private boolean headerOnly;
    private int complementAt;

    IntInsertion(Codepoints codepoints, boolean june2016, EntropyPort entropyPort) {
        this.codepoints = codepoints;
        this.domains = codepoints.domains();
        this.june2016 = june2016;
        this.entropyPort = entropyPort;
        this.hopWriter = new HopWriter(domains);
    }

    /** Throws for a task that this domain's codepoints cannot express. */
    void check(IntTask task) {
        if (task.mode() == Mode.XD) {
            return;
        }
        Instructions instructions = task.instructions();
        boolean old = task.version() != IntVersion.V2;
        if ((task.version() == IntVersion.JUNE_2016) != june2016 && (old && task.carrier() == Carrier.GENEVE)
                || task.version() == IntVersion.JUNE_2016 && !june2016) {
            throw new IllegalArgumentException("June 2016 and later versions share no codepoint");
        }
        int optionClass = old ? codepoints.oldGeneveClass() : codepoints.geneveClass();
        if (task.carrier() == Carrier.GENEVE && (optionClass == IntMarks.GENEVE_CLASS) != !old && (old || june2016)) {
            throw new IllegalArgumentException("Geneve class " + optionClass + " is not of INT " + task.version());
        }
        if (instructions.dsInstructions() != 0
                && !domains.knows(instructions.domainId(), instructions.dsInstructions())) {
            throw new IllegalArgumentException("a source must know its domain " + instructions.domainId());
        }
        size(task);
        if (hopWords > MAX_HOP_ML || (headerBytes + stackBytes) / 4 + 2 > MAX_SHIM_WORDS) {
            throw new IllegalArgumentException("a hop of " + hopWords + " words");
        }
    }

    Insertion insert(
            Packet packet, PacketView view, IntTask task, HopValues own, int[] sourceWords, long sequence, int mtu) {
        if (task.mode() == Mode.XD) {
            return Insertion.NOT_APPLICABLE;
        }
        if (view.ints() > 0) {
            return Insertion.ALREADY_INT;
        }
        int ipLayer = IpPlace.outermost(view);
        if (ipLayer < 0) {
            return Insertion.NOT_APPLICABLE;
        }
        check(task);
        this.own = own;
        this.sourceWords = sourceWords;
        this.sequence = sequence;
        place.find(view, ipLayer);
        return switch (task.carrier()) {
            case DSCP, PROBE_MARKER, UDP_PORT -> behindL4(packet, view, task, mtu);
            case NEW_UDP -> behindNewUdp(packet, view, task, mtu);
            case VXLAN_GPE -> behindGpe(packet, view, task, mtu);
            case GENEVE -> inGeneve(packet, view, task, mtu);
            case GRE -> behindGre(packet, view, task, mtu);
        };
    }

    private void size(IntTask task) {
        Instructions instructions = task.instructions();
        int domain = instructions.domainId();
        int ds = instructions.dsInstructions();
        sourceOnlyWords = ds == 0 ? 0 : domains.sourceOnlyWords(domain, ds);
        int perHop = ds == 0 ? 0 : domains.words(domain, ds) - sourceOnlyWords;
        headerBytes = task.version() == IntVersion.V2 ? IntHeader.LENGTH_V2 : IntHeader.LENGTH_BEFORE_V2;
        hopLimit = task.hopLimit();
        headerOnly = false;
        if (task.mode() == Mode.MX) {
            hopWords = 0;
            stackBytes = 4 * sourceOnlyWords;
        } else {
            hopWords = HopWriter.baseWords(task.version(), instructions.bitmap()) + perHop;
            stackBytes = task.sourcePushes() ? 4 * (hopWords + sourceOnlyWords) : 0;
        }
    }

    /** Fixed octets first, then those of the source's own hop; without room for these the header stands alone. */
    private boolean hasRoom(Packet packet, PacketView view, IntTask task, int layers, int at, int fixedBytes, int mtu) {
        int length = Ripple.ipLength(view);
        int least = fixedBytes + (task.mode() == Mode.MX ? stackBytes : 0);
        if (length + least > mtu || packet.start() < fixedBytes + stackBytes) {
            return false;
        }
        if (length + fixedBytes + stackBytes > mtu) {
            if (task.transparentSecurity()) {
                // Only the device behind the stack tells how the dialect counts its length.
                return false;
            }
            headerOnly = true;
            stackBytes = 0;
        }
        return Ripple.canGrow(view, layers, 0, fixedBytes + stackBytes, at);
    }

    private Insertion done() {
        return headerOnly ? Insertion.HEADER_ONLY : Insertion.DONE;
    }

    // ---- TCP and UDP

    private Insertion behindL4(Packet packet, PacketView view, IntTask task, int mtu) {
        ByteBuffer buffer = packet.buffer();
        boolean tcp = place.carries(view, Layer.TCP);
        if (place.laterFragment || !tcp && !place.carries(view, Layer.UDP)) {
            return Insertion.NOT_APPLICABLE;
        }
        int l4 = place.payloadAt;
        int at = l4 + PacketEncoder.UDP_LENGTH;
        if (tcp) {
            int end = l4 + (l4 + 12 < view.end() ? buffer.get(l4 + 12) >> 2 & 0x3C : 60);
            if (end > place.end(view)) {
                return Insertion.NOT_APPLICABLE;
            }
            at = codepoints.beforeTcpOptions() ? l4 + PacketEncoder.TCP_LENGTH : end;
        }
        if (at > place.end(view)) {
            return Insertion.NOT_APPLICABLE;
        }
        int port = buffer.getShort(l4 + 2) & 0xFFFF;
        boolean byPort = task.carrier() == Carrier.UDP_PORT;
        // Behind the INT port others would expect a header that says so.
        if (byPort ? tcp : !tcp && port == codepoints.udpPort()) {
            return Insertion.NOT_APPLICABLE;
        }
        int marker = task.carrier() == Carrier.PROBE_MARKER ? PROBE_MARKER : 0;
        int tail = task.version() == IntVersion.V0_5 ? IntShim.LENGTH : 0;
        int fixed = marker + IntShim.LENGTH + headerBytes + tail;
        if (!hasRoom(packet, view, task, place.payloadLayer + 1, at, fixed, mtu)) {
            return Insertion.NO_ROOM;
        }
        int bytes = fixed + stackBytes;
        int dscp = place.dscp;
        packet.insert(at, bytes);
        int shim = at - bytes + marker;
        if (marker > 0) {
            buffer.putLong(shim - marker, codepoints.probeMarker());
        }
        int words = (bytes - marker) / 4;
        if (task.version() == IntVersion.V2) {
            int type = task.mode() == Mode.MX ? IntShim.TYPE_MX : IntShim.TYPE_MD;
            IntShim.encode(
                    buffer,
                    shim,
                    type,
                    byPort ? IntShim.NPT_UDP_PORT : IntShim.NPT_NONE,
                    words - 1,
                    byPort ? port : dscp << 2);
        } else {
            IntShim.encodeOld(buffer, shim, IntShim.TYPE_MD, words, tail > 0 ? 0 : dscp << 2);
        }
        int end = header(buffer, shim + IntShim.LENGTH, task);
        if (tail > 0) {
            IntShim.encodeTail(buffer, end, place.protocol, port, dscp);
        }
        ripple.begin(buffer);
        ripple.added(at - bytes, at);
        if (byPort) {
            ripple.put(l4 - bytes + 2, codepoints.udpPort());
        }
        ripple.outward(view, place.payloadLayer + 1, -bytes, bytes, complementAt);
        if (task.carrier() == Carrier.DSCP) {
            place.putDscp(ripple, buffer, view, -bytes, codepoints.dscp());
        }
        return done();
    }

    private Insertion behindNewUdp(Packet packet, PacketView view, IntTask task, int mtu) {
        ByteBuffer buffer = packet.buffer();
        int at = place.payloadAt;
        if (place.laterFragment || at > place.end(view)) {
            return Insertion.NOT_APPLICABLE;
        }
        int fixed = PacketEncoder.UDP_LENGTH + IntShim.LENGTH + headerBytes;
        if (!hasRoom(packet, view, task, place.payloadLayer, at, fixed, mtu)) {
            return Insertion.NO_ROOM;
        }
        int bytes = fixed + stackBytes;
        int payload = place.end(view) - at;
        int sourcePort = entropyPort.of(view.flow());
        packet.insert(at, bytes);
        int udp = at - bytes;
        int shim = PacketEncoder.udp(buffer, udp, sourcePort, codepoints.udpPort());
        PacketEncoder.finishUdp(buffer, udp, at + payload);
        int words = (bytes - PacketEncoder.UDP_LENGTH) / 4 - (task.transparentSecurity() ? 0 : 1);
        int type = task.mode() == Mode.MX ? IntShim.TYPE_MX : IntShim.TYPE_MD;
        IntShim.encode(buffer, shim, type, IntShim.NPT_IP_PROTOCOL, words, place.protocol);
        header(buffer, shim + IntShim.LENGTH, task);
        ripple.begin(buffer);
        ripple.added(udp, at);
        ripple.outward(view, place.payloadLayer, -bytes, bytes, complementAt);
        place.putProtocol(ripple, buffer, view, -bytes, UDP);
        return done();
    }

    // ---- tunnels

    private Insertion behindGpe(Packet packet, PacketView view, IntTask task, int mtu) {
        ByteBuffer buffer = packet.buffer();
        int layer = first(view, Layer.VXLAN, Layer.VXLAN_GPE);
        if (layer < 1 || view.layer(layer - 1) != Layer.UDP) {
            return Insertion.NOT_APPLICABLE;
        }
        boolean plain = view.layer(layer) == Layer.VXLAN;
        int gpe = view.layerOffset(layer);
        int udp = view.layerOffset(layer - 1);
        int flags = buffer.getInt(gpe);
        int intProtocol = gpeProtocol(task.version());
        if (plain) {
            // What the sink could not restore is left alone: another port, or bits where GPE has its own.
            if ((flags & (GPE_VERSION | GPE_P | 0xFF)) != 0 || buffer.getShort(udp + 2) != VXLAN_PORT) {
                return Insertion.NOT_APPLICABLE;
            }
        } else if ((flags & GPE_P) == 0 || (flags & 0xFF) == intProtocol) {
            return Insertion.NOT_APPLICABLE;
        }
        int next = plain ? GPE_ETHERNET : flags & 0xFF;
        int at = gpe + TunnelEncoder.VXLAN_LENGTH;
        int destination = task.destinationHeader() ? IntShim.LENGTH + DestinationHeader.LENGTH : 0;
        int fixed = IntShim.LENGTH + headerBytes + destination;
        if (!hasRoom(packet, view, task, layer + 1, at, fixed, mtu)) {
            return Insertion.NO_ROOM;
        }
        int bytes = fixed + stackBytes;
        int ttl = place.ttl(buffer);
        packet.insert(at, bytes);
        int shim = at - bytes;
        int words = (bytes - destination) / 4;
        boolean chained = destination > 0;
        int behind = chained ? intProtocol : next;
        if (task.version() == IntVersion.V2) {
            int type = task.mode() == Mode.MX ? IntShim.TYPE_MX : IntShim.TYPE_MD;
            IntShim.encodeGpe(buffer, shim, type, words - 1, plain, behind);
        } else {
            IntShim.encodeOld(buffer, shim, IntShim.TYPE_MD, words, behind);
            if (plain) {
                buffer.put(shim + 1, (byte) IntRemoval.OLD_GPE_WAS_VXLAN);
            }
        }
        int end = header(buffer, shim + IntShim.LENGTH, task);
        if (chained) {
            int destinationWords = DestinationHeader.LENGTH / 4;
            end = task.version() == IntVersion.V2
                    ? IntShim.encodeGpe(buffer, end, IntShim.TYPE_DESTINATION, destinationWords, false, next)
                    : IntShim.encodeOld(buffer, end, IntShim.TYPE_DESTINATION, destinationWords + 1, next);
            DestinationHeader.encode(buffer, end, task.version(), ttl, sequence);
        }
        ripple.begin(buffer);
        ripple.added(at - bytes, at);
        int gpeNow = gpe - bytes;
        if (plain) {
            ripple.put(gpeNow, flags >>> 16 | GPE_P >>> 16);
            ripple.put(udp - bytes + 2, GPE_PORT);
        }
        ripple.put(gpeNow + 2, flags & 0xFF00 | intProtocol);
        ripple.outward(view, layer + 1, -bytes, bytes, complementAt);
        return done();
    }

    int gpeProtocol(IntVersion version) {
        return switch (version) {
            case V2 -> codepoints.gpe();
            case V1_0, V0_5 -> codepoints.oldGpe();
            case JUNE_2016 -> IntMarks.GPE_JUNE_2016;
        };
    }

    private Insertion inGeneve(Packet packet, PacketView view, IntTask task, int mtu) {
        ByteBuffer buffer = packet.buffer();
        int layer = first(view, Layer.GENEVE, Layer.GENEVE);
        if (layer < 0) {
            return Insertion.NOT_APPLICABLE;
        }
        int geneve = view.layerOffset(layer);
        int at = geneve + TunnelEncoder.GENEVE_LENGTH;
        int optionWords = buffer.get(geneve) & GENEVE_MAX_OPTION_WORDS;
        int destination = task.destinationHeader() ? TunnelEncoder.GENEVE_OPTION_LENGTH + DestinationHeader.LENGTH : 0;
        int fixed = TunnelEncoder.GENEVE_OPTION_LENGTH + headerBytes + destination;
        int room = Math.min(
                TunnelEncoder.GENEVE_OPTION_MAX_WORDS - headerBytes / 4,
                GENEVE_MAX_OPTION_WORDS - optionWords - fixed / 4);
        if (room < stackBytes / 4 || at + 4 * optionWords > view.end()) {
            return Insertion.NOT_APPLICABLE;
        }
        if (task.mode() == Mode.MD && hopWords > 0 && !isCounted(task.version())) {
            // The limit is what the option can take, so that no node finds it full [INT 2.1 §5.7.4].
            hopLimit = Math.min(hopLimit, (room - sourceOnlyWords) / hopWords);
            if (hopLimit <= 0) {
                return Insertion.NOT_APPLICABLE;
            }
        }
        if (!hasRoom(packet, view, task, layer + 1, at, fixed, mtu)) {
            return Insertion.NO_ROOM;
        }
        int bytes = fixed + stackBytes;
        int ttl = place.ttl(buffer);
        packet.insert(at, bytes);
        int optionClass = task.version() == IntVersion.V2 ? codepoints.geneveClass() : codepoints.oldGeneveClass();
        int type = task.mode() == Mode.MX ? IntShim.TYPE_MX : IntShim.TYPE_MD;
        int header = TunnelEncoder.geneveOption(buffer, at - bytes, optionClass, type, (headerBytes + stackBytes) / 4);
        int end = header(buffer, header, task);
        if (destination > 0) {
            end = TunnelEncoder.geneveOption(
                    buffer, end, optionClass, IntShim.TYPE_DESTINATION, DestinationHeader.LENGTH / 4);
            DestinationHeader.encode(buffer, end, task.version(), ttl, sequence);
        }
        ripple.begin(buffer);
        ripple.added(at - bytes, at);
        ripple.put(geneve - bytes, (buffer.getShort(geneve - bytes) & 0xFFFF) + (bytes / 4 << 8));
        ripple.outward(view, layer + 1, -bytes, bytes, complementAt);
        return done();
    }

    private Insertion behindGre(Packet packet, PacketView view, IntTask task, int mtu) {
        ByteBuffer buffer = packet.buffer();
        boolean present = !place.v6 && !place.laterFragment && place.carries(view, Layer.GRE);
        int destination = task.destinationHeader() ? IntShim.LENGTH + DestinationHeader.LENGTH : 0;
        int shims = IntShim.LENGTH + headerBytes + destination;
        int ttl = place.ttl(buffer);
        if (present) {
            int gre = place.payloadAt;
            int type = buffer.getShort(gre + 2) & 0xFFFF;
            int flags = buffer.getShort(gre) & 0xFFFF;
            if ((flags & GRE_ROUTING) != 0 || type == codepoints.greEtherType()) {
                return Insertion.NOT_APPLICABLE;
            }
            int at = gre
                    + 4
                    + 4 * Integer.bitCount(flags & GRE_KEY_OR_SEQUENCE)
                    + ((flags & GRE_CHECKSUM_OR_ROUTING) != 0 ? 4 : 0);
            if (!hasRoom(packet, view, task, place.payloadLayer + 1, at, shims, mtu)) {
                return Insertion.NO_ROOM;
            }
            int bytes = shims + stackBytes;
            packet.insert(at, bytes);
            greShims(buffer, at - bytes, task, false, type, ttl);
            ripple.begin(buffer);
            ripple.added(at - bytes, at);
            ripple.put(gre - bytes + 2, codepoints.greEtherType());
            ripple.outward(view, place.payloadLayer + 1, -bytes, bytes, complementAt);
            return done();
        }
        int ip = place.ip;
        int type = place.v6 ? ETHER_TYPE_IPV6 : ETHER_TYPE_IPV4;
        int before = place.layer - 1;
        boolean behindEthernet =
                before >= 0 && (view.layer(before) == Layer.ETHERNET || view.layer(before) == Layer.VLAN);
        if (!behindEthernet || (buffer.getShort(ip - 2) & 0xFFFF) != type) {
            return Insertion.NOT_APPLICABLE;
        }
        int outer = PacketEncoder.IPV4_LENGTH + 4;
        if (!hasRoom(packet, view, task, place.layer, ip, outer + shims, mtu)) {
            return Insertion.NO_ROOM;
        }
        int bytes = outer + shims + stackBytes;
        int end = place.end(view);
        int trafficClass = place.v6 ? buffer.getShort(ip) >> 4 : buffer.get(ip + 1);
        int id = place.v6 ? 0 : buffer.getShort(ip + 4);
        boolean dontFragment = place.v6 || (buffer.get(ip + 6) & 0x40) != 0;
        packet.insert(ip, bytes);
        int outerIp = ip - bytes;
        int gre = PacketEncoder.ipv4(
                buffer,
                outerIp,
                trafficClass,
                id & 0xFFFF,
                dontFragment,
                ttl,
                GRE,
                task.tunnelSource(),
                task.tunnelDestination());
        PacketEncoder.finishIpv4(buffer, outerIp, end);
        int shim = TunnelEncoder.gre(
                buffer, gre, codepoints.greEtherType(), false, TunnelEncoder.NONE, TunnelEncoder.NONE);
        greShims(buffer, shim, task, true, type, ttl);
        buffer.putShort(outerIp - 2, (short) ETHER_TYPE_IPV4);
        ripple.begin(buffer);
        ripple.outward(view, place.layer, -bytes, bytes, Ripple.NO_COMPLEMENT);
        return done();
    }

    private void greShims(ByteBuffer buffer, int at, IntTask task, boolean added, int next, int ttl) {
        int type = task.mode() == Mode.MX ? IntShim.TYPE_MX : IntShim.TYPE_MD;
        boolean chained = task.destinationHeader();
        int words = (headerBytes + stackBytes) / 4;
        int header = IntShim.encodeGre(buffer, at, type, added, words, chained ? codepoints.greEtherType() : next);
        int end = header(buffer, header, task);
        if (chained) {
            end = IntShim.encodeGre(buffer, end, IntShim.TYPE_DESTINATION, false, DestinationHeader.LENGTH / 4, next);
            DestinationHeader.encode(buffer, end, task.version(), ttl, sequence);
        }
    }

    private static int first(PacketView view, Layer one, Layer other) {
        for (int i = 0; i < view.layers(); i++) {
            Layer layer = view.layer(i);
            if (layer == one || layer == other) {
                return i;
            }
        }
        return -1;
    }

    // ---- header and stack

    /** Writes header and stack, returns the offset past them. */
    private int header(ByteBuffer buffer, int at, IntTask task) {
        complementAt = Ripple.NO_COMPLEMENT;
        IntVersion version = task.version();
        Instructions instructions = task.instructions();
        boolean pushes = stackBytes > 0 && task.mode() == Mode.MD;
        boolean dialect = task.transparentSecurity();
        int flags = HeaderFlags.replicate(version, task.replicate());
        if (task.discard()) {
            flags |= HeaderFlags.discard(version, dialect);
        }
        if (headerOnly) {
            flags |= HeaderFlags.mtuExceeded(version, dialect);
        }
        int bitmap = instructions.bitmap();
        buffer.putInt(at, flags << 16 | counts(version, bitmap, task.mode(), pushes, dialect));
        buffer.putInt(at + 4, bitmap << 16 | instructions.domainId());
        if (version == IntVersion.V2) {
            buffer.putInt(at + 8, instructions.dsInstructions() << 16 | instructions.dsFlags());
        }
        int stack = at + headerBytes;
        if (task.mode() == Mode.MX) {
            for (int i = 0; i < sourceOnlyWords; i++) {
                buffer.putInt(stack + 4 * i, i < sourceWords.length ? sourceWords[i] : -1);
            }
            return stack + stackBytes;
        }
        if (!pushes) {
            return stack;
        }
        if (hopWords == 0) {
            for (int i = 0; i < sourceOnlyWords; i++) {
                buffer.putInt(stack + 4 * i, i < sourceWords.length ? sourceWords[i] : -1);
            }
            return stack + stackBytes;
        }
        int end = hopWriter.sourceHop(
                buffer,
                stack,
                version,
                bitmap,
                instructions.domainId(),
                instructions.dsInstructions(),
                own,
                sourceWords,
                sourceWords.length);
        if (version == IntVersion.JUNE_2016) {
            HopEncoder.markBottomOfStack(buffer, end - 4);
        }
        if (task.complement()) {
            complementAt = end - 4;
        }
        return end;
    }

    /** The first word without its flags. */
    private int counts(IntVersion version, int bitmap, Mode mode, boolean pushes, boolean dialect) {
        int remaining = hopLimit - (pushes && !dialect ? 1 : 0);
        return switch (version) {
            case JUNE_2016, V0_5 -> Integer.bitCount(bitmap) << 16 | hopLimit << 8 | (pushes ? 1 : 0);
            case V1_0 -> 1 << 28 | hopWords << 8 | remaining;
            case V2 -> 2 << 28 | (mode == Mode.MX ? 0 : hopWords << 8 | remaining);
        };
    }

    private static boolean isCounted(IntVersion version) {
        return version == IntVersion.JUNE_2016 || version == IntVersion.V0_5;
    }
}
