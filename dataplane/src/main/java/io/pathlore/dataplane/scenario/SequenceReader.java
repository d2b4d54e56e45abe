package io.pathlore.dataplane.scenario;

import io.pathlore.model.Fault;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import java.nio.ByteBuffer;

/** The sequence number of a report datagram, without decoding what follows its header. */
final class SequenceReader {
    private final ReportVersion version;
    private final FixedHeader v05 = new FixedHeader();
    private final ReportHeader v10 = new ReportHeader();
    private final GroupHeader v20 = new GroupHeader();
    private int hwId;

    SequenceReader(ReportVersion version) {
        this.version = version;
    }

    /** Unsigned; -1 where there is none. */
    long read(ByteBuffer payload, int from, int end) {
        switch (version) {
            case V0_5 -> {
                if (v05.wrap(payload, from, end) == Fault.NONE) {
                    hwId = v05.hwId();
                    return v05.sequence();
                }
            }
            case V1_0 -> {
                if (v10.wrap(payload, from, end) == Fault.NONE) {
                    hwId = v10.hwId();
                    return v10.sequence();
                }
            }
            case V2_0 -> {
                if (v20.wrap(payload, from, end) == Fault.NONE) {
                    hwId = v20.hwId();
                    return v20.sequence();
                }
            }
        }
        return -1;
    }

    /** Of the datagram read last. */
    int hwId() {
        return hwId;
    }
}
