package io.pathlore.cli.service;

import io.pathlore.analysis.plan.Network;
import io.pathlore.cli.config.EnforcerSetting;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.mitigate.bgp.BgpSpeaker;
import io.pathlore.mitigate.enforcer.TransparentSecurity;
import io.pathlore.model.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the configuration says of the network, for who plans against attacks. */
final class InventoryNetwork implements Network {
    private final Service service;

    InventoryNetwork(Service service) {
        this.service = service;
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
    public List<String> enforcers(long node) {
        return service.defend().enforcers().stream()
                .filter(one -> one.serves(node))
                .map(EnforcerSetting::name)
                .toList();
    }

    @Override
    public boolean canSay(String enforcer, Rule rule) {
        return service.defend().enforcers().stream()
                .filter(one -> one.name().equals(enforcer))
                .anyMatch(one -> switch (one.kind()) {
                    case EnforcerSetting.TransparentSecurity _ -> TransparentSecurity.refusal(rule) == null;
                    case EnforcerSetting.FlowSpec _ -> BgpSpeaker.cannot(rule) == null;
                    case EnforcerSetting.Webhook _, EnforcerSetting.Command _ -> true;
                });
    }

    @Override
    public boolean isOneReporterEnough() {
        return service.defend().isOneSinkEnough();
    }
}
