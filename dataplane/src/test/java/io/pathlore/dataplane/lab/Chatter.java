package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.Stage.Receiver;
import io.pathlore.dataplane.traffic.Stage.Timer;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;

/** Plain UDP traffic for tests. */
public final class Chatter {
    private Chatter() {}

    /** Packets of one flow, evenly spaced. */
    public static Act flow(int from, int to, int port, int count, long firstNanos, long everyNanos, int octets) {
        return flow(from, to, port, count, firstNanos, everyNanos, octets, 64, Receiver.NOBODY);
    }

    public static Act flow(
            int from,
            int to,
            int port,
            int count,
            long firstNanos,
            long everyNanos,
            int octets,
            int ttl,
            Receiver receiver) {
        return lab -> {
            int flow = lab.flow(receiver);
            lab.start(
                    new Timer() {
                        private int left = count;

                        @Override
                        protected void fire(long nowNanos) {
                            Packet packet = lab.packet();
                            write(packet, lab.topology(), from, to, port, octets, ttl);
                            lab.send(from, to, flow, packet);
                            if (--left > 0) {
                                lab.start(this, nowNanos + everyNanos);
                            }
                        }
                    },
                    firstNanos);
        };
    }

    /** The whole frame, from its Ethernet header, has that many octets. */
    public static void write(Packet packet, Topology topology, int from, int to, int port, int octets, int ttl) {
        Topology.Host a = topology.hosts().get(from);
        Topology.Host b = topology.hosts().get(to);
        ByteBuffer out = packet.buffer();
        int ip = PacketEncoder.ethernet(out, packet.start(), b.mac(), a.mac(), 0x0800);
        int udp = PacketEncoder.ipv4(out, ip, 0, 1, true, ttl, 17, a.ipv4(), b.ipv4());
        PacketEncoder.udp(out, udp, port, 9);
        int end = packet.start() + octets;
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        packet.setEnd(end);
    }
}
