package io.pathlore.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Datagrams the kernel dropped at one socket. The kernel tells a running total of 32 bits that begins at 0 with every socket:
 * here it becomes one that never goes back, whether the kernel's wraps or the socket is opened again. Between two readings
 * fewer than 2^32 may be dropped. One writer, any readers.
 */
public final class KernelDrops {
    private static final VarHandle TOTAL;

    static {
        try {
            TOTAL = MethodHandles.lookup().findVarHandle(KernelDrops.class, "total", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("FieldMayBeFinal") // written through the handle
    private long total;

    private int last;

    /** What the kernel's counter of the open socket says now. */
    public void observe(int counter) {
        long more = Integer.toUnsignedLong(counter - last);
        if (more != 0) {
            last = counter;
            TOTAL.setRelease(this, total + more);
        }
    }

    /** From now on the counter is that of a new socket; the old one was observed for the last time just before it closed. */
    public void reopened() {
        last = 0;
    }

    /** Over all sockets this stood for. */
    public long total() {
        return (long) TOTAL.getAcquire(this);
    }
}
