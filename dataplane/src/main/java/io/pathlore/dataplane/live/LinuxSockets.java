package io.pathlore.dataplane.live;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The socket calls of Linux that Java has no words for. Every call returns what the system returns, or minus the error number.
 * Numbers and layouts are those of the 64-bit architectures named below, which agree on them.
 */
final class LinuxSockets {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;
    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final short POLLOUT = 4;

    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EINVAL = 22;
    static final int EMSGSIZE = 90;
    static final int ENOPROTOOPT = 92;
    static final int ENOBUFS = 105;
    static final int ECONNREFUSED = 111;

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64", "riscv64");
    private static final @Nullable LinuxSockets INSTANCE = load();

    private final MethodHandle socket;
    private final MethodHandle bind;
    private final MethodHandle connect;
    private final MethodHandle setsockopt;
    private final MethodHandle sendmmsg;
    private final MethodHandle poll;
    private final MethodHandle close;
    private final MethodHandle strerror;

    @SuppressWarnings("restricted")
    private LinuxSockets(Linker linker) {
        SymbolLookup library = linker.defaultLookup();
        socket = call(linker, library, "socket", JAVA_INT, JAVA_INT, JAVA_INT);
        bind = call(linker, library, "bind", JAVA_INT, ADDRESS, JAVA_INT);
        connect = call(linker, library, "connect", JAVA_INT, ADDRESS, JAVA_INT);
        setsockopt = call(linker, library, "setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
        sendmmsg = call(linker, library, "sendmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
        poll = call(linker, library, "poll", ADDRESS, JAVA_LONG, JAVA_INT);
        close = call(linker, library, "close", JAVA_INT);
        strerror =
                linker.downcallHandle(library.find("strerror").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call(
            Linker linker, SymbolLookup library, String name, MemoryLayout... argumentLayouts) {
        return linker.downcallHandle(
                library.find(name).orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, argumentLayouts),
                Linker.Option.captureCallState("errno"));
    }

    // Where native access is denied, or the C library is not what it should be, Java's own sockets do.
    private static @Nullable LinuxSockets load() {
        boolean known = System.getProperty("os.name").equals("Linux")
                && ARCHITECTURES.contains(System.getProperty("os.arch").toLowerCase(Locale.ROOT))
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        if (!known || !LinuxSockets.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        try {
            return new LinuxSockets(Linker.nativeLinker());
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            return null;
        }
    }

    static boolean isSupported() {
        return INSTANCE != null;
    }

    static LinuxSockets get() {
        if (INSTANCE == null) {
            throw new UnsupportedOperationException("not Linux, or without native access");
        }
        return INSTANCE;
    }

    /** Room for the error number that each call leaves behind; one for each thread that calls. */
    static MemorySegment errorRoom(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout());
    }

    private static int result(int returned, MemorySegment error) {
        return returned >= 0 ? returned : -error.get(JAVA_INT, 0); // errno is all that is captured
    }

    int socket(MemorySegment error, int family) {
        try {
            int type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
            return result((int) socket.invokeExact(error, family, type, 0), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int bind(MemorySegment error, int descriptor, MemorySegment address) {
        try {
            return result((int) bind.invokeExact(error, descriptor, address, (int) address.byteSize()), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int connect(MemorySegment error, int descriptor, MemorySegment address) {
        try {
            return result((int) connect.invokeExact(error, descriptor, address, (int) address.byteSize()), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int setOption(MemorySegment error, int descriptor, int level, int name, MemorySegment value) {
        try {
            int returned = (int) setsockopt.invokeExact(error, descriptor, level, name, value, (int) value.byteSize());
            return result(returned, error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** How many of the {@code count} messages at this address were sent. */
    int sendmmsg(MemorySegment error, int descriptor, long messages, int count) {
        try {
            return result((int) sendmmsg.invokeExact(error, descriptor, messages, count, 0), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int poll(MemorySegment error, MemorySegment pollfd, int millis) {
        try {
            return result((int) poll.invokeExact(error, pollfd, 1L, millis), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int close(MemorySegment error, int descriptor) {
        try {
            return result((int) close.invokeExact(error, descriptor), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** What the system calls this error. */
    @SuppressWarnings("restricted")
    String describe(int number) {
        try {
            MemorySegment text = (MemorySegment) strerror.invokeExact(number);
            return text.reinterpret(256).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
