package io.pathlore.it.collect;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Somebody who sends datagrams from one address and port of the loopback. */
public final class Sender implements Closeable {
    private final DatagramChannel channel;
    private final InetAddress address;
    private final int port;

    private Sender(DatagramChannel channel) throws IOException {
        this.channel = channel;
        var local = (InetSocketAddress) channel.getLocalAddress();
        address = local.getAddress();
        port = local.getPort();
    }

    public static Sender from(String address) throws IOException {
        return new Sender(DatagramChannel.open().bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0)));
    }

    /** To the collector on the loopback of the same family. */
    public void send(int to, byte[] datagram) throws IOException {
        send(new InetSocketAddress(address.getAddress().length == 4 ? LOOPBACK : LOOPBACK6, to), datagram);
    }

    void send(InetSocketAddress to, byte[] datagram) throws IOException {
        channel.send(ByteBuffer.wrap(datagram), to);
    }

    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress LOOPBACK6 = InetAddress.ofLiteral("::1");

    String address() {
        return address.getHostAddress();
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
