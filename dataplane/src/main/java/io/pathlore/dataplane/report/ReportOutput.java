package io.pathlore.dataplane.report;

import java.nio.ByteBuffer;

/** Takes report datagrams. The buffer is borrowed: copy what you keep. */
@FunctionalInterface
public interface ReportOutput {
    /** The UDP payload in {@code [from, end)}; {@code sourcePort} may be 0, which no socket can send from. */
    void onDatagram(ByteBuffer buffer, int from, int end, int sourcePort);
}
