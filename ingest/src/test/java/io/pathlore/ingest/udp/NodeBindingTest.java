package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.ingest.udp.NodeBinding.Mode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NodeBindingTest {
    @Test
    void theFirstToSpeakForANodeKeepsIt() {
        var binding = new NodeBinding(Mode.LEARN, 10, Map.of(), 1);
        assertThat(binding.admits(3, false, 0, 1)).isTrue();
        assertThat(binding.admits(3, false, 0, 2)).isFalse();
        assertThat(binding.admits(3, true, 0, 1)).isFalse();
        assertThat(binding.admits(3, false, 0, 1)).isTrue();
        assertThat(binding.admits(0xFFFF_FFFEL, false, 0, 2)).isTrue();
        assertThat(binding.violations()).isEqualTo(2);
    }

    @Test
    void oneAddressMaySpeakForManyNodes() {
        var binding = new NodeBinding(Mode.LEARN, 10, Map.of(), 1);
        for (int node = 0; node < 10; node++) {
            assertThat(binding.admits(node, false, 0, 1)).isTrue();
        }
    }

    @Test
    void theInventoryIsBelievedBeforeWhoeverComesFirst() {
        var listed = Map.of(3L, List.of(InetAddress.ofLiteral("10.0.0.3"), InetAddress.ofLiteral("fd00::3")));
        var binding = new NodeBinding(Mode.ENFORCE, 10, listed, 1);
        assertThat(binding.admits(3, false, 0, 0x0A000004)).isFalse();
        assertThat(binding.admits(3, false, 0, 0x0A000003)).isTrue();
        assertThat(binding.admits(3, true, 0xFD00L << 48, 3)).isTrue();
    }

    @Test
    void aSweepOfNodesFillsTheTableAndNoMore() {
        var binding = new NodeBinding(Mode.ENFORCE, 100, Map.of(), 1);
        assertThat(binding.admits(7, false, 0, 1)).isTrue();
        for (int node = 1_000; node < 11_000; node++) {
            binding.admits(node, false, 0, 2);
        }
        assertThat(binding.entries()).isEqualTo(100);
        assertThat(binding.unknown()).isEqualTo(10_000 - 99);
        assertThat(binding.admits(7, false, 0, 1)).isTrue();
        assertThat(binding.admits(20_000, false, 0, 1)).isFalse();
    }

    @Test
    void ofTwoWorkersAtOnceOneWins() throws InterruptedException {
        var binding = new NodeBinding(Mode.LEARN, 2_000, Map.of(), 1);
        var won = new AtomicInteger();
        var go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int address = 1; address <= 2; address++) {
            int own = address;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int node = 0; node < 2_000; node++) {
                    won.addAndGet(binding.admits(node, false, 0, own) ? 1 : 0);
                }
            }));
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(won.get()).isEqualTo(2_000);
        assertThat(binding.entries()).isEqualTo(2_000);
    }
}
