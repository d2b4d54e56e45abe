package io.pathlore.cli;

import io.pathlore.cli.config.Inventory;
import io.pathlore.model.Profile;
import io.pathlore.wire.decode.Exporter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decoder's memory of each exporter, and the profile that someone pinned for it: the command line first, then the
 * inventory by node id, then the inventory by address. Bounded: the one that came first is forgotten first.
 */
final class Exporters {
    private static final int CAPACITY = 4096;

    private record Key(Place.@Nullable Address address, Profile profile) {}

    private final Profiles profiles;
    private final Inventory inventory;
    private final boolean nodesHaveProfiles;
    private final Map<Key, Exporter> exporters = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Exporter> eldest) {
            return size() > CAPACITY;
        }
    };

    // Datagrams of one exporter often follow each other.
    private @Nullable Key lastKey;
    private Exporter last = new Exporter();

    Exporters(Profiles profiles, Inventory inventory) {
        this.profiles = profiles;
        this.inventory = inventory;
        nodesHaveProfiles =
                inventory.nodes().stream().anyMatch(node -> node.id() != null && node.profile() != Profile.AUTO);
    }

    Exporter of(Place place, ByteBuffer buffer, int start, int end) {
        Key key = new Key(place.exporter(), profile(place, buffer, start, end));
        if (!key.equals(lastKey)) {
            last = exporters.computeIfAbsent(key, unknown -> new Exporter(unknown.profile));
            lastKey = key;
        }
        return last;
    }

    private Profile profile(Place place, ByteBuffer buffer, int start, int end) {
        if (profiles.isEmpty() && inventory.isEmpty()) {
            return Profile.AUTO;
        }
        InetAddress address = place.addressed ? inetAddress(place) : null;
        Profile pinned = profiles.of(address);
        if (pinned != null) {
            return pinned;
        }
        if (nodesHaveProfiles) {
            Inventory.Node node = inventory.byId(nodeId(buffer, start, end));
            if (node != null && node.profile() != Profile.AUTO) {
                return node.profile();
            }
        }
        Inventory.Node node = address == null ? null : inventory.byAddress(address);
        return node == null ? Profile.AUTO : node.profile();
    }

    /** The node id where every layout that has one puts it, or -1: the profile must be known before the layout is. */
    private static long nodeId(ByteBuffer buffer, int start, int end) {
        if (end - start < 16) {
            return -1;
        }
        int first = buffer.get(start);
        int at = (first & 0xF0) != 0 ? start + 4 : (first & 0xF) != 0 ? start + 12 : -1;
        return at < 0 ? -1 : Integer.toUnsignedLong(buffer.getInt(at));
    }

    static InetAddress inetAddress(Place place) {
        ByteBuffer bytes = place.v6
                ? ByteBuffer.allocate(16).putLong(place.sourceHigh).putLong(place.sourceLow)
                : ByteBuffer.allocate(4).putInt((int) place.sourceLow);
        try {
            return InetAddress.getByAddress(bytes.array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // 4 or 16 bytes always are an address
        }
    }
}
