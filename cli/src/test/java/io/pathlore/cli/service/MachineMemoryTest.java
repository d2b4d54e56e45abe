package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
    private static final long GIBI = 1L << 30;

    @TempDir
    Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void aContainerHasLessThanItsMachine() throws IOException {
        assertThat(MachineMemory.bytes(root)).isEqualTo(Long.MAX_VALUE);
        write("proc/meminfo", "MemFree: 1 kB\nMemTotal:       8388608 kB\n");
        assertThat(MachineMemory.bytes(root)).isEqualTo(8 * GIBI);
        write("sys/fs/cgroup/memory.max", "max\n");
        assertThat(MachineMemory.bytes(root)).isEqualTo(8 * GIBI);
        write("proc/self/cgroup", "0::/system.slice/pathlore.service\n");
        write("sys/fs/cgroup/system.slice/pathlore.service/memory.max", "536870912\n");
        assertThat(MachineMemory.bytes(root)).isEqualTo(GIBI / 2);
    }

    @Test
    void saysSoWhereMoreMayBeNeededThanThereIs() throws IOException {
        write("proc/meminfo", "MemTotal: 8388608 kB\n");
        assertThat(excess()).isNull();
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
        assertThat(excess())
                .startsWith("memory: ")
                .contains("512 MiB of store.memory", "there are 512 MiB", "set memory and store.memory lower");
        assertThat(excess("memory=64MiB", "store.memory=128MiB")).isNull();
        assertThat(excess("memory=128MiB", "store.enabled=false")).isNull();
    }

    private @Nullable String excess(String... settings) {
        Service service = new ConfigLoader(root, root, Map.of("HOME", "/")).loadService(null, List.of(settings));
        MemoryPlan plan = MemoryPlan.of(service, 2, line -> {});
        return MachineMemory.excess(plan, service, GIBI / 8, root);
    }
}
