package io.pathlore.cli.service;

import io.pathlore.analysis.plan.Network;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.ingest.udp.NodeBinding;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What the configuration says of the network, for who plans against attacks. */
final class InventoryNetwork implements Network {
    private final Service service;
    private final LongFunction<@Nullable String> enforcers;

    /** {@code enforcers} by the nodes they serve; null where none does. */
    InventoryNetwork(Service service, LongFunction<@Nullable String> enforcers) {
        this.service = service;
        this.enforcers = enforcers;
    }

    private Inventory.@Nullable Node node(long node) {
        return service.config().inventory().byId(node);
    }

    /** An address that was only learned may be the one of whoever spoke first. */
    @Override
    public boolean isBound(long node) {
        Inventory.Node known = node(node);
        return known != null && !known.addresses().isEmpty() && service.listen().binding() != NodeBinding.Mode.OFF;
    }

    @Override
    public long bitsPerSecond(long node, long interfaceId) {
        Inventory.Node known = node(node);
        if (known == null) {
            return UNKNOWN;
        }
        return interfaceId < 0
                ? known.speeds().values().stream()
                        .mapToLong(Long::longValue)
                        .max()
                        .orElse(UNKNOWN)
                : known.speeds().getOrDefault(interfaceId, UNKNOWN);
    }

    @Override
    public @Nullable String enforcer(long node) {
        return enforcers.apply(node);
    }

    @Override
    public boolean isOneReporterEnough() {
        return service.defend().isOneSinkEnough();
    }
}
