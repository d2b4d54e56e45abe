package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;

/** What traffic generators see of the network: time, hosts, and a way to send. Implemented by the lab. */
public interface Stage {
    Topology topology();

    long nowNanos();

    /** Calls {@link Timer#fire} at that time; a timer waits for one time only, and may be started again when it fires. */
    void start(Timer timer, long atNanos);

    /** An empty packet to write and send; the lab owns it again once it is sent. */
    Packet packet();

    /**
     * The packet leaves the host now, through its queue. Lengths and checksums are final.
     *
     * @param flow a number from {@link #flow}
     * @param toHost the host the network shall bring it to: destination addresses of a packet may be of nobody
     */
    void send(int fromHost, int toHost, int flow, Packet packet);

    /**
     * A new flow; {@code receiver} hears of its packets that arrive. What it is called in the truth is read from its packets.
     * Packets with forged addresses share a number, though each is a flow to those who see it: there are too many.
     */
    int flow(Receiver receiver);

    /** The flow will send no more; packets on their way still arrive. */
    void end(int flow);

    /** Hears of packets that reach their host. */
    interface Receiver {
        Receiver NOBODY = (packet, nowNanos) -> {};

        void onArrival(Packet packet, long nowNanos);
    }

    /** Something that happens later. Allocated once and started again and again. */
    abstract class Timer {
        /** For the one who keeps it waiting. */
        public long atNanos;

        public long order;

        protected abstract void fire(long nowNanos);

        /** The lab's hand on {@link #fire}. */
        public final void run(long nowNanos) {
            fire(nowNanos);
        }
    }
}
