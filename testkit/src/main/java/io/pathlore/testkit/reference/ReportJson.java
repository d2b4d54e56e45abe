package io.pathlore.testkit.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The object of {@code pathlore decode -o json} for one individual report, put together piece by piece. */
final class ReportJson {
    private static final Set<String> P4_INT = Set.of("A-57", "A-58", "A-59", "A-62");
    private static final Set<String> ONOS_BASIC = Set.of("A-47", "A-48");
    private static final Set<String> GEANT = Set.of("A-41", "A-42", "A-44", "A-60", "A-68");

    private final ReferenceOptions options;
    final Map<String, Object> report = new LinkedHashMap<>();
    final Map<String, Object> metadata = new LinkedHashMap<>();
    final Map<String, Object> other = new LinkedHashMap<>();
    final Set<String> warnings = new LinkedHashSet<>();
    private @Nullable PacketWalk packet;
    private boolean transparentSecurity;

    ReportJson(ReferenceOptions options, String version) {
        this.options = options;
        report.put("version", version);
    }

    void transparentSecurity() {
        transparentSecurity = true;
    }

    /** Decodes the packet, or the fragment of one. {@code tracked} is the F bit. */
    PacketWalk packet(PacketStart start, Octets octets, boolean tracked) {
        PacketWalk.Search search =
                new PacketWalk.Search(tracked || options.lenient(), tracked && options.lenient(), transparentSecurity);
        PacketWalk walk = new PacketWalk(options, search, octets).walk(start);
        packet = walk;
        warnings.addAll(walk.warnings());
        return walk;
    }

    Map<String, Object> json() {
        String dialect = dialect();
        if (dialect != null) {
            report.put("dialect", dialect);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("report", report);
        if (!metadata.isEmpty()) {
            json.put("metadata", metadata);
        }
        json.putAll(other);
        if (packet != null) {
            packet.into(json);
        }
        putWarnings(json, warnings);
        return json;
    }

    static void putWarnings(Map<String, Object> json, Iterable<String> warnings) {
        Set<Object> once = new LinkedHashSet<>();
        warnings.forEach(once::add);
        if (!once.isEmpty()) {
            List<Object> list = new ArrayList<>(once);
            json.put("warnings", list);
        }
    }

    static Map<String, Object> error(String fault) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("error", fault);
        return json;
    }

    private @Nullable String dialect() {
        if (transparentSecurity) {
            return "transparent-security";
        }
        if (warned(P4_INT)) {
            return "p4-int";
        }
        if (warned(ONOS_BASIC)) {
            return "onos-basic";
        }
        if (warned(GEANT)) {
            return "geant";
        }
        return options.lenient() && "onos-fabric".equals(options.profile()) ? "onos-fabric" : null;
    }

    private boolean warned(Set<String> names) {
        return names.stream().anyMatch(warnings::contains);
    }
}
