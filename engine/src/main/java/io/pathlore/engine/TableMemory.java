package io.pathlore.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memory of tables that are looked into at random places. In pages of 4 KiB each look would cost a walk through the page tables
 * too, twice that in a guest; so Linux is asked for large pages [madvise(2), MADV_HUGEPAGE]. Only what is used takes memory.
 */
@SuppressWarnings("restricted")
final class TableMemory {
    private static final long LARGE_PAGE = 2L << 20;
    private static final int LINE = 64;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int HUGE_PAGES = 14;
    private static final long FAILED = -1;

    private static final @Nullable MethodHandle MAP =
            call("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final @Nullable MethodHandle UNMAP =
            call("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final @Nullable MethodHandle ADVISE =
            call("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private TableMemory() {}

    /** Zeros, in the order of the network. */
    static ByteBuffer allocate(long bytes) {
        return (bytes < LARGE_PAGE ? small(bytes) : large(bytes).orElseGet(() -> small(bytes))).asByteBuffer();
    }

    private static MemorySegment small(long bytes) {
        return Arena.ofAuto().allocate(bytes, LINE);
    }

    private static Optional<MemorySegment> large(long bytes) {
        MethodHandle map = MAP;
        MethodHandle unmap = UNMAP;
        MethodHandle advise = ADVISE;
        if (map == null || unmap == null || advise == null) {
            return Optional.empty();
        }
        long length = bytes + LARGE_PAGE; // so that it can begin with a large page
        try {
            MemorySegment mapped =
                    (MemorySegment) map.invokeExact(MemorySegment.NULL, length, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
            if (mapped.address() == FAILED) {
                return Optional.empty();
            }
            // Refused by kernels without large pages: small ones are slower, and no less right.
            int _ = (int) advise.invokeExact(mapped, length, HUGE_PAGES);
            MemorySegment all = mapped.reinterpret(length, Arena.ofAuto(), gone -> unmap(unmap, gone, length));
            return Optional.of(all.asSlice(-mapped.address() & LARGE_PAGE - 1, bytes));
        } catch (Throwable e) {
            throw new IllegalStateException("mmap of a table", e);
        }
    }

    private static void unmap(MethodHandle unmap, MemorySegment memory, long length) {
        try {
            int _ = (int) unmap.invokeExact(memory, length);
        } catch (Throwable e) {
            throw new IllegalStateException("munmap of a table", e);
        }
    }

    private static @Nullable MethodHandle call(String name, FunctionDescriptor descriptor) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(address -> linker.downcallHandle(address, descriptor))
                .orElse(null);
    }
}
