package io.pathlore.testkit.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Flow keys from the outermost to the innermost [TR 2.0 §2.6, spec-notes 4.10]. */
final class FlowKeys {
    private final List<Map<String, Object>> keys = new ArrayList<>();
    private @Nullable Long vni;

    /** An IP header whose addresses are complete. */
    void ip(String source, String destination, int protocol) {
        Map<String, Object> key = new LinkedHashMap<>();
        key.put("source", source);
        key.put("destination", destination);
        key.put("protocol", (long) protocol);
        keys.add(key);
    }

    /** The header a UDP header of the INT source had pushed aside: same addresses, own protocol, ports still to come. */
    void restored(int protocol) {
        Map<String, Object> outer = keys.getLast();
        ip(String.valueOf(outer.get("source")), String.valueOf(outer.get("destination")), protocol);
    }

    void protocol(int protocol) {
        keys.getLast().put("protocol", (long) protocol);
    }

    void ports(int source, int destination) {
        keys.getLast().put("sourcePort", (long) source);
        destinationPort(destination);
    }

    void destinationPort(int port) {
        keys.getLast().put("destinationPort", (long) port);
    }

    void icmp(int type, int code) {
        keys.getLast().put("icmpType", (long) type);
        keys.getLast().put("icmpCode", (long) code);
    }

    void vni(long value) {
        vni = value;
    }

    void into(Map<String, Object> json, boolean outermost) {
        if (keys.isEmpty()) {
            return;
        }
        Map<String, Object> outer = keys.getFirst();
        Map<String, Object> inner = keys.getLast();
        Map<String, Object> flow = new LinkedHashMap<>(outermost ? outer : inner);
        if (vni != null) {
            flow.put("vni", vni);
        }
        json.put("flow", flow);
        if (!outermost && !outer.equals(inner)) {
            json.put("outerFlow", outer);
        }
    }
}
