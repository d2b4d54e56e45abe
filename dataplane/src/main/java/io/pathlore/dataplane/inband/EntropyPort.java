package io.pathlore.dataplane.inband;

import io.pathlore.wire.net.FlowView;

/**
 * The source port of a UDP header that an INT source adds: different flows should take different paths, one flow always the
 * same [INT 2.1 §5.7.2].
 */
@FunctionalInterface
public interface EntropyPort {
    /** A port of the dynamic range by a hash of addresses, protocol and ports. */
    EntropyPort FLOW_HASH = EntropyPort::flowHash;

    /** Transparent Security's sources copy the port of the flow, where it has one. */
    EntropyPort COPIED = flow -> flow.sourcePort() == FlowView.ABSENT ? flowHash(flow) : flow.sourcePort();

    int of(FlowView flow);

    private static int flowHash(FlowView flow) {
        long hash = mixed(flow.sourceHigh());
        hash = mixed(hash ^ flow.sourceLow());
        hash = mixed(hash ^ flow.destinationHigh());
        hash = mixed(hash ^ flow.destinationLow());
        long ports = (flow.sourcePort() & 0xFFFFL) << 16 | flow.destinationPort() & 0xFFFFL;
        hash = mixed(hash ^ ports ^ (long) flow.protocol() << 32);
        return 0xC000 | (int) hash & 0x3FFF;
    }

    /** Finalizer of MurmurHash3: every input bit reaches every output bit. */
    private static long mixed(long value) {
        long hash = (value ^ value >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
        hash = (hash ^ hash >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
        return hash ^ hash >>> 33;
    }
}
