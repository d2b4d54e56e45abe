package io.pathlore.dataplane.inband;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.Property;
import io.pathlore.wire.inband.HopValues;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
    private static final int WARM = 20_000;
    private static final int MEASURED = 10_000;
    private static final int[] SOURCE_WORDS = {1, 0x20000};

    private final IntEditor editor = new IntEditor(Hops.codepoints(false), false);
    private final Packet original = new Packet(2048);
    private final Packet packet = new Packet(2048);
    private final HopValues own = new HopValues();

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void aPacketCostsNoAllocationOnceWarm(Carrier carrier) {
        List<IntTask> tasks = new ArrayList<>();
        tasks.add(IntTask.md(carrier, Instructions.of(0xFF81), 8));
        tasks.add(IntTask.md(carrier, new Instructions(0x8000, 0x5453, 0x8000, 0x4000), 8));
        tasks.add(IntTask.mx(carrier, Instructions.of(0x9000)));
        for (Shape shape : Shape.values()) {
            if (shape.takes(carrier)) {
                shape.build(original, false, Property.random(Property.seed(), 1));
                break;
            }
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(tasks, WARM);
        long before = threads.getCurrentThreadAllocatedBytes();
        run(tasks, MEASURED);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // Less than an octet each: what is left is the measurement's own.
        assertThat(allocated).isLessThan(MEASURED);
    }

    private void run(List<IntTask> tasks, int rounds) {
        for (int i = 0; i < rounds; i++) {
            packet.copyFrom(original);
            IntTask task = tasks.get(i % tasks.size());
            editor.insert(packet, editor.parse(packet), task, own, SOURCE_WORDS, i, 9000);
            for (int hop = 0; hop < 2; hop++) {
                editor.push(packet, editor.parse(packet), own, NodeAbility.DEFAULT, 9000);
            }
            editor.strip(packet, editor.parse(packet));
        }
    }
}
