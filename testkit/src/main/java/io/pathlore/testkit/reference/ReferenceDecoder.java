package io.pathlore.testkit.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The second decoder: slow, and as close to the figures of the specifications and to docs/spec-notes.md as code can be. It
 * was written without a look at {@code wire}, so that where both agree the specification was probably understood.
 *
 * <p>Results are the objects of {@code pathlore decode -o json} without {@code frame}, {@code time}, {@code exporter} and
 * {@code collector}: maps, lists, strings, booleans, and {@code Long} for every integer. It keeps no memory of an exporter
 * and throws on no input.
 */
public final class ReferenceDecoder {
    private final ReferenceOptions options;

    public ReferenceDecoder(ReferenceOptions options) {
        this.options = options;
    }

    /** One object per individual report; a report, or a whole datagram, that was rejected is {@code {"error": name}}. */
    public List<Map<String, Object>> decode(byte[] datagram) {
        return decode(datagram, new ArrayList<>());
    }

    /**
     * All names a decoder raises on the datagram, in order: the first is the one to name [spec-notes 9]. A report that
     * is rejected shows only its last fault in {@link #decode}.
     */
    public List<String> faults(byte[] datagram) {
        List<String> raised = new ArrayList<>();
        List<Map<String, Object>> results = decode(datagram, raised);
        if (raised.isEmpty()) {
            for (Map<String, Object> result : results) {
                if (result.get("error") instanceof String error) {
                    raised.add(error);
                } else if (result.get("warnings") instanceof List<?> warnings) {
                    warnings.forEach(warning -> raised.add(String.valueOf(warning)));
                }
            }
        }
        return raised;
    }

    private List<Map<String, Object>> decode(byte[] datagram, List<String> raised) {
        try {
            return reports(new Octets(datagram.clone()), raised);
        } catch (Rejected rejected) {
            return List.of(ReportJson.error(rejected.fault()));
        }
    }

    /** A data packet: the same object without {@code report} and {@code metadata}. INT is looked for as if F were set. */
    public Map<String, Object> decodePacket(byte[] packet, PacketStart start) {
        PacketWalk.Search search = new PacketWalk.Search(true, options.lenient(), false);
        PacketWalk walk = new PacketWalk(options, search, new Octets(packet.clone())).walk(start);
        Map<String, Object> json = new LinkedHashMap<>();
        walk.into(json);
        ReportJson.putWarnings(json, walk.warnings());
        return json;
    }

    private List<Map<String, Object>> reports(Octets octets, List<String> raised) {
        if (octets.length() == 0) {
            throw Rejected.datagram("TR_EMPTY");
        }
        return switch ((int) octets.bits(0, 4)) {
            case 0 -> List.of(new Report05(options, octets).decode());
            case 1 ->
                options.quirks() ? detectedOne(octets, raised) : List.of(new Report10(options, octets).decode(false));
            case 2 -> options.quirks() ? detectedTwo(octets, raised) : new Report20(options, octets, raised).decode();
            default -> throw Rejected.datagram("TR_UNKNOWN_VERSION");
        };
    }

    // Lenient layout detection: verify, then trust [spec-notes 2].

    private List<Map<String, Object>> detectedOne(Octets octets, List<String> raised) {
        Report10 v10 = new Report10(options, octets);
        Report20 v20 = new Report20(options, octets, raised);
        Report05 v05 = new Report05(options, octets);
        Optional<List<Map<String, Object>>> pinned = pinnedP4Int(v20);
        if (pinned.isPresent()) {
            return pinned.get();
        }
        if (v10.verifies()) {
            return List.of(v10.decode(false));
        }
        if (v10.verifiesWithoutLength()) {
            return List.of(v10.decode(true));
        }
        if (v20.verifies(true)) {
            return v20.decode();
        }
        Optional<List<Map<String, Object>>> p4Int = p4Int(v20);
        if (p4Int.isPresent()) {
            return p4Int.get();
        }
        if (v05.verifiesInDisguise()) {
            return List.of(v05.decode());
        }
        return List.of(v10.decode(false));
    }

    private List<Map<String, Object>> detectedTwo(Octets octets, List<String> raised) {
        TransparentSecurity transparentSecurity = new TransparentSecurity(options, octets);
        Report20 v20 = new Report20(options, octets, raised);
        Optional<List<Map<String, Object>>> pinned = pinnedP4Int(v20);
        if (pinned.isPresent()) {
            return pinned.get();
        }
        if (transparentSecurity.verifies()) {
            return List.of(transparentSecurity.decode());
        }
        if (v20.verifies(false)) {
            return v20.decode();
        }
        return p4Int(v20).orElseGet(v20::decode);
    }

    private Optional<List<Map<String, Object>>> pinnedP4Int(Report20 v20) {
        return "p4-int".equals(options.profile()) ? p4Int(v20) : Optional.empty();
    }

    /** A-59, then A-58. */
    private static Optional<List<Map<String, Object>>> p4Int(Report20 v20) {
        Optional<PacketStart> lengthless = v20.lengthless();
        if (lengthless.isPresent()) {
            return Optional.of(v20.decodeLengthless(lengthless.get()));
        }
        return v20.verifiesAsGroupOnly() ? Optional.of(v20.decodeGroupOnly()) : Optional.empty();
    }
}
