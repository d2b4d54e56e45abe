package io.pathlore.mitigate.bgp;

import static io.pathlore.mitigate.enforcer.Rules.flow;
import static io.pathlore.mitigate.enforcer.Rules.v4;

import io.pathlore.mitigate.enforcer.FlowSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;

/** A process of ours that announces one route and then only lives, to be killed. */
final class Announcer {
    private Announcer() {}

    public static void main(String[] words) throws Exception {
        FlowSpec enforcer = new FlowSpec(
                "edge",
                new Peering(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(words[0])),
                        65_001,
                        65_002,
                        1,
                        9));
        while (!enforcer.speaker().isEstablished()) {
            LockSupport.parkNanos(10_000_000);
        }
        enforcer.install(flow(null, v4(203, 0, 113, 0, 24), 17, 11_211, 0));
        System.in.read();
    }
}
