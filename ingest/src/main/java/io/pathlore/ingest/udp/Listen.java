package io.pathlore.ingest.udp;

import io.pathlore.model.IpText;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Where to listen, and how.
 *
 * @param ports 0 is a free one of the system's choice, for tests
 * @param receiveBufferBytes what one socket asks the kernel for
 * @param workers threads that read; each has a socket of its own for every address and port
 * @param gro let the kernel join datagrams: faster, but its drops are then not counted one by one
 * @param largestDatagram longer ones are rejected as oversize
 */
public record Listen(
        List<InetAddress> addresses,
        List<Integer> ports,
        int receiveBufferBytes,
        int workers,
        boolean gro,
        int largestDatagram) {
    private static final int MAX_WORKERS = 64;

    public Listen {
        addresses = List.copyOf(addresses);
        ports = List.copyOf(ports);
        require(!addresses.isEmpty(), "listen.addresses", "empty", "at least one address");
        require(!ports.isEmpty(), "listen.ports", "empty", "at least one port");
        for (int port : ports) {
            require(port >= 0 && port <= 0xFFFF, "listen.ports", port, "1 to 65535");
        }
        require(receiveBufferBytes > 0, "listen.receive-buffer", receiveBufferBytes, "positive");
        require(workers >= 1 && workers <= MAX_WORKERS, "listen.workers", workers, "1 to " + MAX_WORKERS);
        require(
                largestDatagram >= 1 && largestDatagram <= DatagramBatch.LARGEST_DATAGRAM,
                "largest datagram",
                largestDatagram,
                "1 to " + DatagramBatch.LARGEST_DATAGRAM);
    }

    private static void require(boolean holds, String key, Object value, String wanted) {
        if (!holds) {
            throw new IllegalArgumentException(key + " is " + value + ", must be " + wanted);
        }
    }

    /** With every datagram there can be, one worker, and drops counted exactly. */
    public static Listen on(List<InetAddress> addresses, List<Integer> ports, int receiveBufferBytes) {
        return new Listen(addresses, ports, receiveBufferBytes, 1, false, DatagramBatch.LARGEST_DATAGRAM);
    }

    /**
     * The sockets of each worker, by the best technique this machine has.
     *
     * @param warnings takes lines for the operator: what was skipped, or is less than was asked for
     */
    public List<UdpSockets> open(Consumer<String> warnings) throws ListenException {
        LinuxCalls calls = LinuxCalls.instance();
        if (calls == null) {
            warnings.accept("no recvmmsg here (not Linux, or no --enable-native-access):"
                    + " receiving is slower and datagrams dropped by the kernel are not counted");
            return openPortable(warnings);
        }
        return open(warnings, () -> new LinuxSockets(calls, this));
    }

    /** The same by Java's own means. */
    List<UdpSockets> openPortable(Consumer<String> warnings) throws ListenException {
        return open(warnings, () -> new ChannelSockets(this));
    }

    private interface Opener {
        OpenSockets open() throws IOException;
    }

    /** Sockets that more can be added to. */
    interface OpenSockets extends UdpSockets {
        /** Returns the port, which is a new one where 0 was asked for. */
        int add(InetAddress address, int port, String label) throws IOException, NoSuchFamilyException;

        /** Whether a socket on :: also takes what is for 0.0.0.0. */
        boolean dualStack();
    }

    /** The machine, or this part of it, has no IPv4 or no IPv6. */
    static final class NoSuchFamilyException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private List<UdpSockets> open(Consumer<String> warnings, Opener opener) throws ListenException {
        List<UdpSockets> all = new ArrayList<>();
        boolean done = false;
        try {
            List<InetAddress> usable = new ArrayList<>(addresses);
            List<Integer> numbers = new ArrayList<>(ports);
            for (int worker = 0; worker < workers; worker++) {
                OpenSockets sockets = opener.open();
                all.add(sockets);
                String suffix = workers > 1 ? "#" + worker : "";
                for (int i = 0; i < numbers.size(); i++) {
                    numbers.set(i, open(sockets, usable, numbers.get(i), suffix, warnings));
                }
            }
            done = true;
        } catch (ListenException e) {
            throw e;
        } catch (IOException e) {
            throw new ListenException("cannot listen: " + e.getMessage());
        } finally {
            if (!done) {
                all.forEach(UdpSockets::close);
            }
        }
        warn(all, warnings);
        return all;
    }

    /** Returns the port, and takes addresses the machine cannot have from the list. */
    private int open(
            OpenSockets sockets, List<InetAddress> usable, int wanted, String suffix, Consumer<String> warnings)
            throws IOException {
        int port = wanted;
        boolean both = sockets.dualStack() && usable.stream().anyMatch(Listen::isAny6);
        for (InetAddress address : List.copyOf(usable)) {
            if (both && isAny4(address) || isOpen(sockets, address, port)) {
                continue;
            }
            try {
                port = sockets.add(address, port, suffix);
            } catch (NoSuchFamilyException e) {
                usable.remove(address);
                warnings.accept("listen.addresses: %s skipped, this machine has no %s"
                        .formatted(text(address), address instanceof Inet4Address ? "IPv4" : "IPv6"));
            }
        }
        if (usable.isEmpty()) {
            throw new ListenException("listen.addresses: none of "
                    + addresses.stream().map(Listen::text).toList() + " can be used on this machine, see: ip address");
        }
        return port;
    }

    /** Whether a socket that is open is still wanted. */
    boolean wants(UdpSockets.Bound socket, boolean dualStack) {
        boolean both = dualStack && addresses.stream().anyMatch(Listen::isAny6);
        return ports.contains(socket.port())
                && addresses.contains(socket.address())
                && !(both && isAny4(socket.address()));
    }

    /** Adds to the sockets of one worker those it lacks; all of them or none. */
    void openMissing(OpenSockets sockets, int worker, Consumer<String> warnings) throws ListenException {
        int before = sockets.size();
        boolean done = false;
        try {
            String suffix = workers > 1 ? "#" + worker : "";
            List<InetAddress> usable = new ArrayList<>(addresses);
            for (int port : ports) {
                open(sockets, usable, port, suffix, warnings);
            }
            done = true;
        } catch (ListenException e) {
            throw e;
        } catch (IOException e) {
            throw new ListenException("cannot listen: " + e.getMessage());
        } finally {
            while (!done && sockets.size() > before) {
                sockets.close(sockets.size() - 1);
            }
        }
    }

    private static boolean isOpen(OpenSockets sockets, InetAddress address, int port) {
        for (int i = 0; i < sockets.size(); i++) {
            if (port != 0
                    && sockets.socket(i).port() == port
                    && sockets.socket(i).address().equals(address)) {
                return true;
            }
        }
        return false;
    }

    private void warn(List<UdpSockets> all, Consumer<String> warnings) {
        UdpSockets first = all.getFirst();
        for (int i = 0; i < first.size(); i++) {
            UdpSockets.Bound socket = first.socket(i);
            if (socket.grantedBytes() < socket.askedBytes()) {
                warnings.accept(String.format(
                        Locale.ROOT,
                        "receive buffer of %s capped by the kernel: asked=%d granted=%d; raise it with:"
                                + " sysctl -w net.core.rmem_max=%d",
                        socket.label(),
                        socket.askedBytes(),
                        socket.grantedBytes(),
                        socket.askedBytes()));
            }
        }
        if (gro && first.technique() == UdpSockets.Technique.RECVMMSG) {
            warnings.accept("listen.gro is on: the kernel counts a bundle of dropped datagrams as one,"
                    + " so kernelDropped is a lower bound; loss is told by sequence numbers");
        }
    }

    private static boolean isAny4(InetAddress address) {
        return address instanceof Inet4Address && address.isAnyLocalAddress();
    }

    private static boolean isAny6(InetAddress address) {
        return address instanceof Inet6Address && address.isAnyLocalAddress();
    }

    static ListenException busy(InetAddress address, int port) {
        return new ListenException("port %d is taken on %s: see who has it with: ss -ulpn 'sport = :%d'"
                .formatted(port, text(address), port));
    }

    static String label(InetAddress address, int port, String suffix) {
        String host = text(address);
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port + suffix;
    }

    static String text(InetAddress address) {
        return IpText.of(address instanceof Inet6Address, high(address), low(address));
    }

    /** Upper half of an IPv6 address; 0 for IPv4. */
    static long high(InetAddress address) {
        byte[] raw = address.getAddress();
        return raw.length == 4 ? 0 : ByteBuffer.wrap(raw).getLong(0);
    }

    /** Lower half of an IPv6 address; all of an IPv4 one. */
    static long low(InetAddress address) {
        ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
        return raw.capacity() == 4 ? Integer.toUnsignedLong(raw.getInt(0)) : raw.getLong(8);
    }
}
