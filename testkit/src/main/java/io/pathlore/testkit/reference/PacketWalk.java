package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.IntPlace.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a possibly cut packet, outermost first [spec-notes 4], with the INT [spec-notes 5] and IOAM [spec-notes 6]
 * found on the way. The walk goes from header to header and ends where it cannot go on; what was known until then stays.
 */
final class PacketWalk {
    /**
     * Where INT is looked for.
     *
     * @param marks at marks
     * @param blind also where nothing marks it
     * @param transparentSecurity the report was found by the Transparent Security rule
     */
    record Search(boolean marks, boolean blind, boolean transparentSecurity) {}

    /** The end of the walk. */
    private static final class End extends RuntimeException {
        private static final long serialVersionUID = 1;

        End() {
            super("", null, false, false);
        }
    }

    private static final int DEEPEST = 8;
    private static final int MOST_IP = 4;
    private static final int MOST_EXTENSIONS = 8;
    private static final int MOST_TAGS = 4;
    private static final int MOST_LABELS = 16;
    private static final int MOST_INT = 4;
    private static final int MOST_IOAM = 8;
    private static final int MOST_GTP_EXTENSIONS = 8;

    private static final int ETHER_BRIDGED = 0x6558;
    private static final int IPV4_FIXED = 20;
    private static final int IPV6_FIXED = 40;
    private static final int TCP_FIXED = 20;
    private static final int UDP_FIXED = 8;
    private static final int JUNE_2016_GPE = 0x05;
    private static final Set<Integer> VLAN_TYPES = Set.of(0x8100, 0x88A8, 0x9100, 0x9200);

    private static final Map<Integer, String> IPV6_EXTENSIONS = Map.of(
            0,
            "hop-by-hop",
            43,
            "routing",
            44,
            "fragment",
            51,
            "ah",
            60,
            "destination-options",
            135,
            "mobility",
            139,
            "hip",
            140,
            "shim6");
    private static final Map<Integer, String> IPV4_EXTENSIONS = Map.of(51, "ah");

    private final ReferenceOptions options;
    private final Search search;
    private final Octets octets;

    /** Readable bytes end here: those present, less what strict mode takes for padding. */
    private int limit;

    /** The end of the innermost IP packet by its length field. */
    private int declared;

    private final List<Object> layers = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final FlowKeys flows = new FlowKeys();
    private final List<Object> telemetry = new ArrayList<>();
    private final List<Object> ioam = new ArrayList<>();
    private final List<Object> vlans = new ArrayList<>();
    private @Nullable Map<String, Object> ethernet;
    private @Nullable String cutAt;

    private int depth;
    private int ipHeaders;

    // of the innermost IP header
    private int ipVersion;
    private int dscp;
    private int extensions;

    /** The L4 header to come stands behind INT (NPT 2): DSCP and guesses say nothing about it. */
    private boolean behindInt;

    PacketWalk(ReferenceOptions options, Search search, Octets octets) {
        this.options = options;
        this.search = search;
        this.octets = octets;
        this.limit = octets.length();
        this.declared = octets.length();
    }

    PacketWalk walk(PacketStart start) {
        try {
            switch (start) {
                case ETHERNET -> ethernet(0);
                case IPV4 -> ipv4(0);
                case IPV6 -> ipv6(0);
            }
        } catch (End end) {
            // what was found so far is the result
        }
        return this;
    }

    List<String> warnings() {
        return warnings;
    }

    boolean firstIntExceededItsHopLimit() {
        return !telemetry.isEmpty()
                && telemetry.getFirst() instanceof Map<?, ?> first
                && Boolean.TRUE.equals(first.get("hopLimitExceeded"));
    }

    void into(Map<String, Object> json) {
        flows.into(json, options.outerFlowKey());
        if (ethernet != null) {
            if (!vlans.isEmpty()) {
                ethernet.put("vlans", vlans);
            }
            json.put("ethernet", ethernet);
        }
        if (!layers.isEmpty()) {
            json.put("layers", layers);
        }
        if (cutAt != null) {
            json.put("cutAt", cutAt);
        }
        if (!telemetry.isEmpty()) {
            json.put("int", telemetry);
        }
        if (!ioam.isEmpty()) {
            json.put("ioam", ioam);
        }
    }

    // ---------------------------------------------------------------- how a walk ends

    private End fault(String name) {
        warnings.add(name);
        return new End();
    }

    private End cut(String layer) {
        if (cutAt == null) {
            cutAt = layer;
        }
        return new End();
    }

    private End cut(String layer, String fault) {
        warnings.add(fault);
        return cut(layer);
    }

    private int available(int at) {
        return limit - at;
    }

    private void enter() {
        depth++;
        if (depth > DEEPEST) {
            throw fault("PKT_DEPTH_EXCEEDED");
        }
    }

    // ---------------------------------------------------------------- link layers

    private void ethernet(int at) {
        if (available(at) < 14) {
            throw cut("ethernet", "PKT_TRUNCATED_L2");
        }
        layers.add("ethernet");
        boolean first = ethernet == null;
        if (first) {
            Map<String, Object> macs = new LinkedHashMap<>();
            macs.put("source", octets.mac(at + 6));
            macs.put("destination", octets.mac(at));
            ethernet = macs;
        }
        behindFrame(octets.u16(at + 12), at + 14, first);
    }

    /** Tags, or a length in place of a type, then what the last type says. */
    private void behindFrame(int firstType, int from, boolean first) {
        int type = firstType;
        int next = from;
        int tags = 0;
        while (VLAN_TYPES.contains(type)) {
            enter();
            if (available(next) < 4) {
                throw cut("vlan", "PKT_TRUNCATED_L2");
            }
            tags++;
            if (tags > MOST_TAGS) {
                throw fault("PKT_TOO_MANY_TAGS");
            }
            layers.add("vlan");
            if (first) {
                vlans.add(octets.bits(next * 8 + 4, 12));
            }
            type = octets.u16(next + 2);
            next += 4;
        }
        if (type < 0x0600) {
            boolean snap = available(next) >= 8 && octets.hex(next, next + 6).equals("aaaa03000000");
            if (!snap) {
                throw new End();
            }
            type = octets.u16(next + 6);
            next += 8;
        }
        etherType(type, next);
    }

    /** What GRE and Geneve carry [spec-notes 4.2]. */
    private void tunnelled(int type, int at) {
        if (type == ETHER_BRIDGED) {
            ethernet(at);
        } else if (VLAN_TYPES.contains(type)) {
            behindFrame(type, at, false);
        } else {
            etherType(type, at);
        }
    }

    private void etherType(int type, int at) {
        switch (type) {
            case 0x0800 -> ipv4(at);
            case 0x86DD -> ipv6(at);
            case 0x0806 -> layers.add("arp");
            case 0x8847, 0x8848 -> mpls(at);
            case 0x8864 -> pppoe(at);
            case 0x894F -> nsh(at);
            default -> throw new End();
        }
    }

    private void mpls(int at) {
        enter();
        int next = at;
        boolean bottom = false;
        for (int label = 0; !bottom; label++) {
            if (label == MOST_LABELS) {
                throw fault("PKT_MPLS_NO_BOS");
            }
            if (available(next) < 4) {
                throw cut("mpls", "PKT_TRUNCATED_L2");
            }
            bottom = octets.bits(next * 8 + 23, 1) == 1;
            next += 4;
        }
        layers.add("mpls");
        if (available(next) < 1) {
            throw new End();
        }
        switch ((int) octets.bits(next * 8, 4)) {
            case 4 -> ipv4(next);
            case 6 -> ipv6(next);
            case 0 -> ethernet(next + 4);
            default -> ethernet(next);
        }
    }

    private void pppoe(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("pppoe", "PKT_TRUNCATED_L2");
        }
        layers.add("pppoe");
        switch (octets.u16(at + 6)) {
            case 0x0021 -> ipv4(at + 8);
            case 0x0057 -> ipv6(at + 8);
            default -> throw new End();
        }
    }

    // ---------------------------------------------------------------- IP

    private void enterIp() {
        behindInt = false;
        ipHeaders++;
        if (ipHeaders > 1) {
            enter();
        }
        if (ipHeaders > MOST_IP) {
            throw fault("PKT_DEPTH_EXCEEDED");
        }
    }

    private void ipv4(int at) {
        enterIp();
        if (available(at) < 1) {
            throw cut("ipv4", "PKT_TRUNCATED_L3");
        }
        if (octets.u8(at) >> 4 != 4) {
            throw fault("PKT_IP_VERSION_MISMATCH");
        }
        int header = (octets.u8(at) & 0x0F) * 4;
        if (header < IPV4_FIXED) {
            throw fault("PKT_BAD_IHL");
        }
        if (available(at) >= IPV4_FIXED) {
            flows.ip(octets.ipv4(at + 12), octets.ipv4(at + 16), octets.u8(at + 9));
        }
        if (available(at) < header) {
            throw cut("ipv4", "PKT_TRUNCATED_L3");
        }
        layers.add("ipv4");
        ipVersion = 4;
        dscp = octets.u8(at + 1) >> 2;
        extensions = 0;
        bound(at, at + header, octets.u16(at + 2));
        if ((octets.u16(at + 6) & 0x1FFF) != 0) {
            throw new End();
        }
        payload(octets.u8(at + 9), at + header);
    }

    private void ipv6(int at) {
        enterIp();
        if (available(at) < 1) {
            throw cut("ipv6", "PKT_TRUNCATED_L3");
        }
        if (octets.u8(at) >> 4 != 6) {
            throw fault("PKT_IP_VERSION_MISMATCH");
        }
        if (available(at) < IPV6_FIXED) {
            throw cut("ipv6", "PKT_TRUNCATED_L3");
        }
        flows.ip(octets.ipv6(at + 8), octets.ipv6(at + 24), octets.u8(at + 6));
        layers.add("ipv6");
        ipVersion = 6;
        dscp = (int) octets.bits(at * 8 + 4, 6);
        extensions = 0;
        int length = octets.u16(at + 4);
        bound(at, at + IPV6_FIXED, length == 0 ? 0 : IPV6_FIXED + length);
        payload(octets.u8(at + 6), at + IPV6_FIXED);
    }

    /** Length 0 means: to the end of the bytes present [spec-notes 4.4]. */
    private void bound(int start, int headerEnd, int length) {
        int end = length == 0 ? limit : start + length;
        if (options.lenient()) {
            declared = Math.max(end, limit);
        } else {
            declared = end;
            limit = Math.min(limit, Math.max(end, headerEnd));
        }
    }

    private void payload(int firstProtocol, int start) {
        int protocol = firstProtocol;
        int at = start;
        Map<Integer, String> known = ipVersion == 6 ? IPV6_EXTENSIONS : IPV4_EXTENSIONS;
        while (true) {
            String name = known.get(protocol);
            if (name == null) {
                transport(protocol, at);
                return;
            }
            int next = extension(protocol, name, at);
            boolean laterFragment = protocol == 44 && octets.u16(at + 2) >> 3 != 0;
            protocol = octets.u8(at);
            flows.protocol(protocol);
            if (laterFragment) {
                throw new End();
            }
            at = next;
        }
    }

    /** Returns the offset behind the extension header. */
    private int extension(int protocol, String name, int at) {
        extensions++;
        if (extensions > MOST_EXTENSIONS) {
            throw fault("PKT_DEPTH_EXCEEDED");
        }
        int size = 8;
        if (available(at) >= 2) {
            size = switch (protocol) {
                case 44 -> 8;
                case 51 -> (octets.u8(at + 1) + 2) * 4;
                default -> (octets.u8(at + 1) + 1) * 8;
            };
        }
        int end = at + size;
        if (end > declared) {
            throw fault("PKT_IPV6_EXT_OVERRUN");
        }
        boolean complete = end <= limit;
        if (complete) {
            layers.add(name);
        } else {
            cut(name);
        }
        if (protocol == 0 || protocol == 60) {
            ipv6Options(at + 2, end);
        }
        if (!complete) {
            throw new End();
        }
        return end;
    }

    private void ipv6Options(int from, int end) {
        int at = from;
        while (at < end && at < limit) {
            int type = octets.u8(at);
            if (type == 0) {
                at++;
                continue;
            }
            if (at + 2 > end) {
                throw fault("PKT_IPV6_OPTION_OVERRUN");
            }
            if (at + 2 > limit) {
                return;
            }
            int next = at + 2 + octets.u8(at + 1);
            if (next > end) {
                throw fault("PKT_IPV6_OPTION_OVERRUN");
            }
            if ((type == 0x31 || type == 0x11) && ioam.size() < MOST_IOAM) {
                if (next - at < 4) {
                    warnings.add("IOAM_OPTION_TRUNCATED");
                } else if (at + 4 <= limit) {
                    ioamOption(octets.u8(at + 3), at + 4, next);
                }
            }
            at = next;
        }
    }

    private void ioamOption(int type, int from, int end) {
        Optional<Map<String, Object>> option = new Ioam(octets, warnings).option(type, from, end, limit);
        option.ifPresent(ioam::add);
    }

    // ---------------------------------------------------------------- transport

    private void transport(int protocol, int at) {
        switch (protocol) {
            case 1 -> icmp("icmp", at);
            case 58 -> icmp("icmpv6", at);
            case 2 -> stop("igmp", at);
            case 50 -> stop("esp", at);
            case 4 -> ipv4(at);
            case 41 -> ipv6(at);
            case 6 -> {
                if (isRestoredProtocol(at)) {
                    warnings.add("A-30");
                    flows.protocol(17);
                    udp(at);
                } else {
                    tcp(at);
                }
            }
            case 17 -> udp(at);
            case 33 -> ported("dccp", at, 12);
            case 132 -> ported("sctp", at, 12);
            case 136 -> ported("udp-lite", at, 8);
            case 47 -> gre(at);
            default -> throw new End();
        }
    }

    /** A-30: the IP header says TCP already, but UDP and INT still follow [spec-notes 7]. */
    private boolean isRestoredProtocol(int at) {
        return options.quirks()
                && search.transparentSecurity
                && available(at) >= 9
                && (options.intUdpPorts().contains(octets.u16(at + 2)) || octets.u16(at + 2) == 555)
                && octets.u8(at + 8) == 0x18;
    }

    private void needFour(String name, int at) {
        if (available(at) < 4) {
            throw cut(name, "PKT_TRUNCATED_L4");
        }
    }

    private void stop(String name, int at) {
        needFour(name, at);
        layers.add(name);
    }

    private void ported(String name, int at, int header) {
        needFour(name, at);
        flows.ports(octets.u16(at), octets.u16(at + 2));
        layers.add(name);
        if (available(at) < header) {
            throw cut(name);
        }
    }

    private void icmp(String name, int at) {
        needFour(name, at);
        int type = octets.u8(at);
        flows.icmp(type, octets.u8(at + 1));
        layers.add(name);
        boolean echo = name.equals("icmp") && (type == 0 || type == 8);
        if (echo && search.marks && options.lenient() && isDscpMarked()) {
            IntShims.Carrier carrier = new IntShims.Carrier("icmp", 1, -1, false);
            weak(carrier, List.of(at + 8), false);
        }
    }

    private void tcp(int at) {
        needFour("tcp", at);
        flows.ports(octets.u16(at), octets.u16(at + 2));
        boolean offsetPresent = available(at) >= 13;
        int header = offsetPresent ? (octets.u8(at + 12) >> 4) * 4 : TCP_FIXED;
        if (header < TCP_FIXED) {
            throw fault("PKT_BAD_TCP_OFFSET");
        }
        layers.add("tcp");
        boolean complete = available(at) >= header;
        if (!complete) {
            cut("tcp");
        }
        if (available(at) < TCP_FIXED) {
            throw new End();
        }
        int before = at + TCP_FIXED;
        int after = at + header;
        List<Integer> sides = new ArrayList<>();
        sides.add(options.beforeTcpOptions() ? before : after);
        if (options.quirks() && before != after) {
            sides.add(options.beforeTcpOptions() ? after : before); // A-56
        }
        IntShims.Carrier carrier = new IntShims.Carrier("tcp", 6, -1, search.transparentSecurity);
        if (search.marks) {
            telemetryOver(carrier, -1, sides, complete);
        }
    }

    private void udp(int at) {
        needFour("udp", at);
        int port = octets.u16(at + 2);
        flows.ports(octets.u16(at), port);
        layers.add("udp");
        if (available(at) < UDP_FIXED) {
            throw cut("udp");
        }
        int payload = at + UDP_FIXED;
        if (search.marks) {
            IntShims.Carrier carrier = new IntShims.Carrier("udp", 17, octets.u16(at + 4), search.transparentSecurity);
            IntFound found = telemetryOver(carrier, port, List.of(payload), true);
            if (found != null) {
                payload = found.end();
                if (found.restoredPort() != null) {
                    port = found.restoredPort();
                }
            }
        }
        switch (port) {
            case 4789, 8472 -> vxlan(payload);
            case 4790 -> gpe(payload);
            case 6081 -> geneve(payload);
            case 2152 -> gtp(payload);
            case 6635 -> mpls(payload);
            default -> throw new End();
        }
    }

    // ---------------------------------------------------------------- INT behind TCP, UDP, ICMP

    private boolean isDscpMarked() {
        return !behindInt && options.dscp().stream().anyMatch(mark -> (dscp & mark.mask()) == mark.value());
    }

    private boolean isProbeMarked(int at) {
        Long marker = options.probeMarker();
        return marker != null && available(at) >= 8 && octets.hex(at, at + 8).equals(String.format("%016x", marker));
    }

    /**
     * Looks for INT at an L4 header in the order of spec-notes 5.1. The first side is the configured one; it cannot be
     * judged when the header before it is cut. Returns what was found, null when the packet is an ordinary one.
     */
    private @Nullable IntFound telemetryOver(
            IntShims.Carrier carrier, int port, List<Integer> sides, boolean headerComplete) {
        if (!headerComplete) {
            return telemetryInCutHeader(carrier, sides);
        }
        if (options.intUdpPorts().contains(port)) {
            try {
                return use(parse(carrier, Mark.UDP_PORT, sides.getFirst()));
            } catch (IntFault fault) {
                if (!fault.fault().equals(IntFault.SHAPE)) {
                    throw strong(fault);
                }
                warnings.add("INT_FALSE_POSITIVE");
                return null;
            }
        }
        for (int side : sides) {
            if (isProbeMarked(side)) {
                try {
                    return use(otherSide(parse(carrier, Mark.PROBE_MARKER, side + 8), side, sides));
                } catch (IntFault fault) {
                    throw strong(fault);
                }
            }
        }
        if (isDscpMarked()) {
            return weak(carrier, sides, search.blind);
        }
        return search.blind && !behindInt ? blind(carrier, sides) : null;
    }

    /** A cut TCP header: only INT that stands before the options can be seen, and it must verify. */
    private @Nullable IntFound telemetryInCutHeader(IntShims.Carrier carrier, List<Integer> sides) {
        for (int side : sides) {
            if (side > limit) {
                continue;
            }
            Mark mark = Mark.NONE;
            int shim = side;
            if (isProbeMarked(side)) {
                mark = Mark.PROBE_MARKER;
                shim = side + 8;
            } else if (isDscpMarked()) {
                mark = Mark.DSCP;
            } else if (!search.blind || behindInt) {
                continue;
            }
            try {
                return use(otherSide(parse(carrier, mark, shim), side, sides));
            } catch (IntFault fault) {
                // lenient: the header before it is cut, no more can be said
                if (!options.lenient() && !fault.fault().equals(IntFault.UNVERIFIED)) {
                    throw strong(fault);
                }
            }
        }
        throw new End();
    }

    private IntFound parse(IntShims.Carrier carrier, Mark mark, int shim) {
        if (telemetry.size() >= MOST_INT) {
            throw new IntFault("INT_CHAIN_TOO_LONG");
        }
        return new IntShims(options, octets, limit, declared).transport(carrier, mark, shim);
    }

    private static IntFound otherSide(IntFound found, int side, List<Integer> sides) {
        if (side != sides.getFirst()) {
            found.warnings().add("A-56");
        }
        return found;
    }

    private End strong(IntFault fault) {
        return fault.fault().endsWith("_TRUNCATED") ? cut("int", fault.fault()) : fault(fault.fault());
    }

    /** A DSCP mark. Lenient mode doubts it, unless the bytes that would prove it are cut off. */
    private @Nullable IntFound weak(IntShims.Carrier carrier, List<Integer> sides, boolean thenBlind) {
        IntFault first = null;
        for (int side : sides) {
            try {
                return use(otherSide(parse(carrier, Mark.DSCP, side), side, sides));
            } catch (IntFault fault) {
                first = first == null || (!first.cut() && fault.cut()) ? fault : first;
            }
        }
        if (first == null) {
            return null;
        }
        if (!options.lenient()) {
            if (first.fault().equals(IntFault.UNVERIFIED)) {
                return null;
            }
            throw strong(first);
        }
        if (first.cut()) {
            throw strong(first);
        }
        IntFound found = thenBlind ? blind(carrier, sides) : null;
        if (found == null) {
            warnings.add("INT_FALSE_POSITIVE");
        }
        return found;
    }

    private @Nullable IntFound blind(IntShims.Carrier carrier, List<Integer> sides) {
        for (int side : sides) {
            try {
                return use(otherSide(parse(carrier, Mark.NONE, side), side, sides));
            } catch (IntFault fault) {
                // leaves no trace
            }
        }
        return null;
    }

    /** Keeps a verified header. Goes on behind an inserted UDP header; else returns it, or ends the walk at a cut. */
    private IntFound use(IntFound found) {
        warnings.addAll(found.warnings());
        layers.add("int");
        telemetry.add(found.json());
        if (found.restoredPort() != null) {
            flows.destinationPort(found.restoredPort());
        }
        if (found.restoredProtocol() != null) {
            flows.restored(found.restoredProtocol());
        }
        if (found.incomplete()) {
            throw cut("int");
        }
        if (found.end() == IntFound.NOWHERE) {
            throw new End();
        }
        if (found.restoredProtocol() != null) {
            behindInt = true;
            if (cutAt == null) { // nothing is read behind a header that is cut
                payload(found.restoredProtocol(), found.end());
            }
            throw new End();
        }
        return found;
    }

    // ---------------------------------------------------------------- tunnels

    private void vxlan(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("vxlan");
        }
        plainVxlan("vxlan", at);
    }

    private void plainVxlan(String name, int at) {
        boolean vniValid = octets.bits(at * 8 + 4, 1) == 1;
        if (!vniValid) {
            throw new End();
        }
        layers.add(name);
        flows.vni(octets.bits(at * 8 + 32, 24));
        ethernet(at + 8);
    }

    private static final Layout GPE = Layout.table("""
            Ver             2   2
            I               1   4
            P               1   5
            Next_Protocol   8  24
            VNI            24  32""");

    private void gpe(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("vxlan-gpe");
        }
        Layout.Header header = GPE.at(octets, at);
        if (header.get("Ver") != 0) {
            throw new End();
        }
        int next = header.number("Next_Protocol");
        if (!header.flag("P")) {
            if (!isIntOverGpe(next)) {
                plainVxlan("vxlan-gpe", at);
                return;
            }
            if (!options.quirks()) {
                throw fault("PKT_GPE_P_BIT_CLEAR");
            }
            warnings.add("A-14");
        }
        layers.add("vxlan-gpe");
        if (header.flag("I")) {
            flows.vni(header.get("VNI"));
        }
        int payload = at + 8;
        boolean destinationSeen = false;
        while (isIntOverGpe(next)) {
            boolean newer = options.gpeNew().contains(next);
            boolean june2016 = options.june2016() && next == JUNE_2016_GPE;
            int type = typeAt(payload, newer && !june2016);
            destinationSeen = chain(type, destinationSeen);
            int shim = payload;
            IntFound found = tunnelled(type, shims -> shims.gpe(shim, newer && !june2016, june2016));
            next = found.nextProtocol();
            payload = found.end();
        }
        nextProtocol(next, payload);
    }

    private boolean isIntOverGpe(int next) {
        return search.marks
                && (options.gpeNew().contains(next)
                        || options.gpeOld().contains(next)
                        || (options.june2016() && next == JUNE_2016_GPE));
    }

    /** The numbering GPE and NSH share. */
    private void nextProtocol(int next, int at) {
        switch (next) {
            case 1 -> ipv4(at);
            case 2 -> ipv6(at);
            case 3 -> ethernet(at);
            case 4 -> nsh(at);
            default -> throw new End();
        }
    }

    private int typeAt(int shim, boolean newer) {
        if (available(shim) < 1) {
            return 0;
        }
        return newer ? octets.u8(shim) >> 4 : octets.u8(shim);
    }

    /** The tests of a chain of INT headers; returns whether a destination header has been seen by now. */
    private boolean chain(int type, boolean destinationSeen) {
        if (telemetry.size() >= MOST_INT) {
            throw fault("INT_CHAIN_TOO_LONG");
        }
        if (destinationSeen && (type == 1 || type == 3)) {
            warnings.add("INT_TYPE_ORDER");
        }
        return destinationSeen || type == 2;
    }

    private interface Shim {
        IntFound read(IntShims shims);
    }

    private IntFound tunnelled(int type, Shim shim) {
        try {
            return use(shim.read(new IntShims(options, octets, limit, declared)));
        } catch (IntFault fault) {
            if (type == 2) { // no I error is raised for a destination header
                throw fault.fault().endsWith("_TRUNCATED") ? cut("int") : new End();
            }
            throw strong(fault);
        }
    }

    private static final Layout GENEVE = Layout.table("""
            Ver             2   0
            Opt_Len         6   2
            Protocol_Type  16  16
            VNI            24  32""");

    private static final Layout GENEVE_OPTION = Layout.table("""
            Option_Class  16   0
            Type           7  17
            Length         5  27""");

    private void geneve(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("geneve");
        }
        Layout.Header header = GENEVE.at(octets, at);
        if (header.get("Ver") != 0) {
            throw fault("PKT_GENEVE_VERSION");
        }
        int end = at + 8 + header.number("Opt_Len") * 4;
        if (end > declared) {
            throw fault("PKT_GENEVE_OPTLEN_OVERRUN");
        }
        layers.add("geneve");
        flows.vni(header.get("VNI"));
        geneveOptions(at + 8, end);
        if (end > limit) {
            throw cut("geneve");
        }
        tunnelled(header.number("Protocol_Type"), end);
    }

    private void geneveOptions(int from, int end) {
        boolean destinationSeen = false;
        int at = from;
        while (at < end && available(at) >= 4) {
            Layout.Header option = GENEVE_OPTION.at(octets, at);
            int optionClass = option.number("Option_Class");
            int type = option.number("Type");
            int data = at + 4;
            int next = data + option.number("Length") * 4;
            int highest = options.june2016() && optionClass != 0x0103 ? 2 : 3;
            boolean telemetryOption =
                    search.marks && options.geneveClasses().contains(optionClass) && type >= 1 && type <= highest;
            if (next > end) {
                if (telemetryOption && type != 2) {
                    throw fault("INT_GENEVE_OPTION_OVERRUN");
                }
                return;
            }
            if (telemetryOption) {
                destinationSeen = chain(type, destinationSeen);
                tunnelled(type, shims -> shims.geneve(optionClass, type, data, next));
            }
            at = next;
        }
    }

    private static final Layout GRE = Layout.table("""
            C               1   0
            R               1   1
            K               1   2
            S               1   3
            Ver             3  13
            Protocol_Type  16  16""");

    private void gre(int at) {
        enter();
        if (available(at) < 4) {
            throw cut("gre");
        }
        Layout.Header header = GRE.at(octets, at);
        if (header.get("Ver") != 0) {
            throw fault("PKT_GRE_VERSION");
        }
        int size = 4
                + (header.flag("C") || header.flag("R") ? 4 : 0)
                + (header.flag("K") ? 4 : 0)
                + (header.flag("S") ? 4 : 0);
        if (available(at) < size) {
            throw cut("gre");
        }
        layers.add("gre");
        if (header.flag("R")) {
            throw new End();
        }
        int type = header.number("Protocol_Type");
        int payload = at + size;
        boolean destinationSeen = false;
        while (search.marks && options.greEtherType() != null && options.greEtherType() == type) {
            int headerType = typeAt(payload, true);
            destinationSeen = chain(headerType, destinationSeen);
            int shim = payload;
            IntFound found = tunnelled(headerType, shims -> shims.gre(shim));
            type = found.nextProtocol();
            payload = found.end();
        }
        tunnelled(type, payload);
    }

    private static final Layout GTP = Layout.table("""
            Version         3   0
            E               1   5
            Any             3   5
            Message_Type    8   8""");

    private void gtp(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("gtp-u");
        }
        Layout.Header header = GTP.at(octets, at);
        if (header.get("Version") != 1 || header.get("Message_Type") != 0xFF) {
            throw new End();
        }
        int next = at + 8;
        if (header.flag("Any")) {
            next += 4;
            if (next > limit) {
                throw cut("gtp-u");
            }
            int extension = header.flag("E") ? octets.u8(next - 1) : 0;
            for (int count = 0; extension != 0; count++) {
                if (count == MOST_GTP_EXTENSIONS) {
                    throw new End();
                }
                if (available(next) < 1) {
                    throw cut("gtp-u");
                }
                int size = octets.u8(next) * 4;
                if (size == 0) {
                    throw new End();
                }
                next += size;
                if (next > limit) {
                    throw cut("gtp-u");
                }
                extension = octets.u8(next - 1);
            }
        }
        layers.add("gtp-u");
        if (available(next) < 1) {
            throw new End();
        }
        switch (octets.u8(next) >> 4) {
            case 4 -> ipv4(next);
            case 6 -> ipv6(next);
            default -> throw new End();
        }
    }

    private static final Layout NSH = Layout.table("""
            Ver             2   0
            Length          6  10
            Next_Protocol   8  24""");

    private void nsh(int at) {
        enter();
        if (available(at) < 8) {
            throw cut("nsh");
        }
        Layout.Header header = NSH.at(octets, at);
        int size = header.number("Length") * 4;
        if (header.get("Ver") != 0 || size < 8) {
            throw new End();
        }
        if (available(at) < size) {
            throw cut("nsh");
        }
        layers.add("nsh");
        behindNsh(header.number("Next_Protocol"), at + size);
    }

    /** RFC 9452: IOAM headers in a row, each naming what follows it. */
    private void behindNsh(int firstProtocol, int start) {
        int next = firstProtocol;
        int at = start;
        while (next == 6) {
            if (available(at) < 4) {
                throw cut("ioam");
            }
            int size = octets.u8(at + 1) * 4;
            if (size < 4) {
                throw fault("IOAM_OPTION_TRUNCATED");
            }
            if (ioam.size() < MOST_IOAM) {
                ioamOption(octets.u8(at), at + 4, at + size);
            }
            if (available(at) < size) {
                throw cut("ioam");
            }
            layers.add("ioam");
            next = octets.u8(at + 3);
            at += size;
        }
        if (next == 5) {
            mpls(at);
        } else {
            nextProtocol(next, at);
        }
    }
}
