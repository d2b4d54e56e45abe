package io.pathlore.wire.decode;

import io.pathlore.model.Fault;

/** Takes what a datagram holds, in order. Everything passed is borrowed: copy what you keep. */
public interface ReportSink {
    void onReport(ReportView report);

    /**
     * A report, or the whole datagram when the fault's action is DROP, or its rest when REST, could not be decoded.
     *
     * @param offset where in the buffer
     */
    void onRejected(Fault fault, int offset);
}
