package io.pathlore.testkit.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * IOAM option bodies [RFC 9197 §4, RFC 9326 §3, spec-notes 6]. An option is given by its declared end and by where the
 * bytes in hand end: what the option itself lacks is a fault, what only the fragment lacks is a cut.
 */
final class Ioam {
    private static final Layout TRACE = Layout.table("""
            Namespace-ID     16   0
            NodeLen           5  16
            Overflow          1  21
            Loopback          1  22
            Active            1  23
            RemainingLen      7  25
            IOAM-Trace-Type  24  32
            Reserved          8  56""");
    private static final int TRACE_BYTES = 8;

    private static final Layout E2E = Layout.table("""
            Namespace-ID   16   0
            Sequence64      1  16
            Sequence32      1  17
            Seconds         1  18
            Fraction        1  19""");
    private static final int E2E_BYTES = 4;

    private static final Layout DEX = Layout.table("""
            Namespace-ID      16   0
            Flags              8  16
            Extension-Flags    8  24
            IOAM-Trace-Type   24  32""");
    private static final int DEX_BYTES = 8;

    private static final Layout POT = Layout.table("""
            Namespace-ID  16   0
            POT-Type       8  16
            POT-flags      8  24""");
    private static final int POT_BYTES = 4;
    private static final int POT_TYPE_0_DATA = 16;

    private static final int SNAPSHOT_BIT = 22;
    private static final int TRACE_BITS = 24;
    private static final long NO_SCHEMA = 0xFFFFFF;

    private final Octets octets;
    private final List<String> warnings;

    Ioam(Octets octets, List<String> warnings) {
        this.octets = octets;
        this.warnings = warnings;
    }

    /** The option as JSON, or nothing where it is faulty or cut before it says anything. */
    Optional<Map<String, Object>> option(int type, int from, int end, int present) {
        return switch (type) {
            case 0 -> trace("preallocated-trace", true, from, end, present);
            case 1 -> trace("incremental-trace", false, from, end, present);
            case 2 -> pot(from, end, present);
            case 3 -> e2e(from, end, present);
            case 4 -> dex(from, end, present);
            default -> fault("IOAM_UNKNOWN_TYPE");
        };
    }

    private Optional<Map<String, Object>> fault(String name) {
        warnings.add(name);
        return Optional.empty();
    }

    private Optional<Map<String, Object>> trace(String name, boolean preallocated, int from, int end, int present) {
        if (end - from < TRACE_BYTES) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < TRACE_BYTES) {
            return Optional.empty();
        }
        Layout.Header header = TRACE.at(octets, from);
        int nodeWords = header.number("NodeLen");
        int traceType = header.number("IOAM-Trace-Type");
        boolean snapshots = has(traceType, SNAPSHOT_BIT);
        int width = 0;
        for (int bit = 0; bit < SNAPSHOT_BIT; bit++) {
            width += has(traceType, bit) ? words(bit) : 0;
        }
        if (nodeWords == 0 && !(snapshots && width == 0)) {
            return fault("IOAM_NODELEN_ZERO");
        }
        if (nodeWords != width) {
            return fault("IOAM_NODELEN_MISMATCH");
        }
        int first = from + TRACE_BYTES;
        if (preallocated) {
            first += header.number("RemainingLen") * 4;
            if (first > end) {
                return fault("IOAM_REMLEN_OVERRUN");
            }
        }
        if (!snapshots && (end - first) % (nodeWords * 4) != 0) {
            return fault("IOAM_SPACE_NOT_MULTIPLE");
        }
        List<Object> nodes = new ArrayList<>(); // newest first
        int at = first;
        while (at < end) {
            int next = at + nodeWords * 4;
            if (snapshots) {
                if (next + 4 > end) {
                    return fault("IOAM_OSS_OVERRUN");
                }
                if (next + 4 > present) {
                    break;
                }
                next += 4 + octets.u8(next) * 4;
                if (next > end) {
                    return fault("IOAM_OSS_OVERRUN");
                }
            }
            if (next > present) {
                break;
            }
            nodes.add(node(traceType, at, next));
            at = next;
        }
        Collections.reverse(nodes);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", name);
        json.put("namespace", header.get("Namespace-ID"));
        json.put("traceType", (long) traceType);
        json.put("nodeLen", (long) nodeWords);
        json.put("remainingLen", header.get("RemainingLen"));
        json.put("overflow", header.flag("Overflow"));
        json.put("loopback", header.flag("Loopback"));
        json.put("active", header.flag("Active"));
        json.put("hops", nodes);
        if (end > present) {
            json.put("truncated", true);
        }
        return Optional.of(json);
    }

    private static boolean has(int traceType, int bit) {
        return Items.isSet(traceType, bit, TRACE_BITS);
    }

    private static int words(int bit) {
        return bit >= 8 && bit <= 10 ? 2 : 1;
    }

    private Map<String, Object> node(int traceType, int from, int end) {
        Map<String, Object> node = new LinkedHashMap<>();
        int at = from;
        for (int bit = 0; bit < SNAPSHOT_BIT; bit++) {
            if (has(traceType, bit)) {
                if (!octets.allOnes(at * 8, words(bit) * 32)) {
                    item(bit, at, traceType, node);
                }
                at += words(bit) * 4;
            }
        }
        if (has(traceType, SNAPSHOT_BIT)) {
            Map<String, Object> snapshot = new LinkedHashMap<>();
            long schema = octets.bits(at * 8 + 8, 24);
            if (schema != NO_SCHEMA) {
                snapshot.put("schema", schema);
            }
            snapshot.put("data", octets.hex(at + 4, end));
            node.put("snapshot", snapshot);
        }
        return node;
    }

    private void item(int bit, int at, int traceType, Map<String, Object> node) {
        int off = at * 8;
        switch (bit) {
            case 0 -> {
                node.put("hopLimit", octets.bits(off, 8));
                part(node, "nodeId", off + 8, 24);
            }
            case 1 -> {
                part(node, "ingressInterface", off, 16);
                part(node, "egressInterface", off + 16, 16);
            }
            case 2 -> part(node, "timestampSeconds", off, 32);
            case 3 -> part(node, "timestampFraction", off, 32);
            case 4 -> {
                if (octets.bits(off, 1) == 0) {
                    node.put("transitDelay", octets.bits(off + 1, 31));
                }
            }
            case 5 -> part(node, "namespaceData", off, 32);
            case 6 -> part(node, "queueDepth", off, 32);
            case 7 -> part(node, "checksumComplement", off, 32);
            case 8 -> {
                node.putIfAbsent("hopLimit", octets.bits(off, 8));
                if (!octets.allOnes(off + 8, 56)) {
                    node.put("nodeIdWide", octets.decimal(off + 8, 56));
                    if (!has(traceType, 0)) {
                        node.put("nodeId", octets.bits(off + 8, 56));
                    }
                }
            }
            case 9 -> {
                part(node, "ingressInterfaceWide", off, 32);
                part(node, "egressInterfaceWide", off + 32, 32);
            }
            case 10 -> node.put("namespaceDataWide", octets.decimal(off, 64));
            case 11 -> part(node, "bufferOccupancy", off, 32);
            default -> {
                // bits 12 to 21 are undefined: one word each, skipped
            }
        }
    }

    private void part(Map<String, Object> node, String name, int off, int width) {
        if (!octets.allOnes(off, width)) {
            node.put(name, octets.bits(off, width));
        }
    }

    private Optional<Map<String, Object>> e2e(int from, int end, int present) {
        if (end - from < E2E_BYTES) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < E2E_BYTES) {
            return Optional.empty();
        }
        Layout.Header header = E2E.at(octets, from);
        if (header.flag("Sequence64") && header.flag("Sequence32")) {
            return fault("IOAM_E2E_TYPE_CONFLICT");
        }
        int needed = E2E_BYTES
                + (header.flag("Sequence64") ? 8 : 0)
                + (header.flag("Sequence32") ? 4 : 0)
                + (header.flag("Seconds") ? 4 : 0)
                + (header.flag("Fraction") ? 4 : 0);
        if (end - from < needed) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < needed) {
            return Optional.empty();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "e2e");
        json.put("namespace", header.get("Namespace-ID"));
        int at = from + E2E_BYTES;
        if (header.flag("Sequence64")) {
            if (!octets.allOnes(at * 8, 64)) {
                json.put("sequence", octets.decimal(at * 8, 64));
            }
            at += 8;
        }
        if (header.flag("Sequence32")) {
            part(json, "sequence", at * 8, 32);
            at += 4;
        }
        if (header.flag("Seconds")) {
            part(json, "timestampSeconds", at * 8, 32);
            at += 4;
        }
        if (header.flag("Fraction")) {
            part(json, "timestampFraction", at * 8, 32);
        }
        return Optional.of(json);
    }

    private Optional<Map<String, Object>> dex(int from, int end, int present) {
        if (end - from < DEX_BYTES) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < DEX_BYTES) {
            return Optional.empty();
        }
        Layout.Header header = DEX.at(octets, from);
        int extensions = header.number("Extension-Flags");
        int needed = DEX_BYTES + Integer.bitCount(extensions) * 4;
        if (end - from < needed) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < needed) {
            return Optional.empty();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "dex");
        json.put("namespace", header.get("Namespace-ID"));
        json.put("flags", header.get("Flags"));
        json.put("extensionFlags", (long) extensions);
        json.put("traceType", header.get("IOAM-Trace-Type"));
        int at = from + DEX_BYTES;
        if (Items.isSet(extensions, 0, 8)) {
            part(json, "flowId", at * 8, 32);
            at += 4;
        }
        if (Items.isSet(extensions, 1, 8)) {
            part(json, "sequence", at * 8, 32);
        }
        return Optional.of(json);
    }

    private Optional<Map<String, Object>> pot(int from, int end, int present) {
        if (end - from < POT_BYTES) {
            return fault("IOAM_OPTION_TRUNCATED");
        }
        if (present - from < POT_BYTES) {
            return Optional.empty();
        }
        Layout.Header header = POT.at(octets, from);
        int dataEnd = end;
        if (header.get("POT-Type") == 0) {
            dataEnd = from + POT_BYTES + POT_TYPE_0_DATA;
            if (dataEnd > end) {
                return fault("IOAM_OPTION_TRUNCATED");
            }
        }
        if (dataEnd > present) {
            return Optional.empty();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "pot");
        json.put("namespace", header.get("Namespace-ID"));
        json.put("potType", header.get("POT-Type"));
        json.put("potFlags", header.get("POT-flags"));
        json.put("data", octets.hex(from + POT_BYTES, dataEnd));
        return Optional.of(json);
    }
}
