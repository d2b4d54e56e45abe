package io.pathlore.ingest.udp;

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
 * The system calls of Linux that Java has no words for. Every call returns what the system returns, or minus the error
 * number. Numbers and layouts are those of the 64-bit architectures named below, which agree on them.
 */
final class LinuxCalls {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int EFD_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x80000;

    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_REUSEPORT = 15;
    static final int SO_ATTACH_FILTER = 26;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_TIMESTAMPNS = 35;
    static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    static final int SO_MEMINFO = 55;
    static final int SK_MEMINFO_RCVBUF = 1;
    static final int SK_MEMINFO_DROPS = 8;
    static final int SK_MEMINFO_VARS = 9;
    static final int IPPROTO_IP = 0;
    static final int IP_PKTINFO = 8;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_RECVPKTINFO = 49;
    static final int IPV6_PKTINFO = 50;
    static final int SOL_UDP = 17;
    static final int UDP_GRO = 104;

    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final short POLLIN = 1;

    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EAFNOSUPPORT = 97;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64", "riscv64");
    private static final @Nullable LinuxCalls INSTANCE = load();

    private final MethodHandle socket;
    private final MethodHandle bind;
    private final MethodHandle getsockname;
    private final MethodHandle setsockopt;
    private final MethodHandle getsockopt;
    private final MethodHandle recvmmsg;
    private final MethodHandle poll;
    private final MethodHandle eventfd;
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle close;
    private final MethodHandle strerror;

    @SuppressWarnings("restricted")
    private LinuxCalls(Linker linker) {
        SymbolLookup library = linker.defaultLookup();
        socket = call(linker, library, "socket", JAVA_INT, JAVA_INT, JAVA_INT);
        bind = call(linker, library, "bind", JAVA_INT, ADDRESS, JAVA_INT);
        getsockname = call(linker, library, "getsockname", JAVA_INT, ADDRESS, ADDRESS);
        setsockopt = call(linker, library, "setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
        getsockopt = call(linker, library, "getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
        recvmmsg = call(linker, library, "recvmmsg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
        poll = call(linker, library, "poll", ADDRESS, JAVA_LONG, JAVA_INT);
        eventfd = call(linker, library, "eventfd", JAVA_INT, JAVA_INT);
        // They return a ssize_t, of which eight bytes need only the lower half.
        read = call(linker, library, "read", JAVA_INT, ADDRESS, JAVA_LONG);
        write = call(linker, library, "write", JAVA_INT, ADDRESS, JAVA_LONG);
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
    private static @Nullable LinuxCalls load() {
        boolean known = System.getProperty("os.name").equals("Linux")
                && ARCHITECTURES.contains(System.getProperty("os.arch").toLowerCase(Locale.ROOT))
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        if (!known || !LinuxCalls.class.getModule().isNativeAccessEnabled()) {
            return null;
        }
        try {
            return new LinuxCalls(Linker.nativeLinker());
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            return null;
        }
    }

    static @Nullable LinuxCalls instance() {
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

    int localAddress(MemorySegment error, int descriptor, MemorySegment address, MemorySegment length) {
        try {
            return result((int) getsockname.invokeExact(error, descriptor, address, length), error);
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

    int getOption(MemorySegment error, int descriptor, int level, int name, MemorySegment value, MemorySegment length) {
        try {
            return result((int) getsockopt.invokeExact(error, descriptor, level, name, value, length), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** How many of the {@code count} messages at this address were filled. Never waits. */
    int recvmmsg(MemorySegment error, int descriptor, long messages, int count) {
        try {
            // MSG_TRUNC makes the length that of the datagram, not of what there was room for.
            int flags = MSG_DONTWAIT | MSG_TRUNC;
            return result((int) recvmmsg.invokeExact(error, descriptor, messages, count, flags, 0L), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int poll(MemorySegment error, MemorySegment pollfds, long count, int millis) {
        try {
            return result((int) poll.invokeExact(error, pollfds, count, millis), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int eventfd(MemorySegment error) {
        try {
            return result((int) eventfd.invokeExact(error, 0, EFD_NONBLOCK | EFD_CLOEXEC), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int read(MemorySegment error, int descriptor, MemorySegment into) {
        try {
            return result((int) read.invokeExact(error, descriptor, into, into.byteSize()), error);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int write(MemorySegment error, int descriptor, MemorySegment from) {
        try {
            return result((int) write.invokeExact(error, descriptor, from, from.byteSize()), error);
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
