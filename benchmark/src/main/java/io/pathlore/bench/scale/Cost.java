package io.pathlore.bench.scale;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What something cost the one thread there is, and the collector of garbage meanwhile. */
final class Cost {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

    private long nanos;
    private long octets;
    private long collecting;

    void start() {
        collecting -= collected();
        octets -= THREADS.getCurrentThreadAllocatedBytes();
        nanos -= THREADS.getCurrentThreadCpuTime();
    }

    void stop() {
        nanos += THREADS.getCurrentThreadCpuTime();
        octets += THREADS.getCurrentThreadAllocatedBytes();
        collecting += collected();
    }

    private static long collected() {
        long millis = 0;
        for (GarbageCollectorMXBean each : COLLECTORS) {
            millis += each.getCollectionTime();
        }
        return millis * 1_000_000;
    }

    void add(Cost other) {
        nanos += other.nanos;
        octets += other.octets;
        collecting += other.collecting;
    }

    /** Of processor time of the thread. */
    long nanos() {
        return nanos;
    }

    /** Allocated. */
    long octets() {
        return octets;
    }

    /** Of the collector of garbage, which ran because of this, and also for what others hold. */
    long collectingNanos() {
        return collecting;
    }
}
