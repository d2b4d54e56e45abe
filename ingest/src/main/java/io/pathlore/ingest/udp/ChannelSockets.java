package io.pathlore.ingest.udp;

import io.pathlore.ingest.KernelDrops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Java's own sockets, where there is no {@code recvmmsg}: one datagram with a call, an object for each address, the time of
 * the read as receive time, and no word of what the kernel dropped or which address of the machine was meant.
 */
final class ChannelSockets implements Listen.OpenSockets {
    private static final int MESSAGES = 64;

    private final Listen listen;
    private final DatagramBatch batch;
    private final ByteBuffer[] slots = new ByteBuffer[MESSAGES];
    private final Selector selector = Selector.open();
    private final List<DatagramChannel> channels = new ArrayList<>();
    private final List<SelectionKey> keys = new ArrayList<>();
    private final List<Bound> bound = new CopyOnWriteArrayList<>();

    ChannelSockets(Listen listen) throws IOException {
        this.listen = listen;
        // Java cuts without a word, so there is always room for the longest.
        batch = new DatagramBatch(MESSAGES, DatagramBatch.LARGEST_DATAGRAM, MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            slots[i] = batch.data().slice(batch.slotOffset(i), batch.slotBytes());
        }
    }

    @Override
    public boolean dualStack() {
        return true;
    }

    @Override
    public int add(InetAddress address, int port, String suffix) throws IOException, Listen.NoSuchFamilyException {
        DatagramChannel channel;
        try {
            channel = DatagramChannel.open(
                    address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        } catch (UnsupportedOperationException e) {
            throw new Listen.NoSuchFamilyException();
        }
        boolean added = false;
        try {
            if (listen.workers() > 1 && suffix.endsWith("#0") && port != 0) {
                // Sockets that share a port share it with any program of the same user: see first that nobody has it.
                try (DatagramChannel probe = DatagramChannel.open()) {
                    bind(probe, address, port);
                }
            }
            if (listen.workers() > 1) {
                if (!channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
                    throw new ListenException("listen.workers: only 1 worker can listen on this system");
                }
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, listen.receiveBufferBytes());
            bind(channel, address, port);
            channel.configureBlocking(false);
            int actual = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            int granted = channel.getOption(StandardSocketOptions.SO_RCVBUF);
            String label = Listen.label(address, actual, suffix);
            bound.add(new Bound(label, address, actual, listen.receiveBufferBytes(), granted, new KernelDrops()));
            keys.add(channel.register(selector, SelectionKey.OP_READ));
            channels.add(channel);
            added = true;
            return actual;
        } finally {
            if (!added) {
                channel.close();
            }
        }
    }

    private static void bind(DatagramChannel channel, InetAddress address, int port) throws IOException {
        try {
            channel.bind(new InetSocketAddress(address, port));
        } catch (BindException e) {
            String reason = String.valueOf(e.getMessage());
            if (reason.contains("in use")) {
                throw Listen.busy(address, port);
            }
            throw new ListenException("cannot listen on " + Listen.label(address, port, "") + ": " + reason);
        }
    }

    @Override
    public Technique technique() {
        return Technique.CHANNEL;
    }

    @Override
    public int size() {
        return channels.size();
    }

    @Override
    public Bound socket(int index) {
        return bound.get(index);
    }

    @Override
    public List<Bound> bound() {
        return List.copyOf(bound);
    }

    @Override
    public void open(Listen wanted, int worker, Consumer<String> warnings) throws ListenException {
        wanted.openMissing(this, worker, warnings);
    }

    @Override
    public void refuseMore(int index) {
        // As below.
    }

    @Override
    public void close(int index) {
        keys.remove(index).cancel();
        bound.remove(index);
        try {
            channels.remove(index).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public DatagramBatch batch() {
        return batch;
    }

    @Override
    public void await(int millis) throws IOException {
        selector.selectedKeys().clear();
        if (millis == 0) {
            selector.selectNow();
        } else {
            selector.select(millis);
        }
    }

    @Override
    public boolean isReady(int index) {
        return keys.get(index).isReadable();
    }

    @Override
    public boolean receive(int index) throws IOException {
        batch.clear();
        DatagramChannel channel = channels.get(index);
        Bound local = bound.get(index);
        for (int i = 0; i < MESSAGES; i++) {
            SocketAddress from = channel.receive(slots[i].clear());
            if (!(from instanceof InetSocketAddress source)) {
                return false;
            }
            int length = slots[i].position();
            int entry = batch.add(batch.slotOffset(i), length, length, WallClock.epochNanos(), 0);
            InetAddress address = source.getAddress();
            boolean v6 = address instanceof Inet6Address;
            batch.source(entry, v6, Listen.high(address), Listen.low(address), source.getPort());
            if (v6 == local.address() instanceof Inet6Address) {
                batch.destination(entry, Listen.high(local.address()), Listen.low(local.address()), local.port());
            } else {
                batch.destination(entry, 0, 0, local.port());
            }
        }
        return true;
    }

    @Override
    public int queuedPercent(int index) {
        return 0;
    }

    @Override
    public void readKernelDrops() {
        // Not known here.
    }

    @Override
    public void refuseMore() {
        // No such thing here: what comes between the last read and the end is lost, and not counted.
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            for (DatagramChannel channel : channels) {
                channel.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
