package io.pathlore.dataplane.report;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps a copy of every datagram, and overwrites what was borrowed. */
final class Datagrams implements ReportOutput {
    final List<byte[]> payloads = new ArrayList<>();
    final List<Integer> sourcePorts = new ArrayList<>();

    @Override
    public void onDatagram(ByteBuffer buffer, int from, int end, int sourcePort) {
        byte[] payload = new byte[end - from];
        buffer.get(from, payload);
        payloads.add(payload);
        sourcePorts.add(sourcePort);
        for (int at = 0; at < buffer.capacity(); at++) {
            buffer.put(at, (byte) 0xD1);
        }
    }

    byte[] only() {
        if (payloads.size() != 1) {
            throw new AssertionError(payloads.size() + " datagrams instead of one");
        }
        return payloads.get(0);
    }
}
