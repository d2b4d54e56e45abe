package io.pathlore.dataplane.live;

import io.pathlore.dataplane.scenario.Forging;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.topology.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A socket for each exporter of a live run, and the clock they follow. */
public final class LiveSenders implements AutoCloseable {
    private static final int LOOPBACK = 0x7F00_0000;
    private static final int LOWER = 0x00FF_FFFF;

    private final int[] addresses;
    private final boolean local;
    private final BatchSender[] senders;
    private final boolean[] waiting;
    private final Pacer pacer = new Pacer(new Pace.Stamped(1), Ticker.SYSTEM, this::flush);

    /**
     * @param collectors who are sent to: exporters, by their addresses, fall to them in turn
     * @param local each from its own loopback address; otherwise all from the one the system chooses
     */
    public LiveSenders(Scenario scenario, List<InetSocketAddress> collectors, boolean local) throws IOException {
        this.local = local;
        addresses = IntStream.concat(
                        scenario.topology().switches().stream()
                                .filter(Topology.Switch::speaksInt)
                                .mapToInt(Topology.Switch::address),
                        scenario.forgings().stream().mapToInt(Forging::sourceAddress))
                .distinct()
                .sorted()
                .toArray();
        senders = new BatchSender[local ? addresses.length : collectors.size()];
        waiting = new boolean[senders.length];
        for (int i = 0; i < senders.length; i++) {
            senders[i] = open(i, collectors.get(i % collectors.size()));
        }
    }

    private BatchSender open(int i, InetSocketAddress collector) throws IOException {
        try {
            return BatchSender.open(local ? inet(loopback(addresses[i])) : null, collector);
        } catch (IOException e) {
            for (int opened = 0; opened < i; opened++) {
                senders[opened].close();
            }
            throw e;
        }
    }

    /** Where the exporter with that management address sends from. */
    public static int loopback(int address) {
        return LOOPBACK | address & LOWER;
    }

    private static InetAddress inet(int address) {
        try {
            return InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(address).array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four octets always are one
        }
    }

    public void begin(long epochNanos) {
        pacer.begin(epochNanos);
    }

    /** Waits until that time of the world. */
    public void send(long timeNanos, int address, ByteBuffer payload, int from, int end) {
        if (!pacer.await(timeNanos)) {
            return;
        }
        int at = senders.length == 1 ? 0 : Arrays.binarySearch(addresses, address) % senders.length;
        senders[at].add(payload, from, end);
        waiting[at] = true;
    }

    /** Waits until that time of the world with nothing to send. */
    public void keepPace(long timeNanos) {
        boolean goesOn = pacer.await(timeNanos);
        if (!goesOn) {
            flush();
        }
    }

    private void flush() {
        for (int i = 0; i < senders.length; i++) {
            if (waiting[i]) {
                waiting[i] = false;
                senders[i].flush();
            }
        }
    }

    public void finish() {
        flush();
        pacer.finish();
    }

    public void stop() {
        pacer.stop();
    }

    public int addresses() {
        return local ? senders.length : 1;
    }

    public long sent() {
        return Arrays.stream(senders).mapToLong(BatchSender::sent).sum();
    }

    public long failed() {
        return Arrays.stream(senders).mapToLong(BatchSender::failed).sum();
    }

    public long refused() {
        return Arrays.stream(senders).mapToLong(BatchSender::refused).sum();
    }

    public long worstLagNanos() {
        return pacer.worstLagNanos();
    }

    @Override
    public void close() {
        for (BatchSender sender : senders) {
            sender.close();
        }
    }
}
