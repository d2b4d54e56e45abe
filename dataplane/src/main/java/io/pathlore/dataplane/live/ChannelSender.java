package io.pathlore.dataplane.live;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/** Java's own sockets: one call for each datagram. */
final class ChannelSender implements BatchSender {
    private static final int SEND_BUFFER_BYTES = 4 * 1024 * 1024;
    private static final int MAX_REFUSALS = 64;

    private final DatagramChannel channel;
    // The channel would copy to such a buffer of its own, and allocate it.
    private final ByteBuffer copy = ByteBuffer.allocateDirect(1 << 16);

    private long sent;
    private long octets;
    private long failed;
    private long refused;
    private String lastFailure = "";

    ChannelSender(@Nullable InetAddress from, InetSocketAddress to) throws IOException {
        boolean v6 = to.getAddress() instanceof Inet6Address;
        channel = DatagramChannel.open(v6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        String what = "cannot send to " + to.getAddress().getHostAddress();
        try {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
            if (from != null) {
                String towards = what;
                what = "cannot send from " + from.getHostAddress();
                channel.bind(new InetSocketAddress(from, 0));
                what = towards;
            }
            channel.connect(to);
        } catch (IOException | IllegalArgumentException e) {
            channel.close();
            throw new IOException(what + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Technique technique() {
        return Technique.CHANNEL;
    }

    @Override
    public void add(ByteBuffer datagram, int from, int end) {
        int length = end - from;
        if (length == 0) {
            failed++;
            lastFailure = "an empty datagram, which Java's sockets do not send";
            return;
        }
        copy.clear().put(0, datagram, from, length).limit(length);
        for (int attempt = 0; ; attempt++) {
            try {
                channel.write(copy);
                sent++;
                octets += length;
                return;
            } catch (PortUnreachableException e) {
                refused++; // told of one sent before; this one was not tried
                if (attempt < MAX_REFUSALS) {
                    continue;
                }
                failed++;
                lastFailure = "Connection refused";
                return;
            } catch (IOException e) {
                failed++;
                lastFailure = String.valueOf(e.getMessage());
                return;
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public long sent() {
        return sent;
    }

    @Override
    public long octets() {
        return octets;
    }

    @Override
    public long failed() {
        return failed;
    }

    @Override
    public long refused() {
        return refused;
    }

    @Override
    public String lastFailure() {
        return lastFailure;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            lastFailure = String.valueOf(e.getMessage()); // what was sent is sent
        }
    }
}
