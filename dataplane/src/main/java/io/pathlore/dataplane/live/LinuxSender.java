package io.pathlore.dataplane.live;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code sendmmsg}: up to 64 messages with a call. Datagrams lie one behind the other in native memory, so that a run of equally
 * long ones (the last may be shorter) can be one message which the kernel cuts up again.
 */
final class LinuxSender implements BatchSender {
    private static final int MESSAGES = 64;
    /** As many as every kernel takes. */
    private static final int MAX_SEGMENTS = 64;

    private static final int MAX_DATAGRAM = 65_507;
    private static final int DATA_BYTES = 512 * 1024;
    private static final int SEND_BUFFER_BYTES = 4 * 1024 * 1024;

    /** struct mmsghdr: msghdr and the length sent. */
    private static final int MESSAGE_BYTES = 64;

    private static final int VECTOR_AT = 16;
    private static final int VECTOR_COUNT_AT = 24;
    private static final int CONTROL_AT = 32;
    private static final int CONTROL_LENGTH_AT = 40;

    /** struct iovec. */
    private static final int VECTOR_BYTES = 16;

    /** struct cmsghdr with 16 bits behind it, padded. */
    private static final int CONTROL_BYTES = 24;

    private static final int SEGMENT_AT = 16;

    private static final int POLL_MILLIS = 100;
    private static final int MAX_POLLS = 100;
    private static final int MAX_PAUSES = 200;
    private static final long PAUSE_NANOS = 50_000;

    private final LinuxSockets system = LinuxSockets.get();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment error = LinuxSockets.errorRoom(arena);
    private final MemorySegment pollfd = arena.allocate(8, 8);
    private final MemorySegment messageMemory = arena.allocate((long) MESSAGES * MESSAGE_BYTES, 64);
    private final MemorySegment vectorMemory = arena.allocate((long) MESSAGES * VECTOR_BYTES, 64);
    private final MemorySegment controlMemory = arena.allocate((long) MESSAGES * CONTROL_BYTES, 64);
    private final MemorySegment dataMemory = arena.allocate(DATA_BYTES, 64);
    private final ByteBuffer messages = messageMemory.asByteBuffer().order(ByteOrder.nativeOrder());
    private final ByteBuffer vectors = vectorMemory.asByteBuffer().order(ByteOrder.nativeOrder());
    private final ByteBuffer controls = controlMemory.asByteBuffer().order(ByteOrder.nativeOrder());
    private final ByteBuffer data = dataMemory.asByteBuffer();
    private final long messagesAddress = messageMemory.address();
    private final long dataAddress = dataMemory.address();
    private final int descriptor;

    private boolean segmented;

    // The batch: message i is starts[i] to starts[i] + lengths[i] of data, in datagrams of sizes[i].
    private final int[] starts = new int[MESSAGES];
    private final int[] lengths = new int[MESSAGES];
    private final int[] sizes = new int[MESSAGES];
    private final int[] datagrams = new int[MESSAGES];
    private int count;
    private int used;
    private boolean growing;

    private long sent;
    private long octets;
    private long failed;
    private long refused;
    private int lastError;
    private boolean closed;

    LinuxSender(@Nullable InetAddress from, InetSocketAddress to, boolean segmented) throws IOException {
        this.segmented = segmented;
        boolean v6 = to.getAddress() instanceof Inet6Address;
        descriptor = system.socket(error, v6 ? LinuxSockets.AF_INET6 : LinuxSockets.AF_INET);
        if (descriptor < 0) {
            arena.close();
            throw new IOException("cannot open a socket: " + system.describe(-descriptor));
        }
        try {
            if (from != null) {
                check(
                        system.bind(error, descriptor, address(from, 0, v6)),
                        "cannot send from " + from.getHostAddress());
            }
            MemorySegment bytes = arena.allocate(JAVA_INT);
            bytes.set(JAVA_INT, 0, SEND_BUFFER_BYTES);
            // As far as the system allows; less is slower, not wrong.
            system.setOption(error, descriptor, LinuxSockets.SOL_SOCKET, LinuxSockets.SO_SNDBUF, bytes);
            int connected = system.connect(error, descriptor, address(to.getAddress(), to.getPort(), v6));
            check(connected, "cannot send to " + to.getAddress().getHostAddress());
        } catch (IOException e) {
            close();
            throw e;
        }
        pollfd.set(JAVA_INT, 0, descriptor);
        pollfd.set(JAVA_SHORT, 4, LinuxSockets.POLLOUT);
        for (int i = 0; i < MESSAGES; i++) {
            messages.putLong(i * MESSAGE_BYTES + VECTOR_AT, vectorMemory.address() + (long) i * VECTOR_BYTES);
            messages.putLong(i * MESSAGE_BYTES + VECTOR_COUNT_AT, 1);
            controls.putLong(i * CONTROL_BYTES, SEGMENT_AT + Short.BYTES);
            controls.putInt(i * CONTROL_BYTES + 8, LinuxSockets.SOL_UDP);
            controls.putInt(i * CONTROL_BYTES + 12, LinuxSockets.UDP_SEGMENT);
        }
    }

    private void check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": " + system.describe(-result));
        }
    }

    /** sockaddr_in or sockaddr_in6: family in the order of the machine, the rest in that of the network. */
    private MemorySegment address(InetAddress address, int port, boolean v6) throws IOException {
        if (v6 != address instanceof Inet6Address) {
            throw new IOException("cannot send from " + address.getHostAddress() + " to the other version of IP");
        }
        MemorySegment memory = arena.allocate(v6 ? 28 : 16, 8);
        ByteBuffer raw = memory.asByteBuffer();
        raw.order(ByteOrder.nativeOrder()).putShort(0, (short) (v6 ? LinuxSockets.AF_INET6 : LinuxSockets.AF_INET));
        raw.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) port);
        raw.put(address instanceof Inet4Address ? 4 : 8, address.getAddress());
        if (address instanceof Inet6Address scoped && scoped.getScopeId() != 0) {
            raw.order(ByteOrder.nativeOrder()).putInt(24, scoped.getScopeId());
        }
        return memory;
    }

    @Override
    public Technique technique() {
        return segmented ? Technique.SEGMENTS : Technique.MESSAGES;
    }

    @Override
    public void add(ByteBuffer datagram, int from, int end) {
        int length = end - from;
        if (length > DATA_BYTES - used) {
            flush();
        }
        if (growing && length > 0 && length <= sizes[count - 1] && canGrow(length)) {
            data.put(used, datagram, from, length);
            lengths[count - 1] += length;
            datagrams[count - 1]++;
            growing = length == sizes[count - 1]; // only the last segment may be shorter
            used += length;
            return;
        }
        if (count == MESSAGES) {
            flush();
        }
        data.put(used, datagram, from, length);
        starts[count] = used;
        lengths[count] = length;
        sizes[count] = length;
        datagrams[count] = 1;
        growing = segmented;
        used += length;
        count++;
    }

    private boolean canGrow(int length) {
        return datagrams[count - 1] < MAX_SEGMENTS && lengths[count - 1] + length <= MAX_DATAGRAM;
    }

    @Override
    public void flush() {
        for (int i = 0; i < count; i++) {
            write(i, starts[i], lengths[i], datagrams[i] > 1 ? sizes[i] : 0);
        }
        int done = 0;
        int pauses = 0;
        int polls = 0;
        int refusals = 0;
        boolean cutShort = false;
        while (done < count) {
            int result =
                    system.sendmmsg(error, descriptor, messagesAddress + (long) done * MESSAGE_BYTES, count - done);
            if (result > 0) {
                if (cutShort) {
                    refused++; // the call before ended early, for a reason that is gone: the socket had an error to
                    // tell
                }
                cutShort = result < count - done;
                for (int i = done; i < done + result; i++) {
                    sent += datagrams[i];
                    octets += lengths[i];
                }
                done += result;
                pauses = 0;
                polls = 0;
                refusals = 0;
                continue;
            }
            cutShort = false;
            int problem = -result;
            if (problem == LinuxSockets.EINTR) {
                continue;
            }
            if (problem == LinuxSockets.EAGAIN && polls++ < MAX_POLLS) {
                system.poll(error, pollfd, POLL_MILLIS);
                continue;
            }
            boolean full = problem == LinuxSockets.ENOBUFS || problem == LinuxSockets.ENOMEM;
            if (full && pauses++ < MAX_PAUSES) {
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            if (problem == LinuxSockets.ECONNREFUSED && refusals++ < MAX_SEGMENTS) {
                refused++; // told of one sent before; this one was not tried
                continue;
            }
            if (isAboutSegments(problem) && datagrams[done] > 1) {
                segmented = false;
                sendApart(done);
            } else {
                lastError = problem;
                failed += datagrams[done];
            }
            done++;
        }
        count = 0;
        used = 0;
        growing = false;
    }

    private void write(int message, int start, int length, int segment) {
        vectors.putLong(message * VECTOR_BYTES, dataAddress + start);
        vectors.putLong(message * VECTOR_BYTES + 8, length);
        int at = message * MESSAGE_BYTES;
        if (segment > 0) {
            controls.putShort(message * CONTROL_BYTES + SEGMENT_AT, (short) segment);
            messages.putLong(at + CONTROL_AT, controlMemory.address() + (long) message * CONTROL_BYTES);
            messages.putLong(at + CONTROL_LENGTH_AT, CONTROL_BYTES);
        } else {
            messages.putLong(at + CONTROL_AT, 0);
            messages.putLong(at + CONTROL_LENGTH_AT, 0);
        }
    }

    /** The kernel is too old, or the link takes only shorter datagrams whole. */
    private static boolean isAboutSegments(int problem) {
        return problem == LinuxSockets.EINVAL
                || problem == LinuxSockets.EIO
                || problem == LinuxSockets.ENOPROTOOPT
                || problem == LinuxSockets.EMSGSIZE;
    }

    /** The datagrams of one message, each as a message of its own in the same place. */
    private void sendApart(int message) {
        int end = starts[message] + lengths[message];
        for (int at = starts[message]; at < end; at += sizes[message]) {
            int length = Math.min(sizes[message], end - at);
            write(message, at, length, 0);
            int problem = sendOne(message);
            if (problem == 0) {
                sent++;
                octets += length;
            } else {
                lastError = problem;
                failed++;
            }
        }
    }

    /** The error, or 0. */
    private int sendOne(int message) {
        for (int attempt = 0; ; attempt++) {
            int result = system.sendmmsg(error, descriptor, messagesAddress + (long) message * MESSAGE_BYTES, 1);
            if (result > 0) {
                return 0;
            }
            if (-result == LinuxSockets.ECONNREFUSED) {
                refused++;
            } else if (-result == LinuxSockets.EAGAIN) {
                system.poll(error, pollfd, POLL_MILLIS);
            } else if (-result != LinuxSockets.EINTR) {
                return -result;
            }
            if (attempt == MAX_POLLS) {
                return -result;
            }
        }
    }

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
        return lastError == 0 ? "" : system.describe(lastError);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            flush();
            system.close(error, descriptor);
            arena.close();
        }
    }
}
