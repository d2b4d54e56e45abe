package io.pathlore.serve.metrics;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** What the virtual machine itself takes: heap, pauses, threads. */
public final class JvmMetrics implements MetricSource, AutoCloseable {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Buckets pauses = new Buckets(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5);
    private final List<NotificationEmitter> emitters = new ArrayList<>();
    private final NotificationListener listener = (notification, handback) -> onCollection(notification);

    public JvmMetrics() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (stopsTheWorld(collector.getName()) && collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
                emitters.add(emitter);
            }
        }
    }

    /** The others tell how long a cycle took that ran beside the program. */
    static boolean stopsTheWorld(String collector) {
        return !collector.endsWith("Cycles") && !collector.contains("Concurrent");
    }

    private void onCollection(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                && notification.getUserData() instanceof CompositeData data) {
            pauses.add(GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration() / MILLIS_PER_SECOND);
        }
    }

    @Override
    public void write(MetricWriter out) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        out.gauge("pathlore_jvm_heap_used_bytes", "Heap in use, garbage included.")
                .value(heap.getUsed());
        out.gauge("pathlore_jvm_heap_committed_bytes", "Heap taken from the system.")
                .value(heap.getCommitted());
        if (heap.getMax() >= 0) {
            out.gauge("pathlore_jvm_heap_max_bytes", "Heap there can be.").value(heap.getMax());
        }
        MemoryUsage rest = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        out.gauge("pathlore_jvm_nonheap_used_bytes", "Classes, compiled code and the like.")
                .value(rest.getUsed());
        MetricWriter.Family buffers =
                out.gauge("pathlore_jvm_buffer_bytes", "Memory of buffers outside the heap.", "pool");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            buffers.value(pool.getMemoryUsed(), pool.getName());
        }
        MetricWriter.Family times = out.counter(
                "pathlore_jvm_gc_seconds_total", "Time collectors ran, beside the program too.", "collector");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            times.value(collector.getCollectionTime() / MILLIS_PER_SECOND, collector.getName());
        }
        pauses.write(out, "pathlore_jvm_gc_pause_seconds", "How long collections stopped the program.");
        out.gauge("pathlore_jvm_threads", "Platform threads.")
                .value((long) ManagementFactory.getThreadMXBean().getThreadCount());
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("closed twice", e);
            }
        }
        emitters.clear();
    }
}
