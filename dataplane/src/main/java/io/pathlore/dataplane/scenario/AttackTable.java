package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.report.AttackKey;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.model.Prefix;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the controller of a Transparent Security network remembers of the attacks it was told of, and does about them: an entry at the first
 * switch outside the home that speaks INT. Like the reference it keeps all of it in memory, in a table of 1024 entries, and says nothing when
 * it cannot. Belongs to the thread of the lab.
 */
public final class AttackTable {
    public static final int CAPACITY = 1024;

    private record Place(int device, BlockRule rule) {}

    private final Lab lab;
    private final Map<Long, Topology.Host> hosts = new HashMap<>();
    private final Map<BlockRule, Place> entries = new LinkedHashMap<>();
    private final Map<Long, BlockRule> byKey = new HashMap<>();

    public AttackTable(Lab lab) {
        this.lab = lab;
        lab.topology().hosts().forEach(host -> hosts.put(host.mac(), host));
    }

    /**
     * Blocks a device. Nothing happens where the table is full or nobody knows the device; what is blocked already stays so.
     *
     * @param remembered under its key, too
     */
    public void install(long mac, Prefix destination, int port, boolean remembered) {
        BlockRule rule = BlockRule.device(mac, destination, port);
        if (remembered && (entries.containsKey(rule) || entries.size() < CAPACITY)) {
            byKey.put(AttackKey.of(mac, port, destination.v6(), destination.high(), destination.low()), rule);
        }
        Place place = place(mac, rule);
        if (place != null && entries.size() < CAPACITY && !entries.containsKey(rule)) {
            entries.put(rule, place);
            lab.block(place.device, rule);
        }
    }

    private @Nullable Place place(long mac, BlockRule rule) {
        Topology.Host host = hosts.get(mac);
        Topology.End entry = host == null ? null : AttackTruth.entry(lab.topology(), host.device());
        return entry == null ? null : new Place(entry.device(), rule);
    }

    public void remove(long mac, Prefix destination, int port) {
        remove(BlockRule.device(mac, destination, port));
    }

    public void remove(long key) {
        BlockRule rule = byKey.remove(key);
        if (rule != null) {
            remove(rule);
        }
    }

    private void remove(BlockRule rule) {
        byKey.values().remove(rule);
        Place place = entries.remove(rule);
        if (place != null) {
            lab.unblock(place.device, rule);
        }
    }

    public int size() {
        return entries.size();
    }
}
