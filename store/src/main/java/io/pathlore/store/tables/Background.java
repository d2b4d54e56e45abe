package io.pathlore.store.tables;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Work that can wait. Where processors are few, a question to the tables or a second that is stored must not keep those who receive from
 * theirs for so long that the socket overflows: on Linux such threads step back [setpriority(2)], elsewhere nothing happens.
 */
@SuppressWarnings("restricted")
final class Background {
    /** A tenth of the time of one who does not step back, where both want all of it. */
    static final int NICE = 10;

    private static final int ONE_THREAD = 0;
    private static final @Nullable MethodHandle THREAD_ID = call("gettid", FunctionDescriptor.of(JAVA_INT));
    private static final @Nullable MethodHandle SET_PRIORITY =
            call("setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private Background() {}

    /** The calling thread steps back, for good; those it starts do too. Not for virtual threads, which belong to nobody. */
    static void enter() {
        MethodHandle threadId = THREAD_ID;
        MethodHandle setPriority = SET_PRIORITY;
        if (threadId == null || setPriority == null || Thread.currentThread().isVirtual()) {
            return;
        }
        try {
            int thread = (int) threadId.invokeExact();
            // Refused to those who stepped back further before: they may stay there.
            int _ = (int) setPriority.invokeExact(ONE_THREAD, thread, NICE);
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority of a thread", e);
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
