package io.pathlore.ingest.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.pathlore.ingest.KernelDrops;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * {@code recvmmsg}: up to 64 datagrams with a call, written by the kernel straight into the batch. Where a socket is bound to
 * every address of the machine, the kernel also tells which one a datagram was sent to.
 */
final class LinuxSockets implements Listen.OpenSockets {
    private static final int MESSAGES = 64;

    /** More segments than any kernel joins [UDP_MAX_SEGMENTS in linux/udp.h]. */
    private static final int MAX_SEGMENTS = 128;

    /** struct mmsghdr: msghdr and the length received. */
    private static final int MESSAGE_BYTES = 64;

    private static final int NAME_LENGTH_AT = 8;
    private static final int VECTOR_AT = 16;
    private static final int VECTOR_COUNT_AT = 24;
    private static final int CONTROL_AT = 32;
    private static final int CONTROL_LENGTH_AT = 40;
    private static final int LENGTH_AT = 56;

    /** struct iovec. */
    private static final int VECTOR_BYTES = 16;

    /** struct sockaddr_in6, padded. */
    private static final int NAME_BYTES = 32;

    private static final int NAME_LENGTH = 28;

    /** Time, destination and segment size together take 96. */
    private static final int CONTROL_BYTES = 128;

    /** struct cmsghdr. */
    private static final int CONTROL_HEADER = 16;

    private static final long TIME = kind(LinuxCalls.SOL_SOCKET, LinuxCalls.SO_TIMESTAMPNS);
    private static final long SENT_TO = kind(LinuxCalls.IPPROTO_IP, LinuxCalls.IP_PKTINFO);
    private static final long SENT_TO_V6 = kind(LinuxCalls.IPPROTO_IPV6, LinuxCalls.IPV6_PKTINFO);
    private static final long JOINED = kind(LinuxCalls.SOL_UDP, LinuxCalls.UDP_GRO);

    private static final int POLLFD_BYTES = 8;
    private static final int READY_AT = 6;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** BPF_RET with the constant 0: keep no byte of any packet. */
    private static final short RETURN_CONSTANT = 0x06;

    private final LinuxCalls calls;
    private final Listen listen;
    private final DatagramBatch batch;

    // Never freed while anything refers to it: a thread that comes late to wake us finds it there.
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment error = LinuxCalls.errorRoom(arena);
    private final MemorySegment one = arena.allocate(JAVA_LONG);
    private final MemorySegment drained = arena.allocate(JAVA_LONG);
    private final MemorySegment memoryInfo = arena.allocate(JAVA_INT, LinuxCalls.SK_MEMINFO_VARS);
    private final MemorySegment memoryInfoLength = arena.allocate(JAVA_INT);
    private MemorySegment pollfds = MemorySegment.NULL;

    private final ByteBuffer headers; // of messages, vectors, names, controls, one kind behind the other
    private final ByteBuffer names; // the same bytes, in the order of the network
    private final long headersAddress;
    private static final int VECTORS = MESSAGES * MESSAGE_BYTES;
    private static final int NAMES = VECTORS + MESSAGES * VECTOR_BYTES;
    private static final int CONTROLS = NAMES + MESSAGES * NAME_BYTES;
    private static final int HEADERS = CONTROLS + MESSAGES * CONTROL_BYTES;

    private final List<Bound> bound = new CopyOnWriteArrayList<>();
    private int[] descriptors = new int[0];
    private boolean[] ready = new boolean[0];
    private boolean[] v6 = new boolean[0];
    private long[] localHi = new long[0];
    private long[] localLo = new long[0];
    private int[] localPorts = new int[0];
    private final int wakeDescriptor;
    private final Object door = new Object();
    private boolean closed;
    private int used = MESSAGES; // messages the kernel wrote lengths into

    // Of the message at hand.
    private long timeNanos;
    private boolean kernelTime;
    private long toHi;
    private long toLo;
    private int segmentBytes;

    LinuxSockets(LinuxCalls calls, Listen listen) throws IOException {
        this.calls = calls;
        this.listen = listen;
        batch = listen.gro()
                ? new DatagramBatch(MESSAGES, DatagramBatch.LARGEST_DATAGRAM, MESSAGES * MAX_SEGMENTS)
                : new DatagramBatch(MESSAGES, listen.largestDatagram(), MESSAGES);
        headers = ByteBuffer.allocateDirect(HEADERS).order(ByteOrder.nativeOrder());
        names = headers.duplicate().order(ByteOrder.BIG_ENDIAN);
        headersAddress = MemorySegment.ofBuffer(headers).address();
        long dataAddress = MemorySegment.ofBuffer(batch.data()).address();
        for (int i = 0; i < MESSAGES; i++) {
            int message = i * MESSAGE_BYTES;
            headers.putLong(message, headersAddress + NAMES + (long) i * NAME_BYTES);
            headers.putLong(message + VECTOR_AT, headersAddress + VECTORS + (long) i * VECTOR_BYTES);
            headers.putLong(message + VECTOR_COUNT_AT, 1);
            headers.putLong(message + CONTROL_AT, headersAddress + CONTROLS + (long) i * CONTROL_BYTES);
            headers.putLong(VECTORS + i * VECTOR_BYTES, dataAddress + batch.slotOffset(i));
            headers.putLong(VECTORS + i * VECTOR_BYTES + 8, batch.slotBytes());
        }
        one.set(JAVA_LONG, 0, 1);
        wakeDescriptor = calls.eventfd(error);
        if (wakeDescriptor < 0) {
            throw new IOException(calls.describe(-wakeDescriptor));
        }
        watch();
    }

    @Override
    public boolean dualStack() {
        return false;
    }

    @Override
    public int add(InetAddress address, int port, String suffix) throws IOException, Listen.NoSuchFamilyException {
        boolean six = address instanceof Inet6Address;
        if (listen.workers() > 1 && suffix.endsWith("#0") && port != 0) {
            // Sockets that share a port share it with any program of the same user: see first that nobody has it.
            calls.close(error, open(address, port, six, false));
        }
        int descriptor = open(address, port, six, listen.workers() > 1);
        boolean added = false;
        try {
            if (listen.workers() > 1) {
                steer(descriptor, six);
            }
            int granted = receiveBuffer(descriptor);
            option(descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_TIMESTAMPNS, "kernel timestamps");
            if (address.isAnyLocalAddress()) {
                if (six) {
                    option(descriptor, LinuxCalls.IPPROTO_IPV6, LinuxCalls.IPV6_RECVPKTINFO, "destination addresses");
                } else {
                    option(descriptor, LinuxCalls.IPPROTO_IP, LinuxCalls.IP_PKTINFO, "destination addresses");
                }
            }
            if (listen.gro()) {
                option(descriptor, LinuxCalls.SOL_UDP, LinuxCalls.UDP_GRO, "listen.gro");
            }
            int actual = localPort(descriptor);
            String label = Listen.label(address, actual, suffix);
            bound.add(new Bound(label, address, actual, listen.receiveBufferBytes(), granted, new KernelDrops()));
            int index = descriptors.length;
            descriptors = Arrays.copyOf(descriptors, index + 1);
            ready = Arrays.copyOf(ready, index + 1);
            v6 = Arrays.copyOf(v6, index + 1);
            localHi = Arrays.copyOf(localHi, index + 1);
            localLo = Arrays.copyOf(localLo, index + 1);
            localPorts = Arrays.copyOf(localPorts, index + 1);
            descriptors[index] = descriptor;
            v6[index] = six;
            localHi[index] = Listen.high(address);
            localLo[index] = Listen.low(address);
            localPorts[index] = actual;
            watch();
            added = true;
            return actual;
        } finally {
            if (!added) {
                calls.close(error, descriptor);
            }
        }
    }

    private int open(InetAddress address, int port, boolean six, boolean shared)
            throws IOException, Listen.NoSuchFamilyException {
        int descriptor = calls.socket(error, six ? LinuxCalls.AF_INET6 : LinuxCalls.AF_INET);
        if (descriptor == -LinuxCalls.EAFNOSUPPORT) {
            throw new Listen.NoSuchFamilyException();
        }
        if (descriptor < 0) {
            throw new IOException(calls.describe(-descriptor));
        }
        boolean done = false;
        try {
            if (shared) {
                option(descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_REUSEPORT, "several workers");
            }
            if (six) {
                option(descriptor, LinuxCalls.IPPROTO_IPV6, LinuxCalls.IPV6_V6ONLY, "IPv6 apart from IPv4");
            }
            int result = calls.bind(error, descriptor, socketAddress(address, port, six));
            if (result == -LinuxCalls.EADDRINUSE) {
                throw Listen.busy(address, port);
            }
            if (result == -LinuxCalls.EADDRNOTAVAIL) {
                if (address.isAnyLocalAddress()
                        || address.equals(InetAddress.ofLiteral("::1"))
                        || address instanceof Inet4Address && address.isLoopbackAddress()) {
                    throw new Listen.NoSuchFamilyException(); // IPv6 is built in and switched off
                }
                throw new ListenException("listen.addresses: %s is no address of this machine, see: ip address"
                        .formatted(Listen.text(address)));
            }
            if (result == -LinuxCalls.EACCES) {
                throw new ListenException("port %d needs a right this user has not: use one above 1023,".formatted(port)
                        + " or give the program CAP_NET_BIND_SERVICE");
            }
            if (result < 0) {
                throw new IOException(Listen.label(address, port, "") + ": " + calls.describe(-result));
            }
            done = true;
            return descriptor;
        } finally {
            if (!done) {
                calls.close(error, descriptor);
            }
        }
    }

    /** sockaddr_in or sockaddr_in6: family in the order of the machine, the rest in that of the network. */
    private MemorySegment socketAddress(InetAddress address, int port, boolean six) {
        MemorySegment memory = arena.allocate(six ? NAME_LENGTH : 16, 8);
        ByteBuffer raw = memory.asByteBuffer();
        raw.order(ByteOrder.nativeOrder()).putShort(0, (short) (six ? LinuxCalls.AF_INET6 : LinuxCalls.AF_INET));
        raw.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) port);
        raw.put(six ? 8 : 4, address.getAddress());
        if (address instanceof Inet6Address scoped && scoped.getScopeId() != 0) {
            raw.order(ByteOrder.nativeOrder()).putInt(24, scoped.getScopeId());
        }
        return memory;
    }

    private void option(int descriptor, int level, int name, String what) throws IOException {
        MemorySegment on = arena.allocate(JAVA_INT);
        on.set(JAVA_INT, 0, 1);
        int result = calls.setOption(error, descriptor, level, name, on);
        if (result < 0) {
            throw new IOException("the kernel has no " + what + ": " + calls.describe(-result));
        }
    }

    /** The program belongs to all sockets that share the port: who comes later sets the same again. */
    private void steer(int descriptor, boolean six) throws IOException {
        MemorySegment program = Steering.program(arena, six, listen.workers());
        int result =
                calls.setOption(error, descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_ATTACH_REUSEPORT_CBPF, program);
        if (result < 0) {
            throw new IOException("the kernel cannot spread exporters over workers: " + calls.describe(-result));
        }
    }

    private int receiveBuffer(int descriptor) {
        MemorySegment bytes = arena.allocate(JAVA_INT);
        bytes.set(JAVA_INT, 0, listen.receiveBufferBytes());
        // Beyond net.core.rmem_max only with CAP_NET_ADMIN; else as far as the system allows.
        if (calls.setOption(error, descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_RCVBUFFORCE, bytes) < 0) {
            calls.setOption(error, descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_RCVBUF, bytes);
        }
        MemorySegment length = arena.allocate(JAVA_INT);
        length.set(JAVA_INT, 0, Integer.BYTES);
        calls.getOption(error, descriptor, LinuxCalls.SOL_SOCKET, LinuxCalls.SO_RCVBUF, bytes, length);
        return bytes.get(JAVA_INT, 0) / 2; // the kernel doubles what it is asked for [socket(7)]
    }

    private int localPort(int descriptor) throws IOException {
        MemorySegment address = arena.allocate(NAME_BYTES, 8);
        MemorySegment length = arena.allocate(JAVA_INT);
        length.set(JAVA_INT, 0, NAME_BYTES);
        int result = calls.localAddress(error, descriptor, address, length);
        if (result < 0) {
            throw new IOException(calls.describe(-result));
        }
        return (address.get(JAVA_BYTE, 2) & 0xFF) << 8 | address.get(JAVA_BYTE, 3) & 0xFF;
    }

    /** All sockets, and last what wakes us. */
    private void watch() {
        int count = descriptors.length;
        pollfds = arena.allocate((count + 1L) * POLLFD_BYTES, 8);
        for (int i = 0; i <= count; i++) {
            pollfds.set(JAVA_INT, (long) i * POLLFD_BYTES, i < count ? descriptors[i] : wakeDescriptor);
            pollfds.set(JAVA_SHORT, (long) i * POLLFD_BYTES + 4, LinuxCalls.POLLIN);
        }
    }

    @Override
    public Technique technique() {
        return Technique.RECVMMSG;
    }

    @Override
    public int size() {
        return descriptors.length;
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
    public DatagramBatch batch() {
        return batch;
    }

    @Override
    public void await(int millis) throws IOException {
        int count = descriptors.length;
        int found = calls.poll(error, pollfds, count + 1L, millis);
        if (found < 0 && found != -LinuxCalls.EINTR) {
            throw new IOException("cannot wait for datagrams: " + calls.describe(-found));
        }
        for (int i = 0; i < count; i++) {
            // Whatever is up with a socket, reading it tells.
            ready[i] = found > 0 && pollfds.get(JAVA_SHORT, (long) i * POLLFD_BYTES + READY_AT) != 0;
        }
        if (found > 0 && pollfds.get(JAVA_SHORT, (long) count * POLLFD_BYTES + READY_AT) != 0) {
            calls.read(error, wakeDescriptor, drained);
        }
    }

    @Override
    public boolean isReady(int index) {
        return ready[index];
    }

    @Override
    public boolean receive(int index) throws IOException {
        batch.clear();
        for (int i = 0; i < used; i++) {
            int message = i * MESSAGE_BYTES;
            headers.putInt(message + NAME_LENGTH_AT, NAME_LENGTH);
            headers.putLong(message + CONTROL_LENGTH_AT, CONTROL_BYTES);
        }
        used = 0;
        int count = calls.recvmmsg(error, descriptors[index], headersAddress, MESSAGES);
        if (count < 0) {
            if (count == -LinuxCalls.EAGAIN || count == -LinuxCalls.EINTR) {
                return false;
            }
            throw new IOException("cannot receive on " + bound.get(index).label() + ": " + calls.describe(-count));
        }
        used = count;
        for (int i = 0; i < count; i++) {
            take(index, i);
        }
        return count == MESSAGES;
    }

    private void take(int socket, int message) {
        int at = message * MESSAGE_BYTES;
        int length = headers.getInt(at + LENGTH_AT);
        toHi = localHi[socket];
        toLo = localLo[socket];
        timeNanos = 0;
        kernelTime = false;
        segmentBytes = 0;
        controls(CONTROLS + message * CONTROL_BYTES, (int) headers.getLong(at + CONTROL_LENGTH_AT));
        if (!kernelTime) {
            timeNanos = WallClock.epochNanos();
        }
        int offset = batch.slotOffset(message);
        if (segmentBytes <= 0 || length <= segmentBytes) {
            add(socket, message, offset, Math.min(length, batch.slotBytes()), length);
            return;
        }
        int stored = Math.min(length, batch.slotBytes());
        int from = 0;
        for (int segment = 1; from < stored; segment++) {
            int part = Math.min(segmentBytes, stored - from);
            // A kernel that joins more than we know of: the rest is at least seen to be missing.
            boolean last = segment == MAX_SEGMENTS;
            add(socket, message, offset + from, part, last ? stored - from : part);
            from = last ? stored : from + part;
        }
    }

    private void add(int socket, int message, int offset, int length, int wireLength) {
        int index = batch.add(offset, length, wireLength, timeNanos, kernelTime ? DatagramBatch.KERNEL_TIME : 0);
        int name = NAMES + message * NAME_BYTES;
        long start = names.getLong(name); // family, port, and the address where it is of IPv4
        int port = (int) (start >>> 32) & 0xFFFF;
        if (v6[socket]) {
            batch.source(index, true, names.getLong(name + 8), names.getLong(name + 16), port);
        } else {
            batch.source(index, false, 0, start & 0xFFFF_FFFFL, port);
        }
        batch.destination(index, toHi, toLo, localPorts[socket]);
    }

    private static long kind(int level, int type) {
        return (long) type << 32 | level;
    }

    /** What the kernel says beside the bytes [cmsg(3)]. */
    private void controls(int from, int length) {
        int end = from + Math.min(length, CONTROL_BYTES);
        int at = from;
        while (end - at >= CONTROL_HEADER) {
            int size = (int) headers.getLong(at);
            if (size < CONTROL_HEADER || size > end - at) {
                return;
            }
            long kind = headers.getLong(at + 8); // level and type
            int value = at + CONTROL_HEADER;
            if (kind == TIME) {
                timeNanos = headers.getLong(value) * NANOS_PER_SECOND + headers.getLong(value + 8);
                kernelTime = true;
            } else if (kind == SENT_TO) {
                toLo = Integer.toUnsignedLong(names.getInt(value + 8)); // ipi_addr: as it stands in the header
            } else if (kind == SENT_TO_V6) {
                toHi = names.getLong(value);
                toLo = names.getLong(value + 8);
            } else if (kind == JOINED) {
                segmentBytes = headers.getInt(value);
            }
            at += size + 7 & ~7;
        }
    }

    @Override
    public int queuedPercent(int index) {
        if (!readMemoryInfo(index)) {
            return 0;
        }
        long held = Integer.toUnsignedLong(memoryInfo.get(JAVA_INT, 0));
        long most =
                Integer.toUnsignedLong(memoryInfo.get(JAVA_INT, (long) LinuxCalls.SK_MEMINFO_RCVBUF * Integer.BYTES));
        return (int) Math.min(100, held * 100 / Math.max(1, most));
    }

    private boolean readMemoryInfo(int index) {
        memoryInfoLength.set(JAVA_INT, 0, LinuxCalls.SK_MEMINFO_VARS * Integer.BYTES);
        return calls.getOption(
                        error,
                        descriptors[index],
                        LinuxCalls.SOL_SOCKET,
                        LinuxCalls.SO_MEMINFO,
                        memoryInfo,
                        memoryInfoLength)
                >= 0;
    }

    @Override
    public void readKernelDrops() {
        for (int i = 0; i < descriptors.length; i++) {
            if (readMemoryInfo(i)) {
                bound.get(i)
                        .kernelDrops()
                        .observe(memoryInfo.get(JAVA_INT, (long) LinuxCalls.SK_MEMINFO_DROPS * Integer.BYTES));
            }
        }
    }

    @Override
    public void refuseMore() {
        for (int i = 0; i < descriptors.length; i++) {
            refuseMore(i);
        }
    }

    @Override
    public void refuseMore(int index) {
        MemorySegment program = arena.allocate(8, 8); // one struct sock_filter
        program.set(JAVA_SHORT, 0, RETURN_CONSTANT);
        MemorySegment filter = arena.allocate(16, 8); // struct sock_fprog
        filter.set(JAVA_SHORT, 0, (short) 1);
        filter.set(JAVA_LONG, 8, program.address());
        calls.setOption(error, descriptors[index], LinuxCalls.SOL_SOCKET, LinuxCalls.SO_ATTACH_FILTER, filter);
    }

    @Override
    public void close(int index) {
        readKernelDrops();
        calls.close(error, descriptors[index]);
        bound.remove(index);
        int behind = descriptors.length - index - 1;
        System.arraycopy(descriptors, index + 1, descriptors, index, behind);
        System.arraycopy(v6, index + 1, v6, index, behind);
        System.arraycopy(localHi, index + 1, localHi, index, behind);
        System.arraycopy(localLo, index + 1, localLo, index, behind);
        System.arraycopy(localPorts, index + 1, localPorts, index, behind);
        descriptors = Arrays.copyOf(descriptors, descriptors.length - 1);
        ready = new boolean[descriptors.length];
        watch();
    }

    @Override
    public void wake() {
        synchronized (door) {
            if (!closed) {
                try (Arena own = Arena.ofConfined()) {
                    calls.write(LinuxCalls.errorRoom(own), wakeDescriptor, one);
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (door) {
            if (closed) {
                return;
            }
            closed = true;
            calls.close(error, wakeDescriptor);
        }
        readKernelDrops();
        for (int descriptor : descriptors) {
            calls.close(error, descriptor);
        }
        descriptors = new int[0];
    }
}
