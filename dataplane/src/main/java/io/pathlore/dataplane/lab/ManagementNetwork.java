package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.traffic.Stage.Timer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Datagrams on their way to the collector, whoever sent them, and how many there were. */
final class ManagementNetwork {
    /** The device of a datagram that is none's. */
    static final int FORGED = -1;

    private static final ReportDestination NOWHERE = ReportDestination.ipv4(0, 0);

    final Simulation simulation;
    final LabListener listener;
    private final ReportSink sink;
    private final List<Datagram> free = new ArrayList<>();

    /** Given to datagrams so far, forged ones among them. */
    long numbers;

    long sent;
    long lost;
    long duplicated;
    long reordered;
    long delivered;
    long forged;

    ManagementNetwork(Simulation simulation, LabListener listener, ReportSink sink) {
        this.simulation = simulation;
        this.listener = listener;
        this.sink = sink;
    }

    /** Hot path: datagrams are used again. */
    void carry(
            long atNanos,
            int device,
            long number,
            int address,
            int sourcePort,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end) {
        Datagram datagram = free.isEmpty() ? new Datagram() : free.removeLast();
        int length = end - from;
        if (datagram.payload.capacity() < length) {
            datagram.payload = ByteBuffer.allocate(Integer.highestOneBit(length) * 2);
        }
        datagram.payload.put(0, payload, from, length);
        datagram.length = length;
        datagram.device = device;
        datagram.number = number;
        datagram.address = address;
        datagram.sourcePort = sourcePort;
        datagram.destination = destination;
        simulation.start(datagram, atNanos);
    }

    private final class Datagram extends Timer {
        private ByteBuffer payload = ByteBuffer.allocate(1024);
        private int length;
        private int device;
        private long number;
        private int address;
        private int sourcePort;
        private ReportDestination destination = NOWHERE;

        @Override
        protected void fire(long nowNanos) {
            delivered++;
            listener.onReportDelivered(nowNanos, device, number);
            sink.onDatagram(nowNanos, address, sourcePort, destination, payload, 0, length);
            free.add(this);
        }
    }
}
