package io.pathlore.mitigate.enforcer;

import io.pathlore.mitigate.bgp.BgpSpeaker;
import io.pathlore.mitigate.bgp.Peering;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A router that takes flow specifications over BGP. Its rules live as long as the session: if we die, the network forgets them. */
public final class FlowSpec implements Enforcer {
    private final String name;
    private final BgpSpeaker speaker;

    public FlowSpec(String name, Peering peering) {
        this.name = name;
        speaker = new BgpSpeaker(name, peering);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable String cannot(Rule rule) {
        return BgpSpeaker.cannot(rule);
    }

    @Override
    public void install(Rule rule) throws EnforcerException {
        try {
            speaker.announce(rule);
        } catch (IOException e) {
            throw EnforcerException.because(e);
        }
    }

    @Override
    public void withdraw(Rule rule) throws EnforcerException {
        try {
            speaker.withdraw(rule);
        } catch (IOException e) {
            throw EnforcerException.because(e);
        }
    }

    @Override
    public Set<Rule> list() {
        return speaker.announced();
    }

    public BgpSpeaker speaker() {
        return speaker;
    }

    @Override
    public void close() {
        speaker.close();
    }
}
