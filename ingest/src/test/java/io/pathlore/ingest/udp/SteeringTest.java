package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several sockets share a port, and each exporter has one of them, whatever ports it sends from. */
@Timeout(60)
class SteeringTest {
    private static final int PORTS = 8;

    private final List<String> warnings = new ArrayList<>();

    @BeforeAll
    static void thereIsAKernelThatCanBeTold() {
        assumeTrue(LinuxCalls.instance() != null, "only Linux can be told");
    }

    /** The workers that got something, by source address. */
    private Map<String, Set<Integer>> send(int workers, InetAddress to, List<String> sources) throws IOException {
        Listen listen = new Listen(List.of(to), List.of(0), 1 << 20, workers, false, 9_000);
        List<UdpSockets> sockets = listen.open(warnings::add);
        try {
            var target = new InetSocketAddress(to, sockets.getFirst().socket(0).port());
            for (String source : sources) {
                for (int i = 0; i < PORTS; i++) {
                    try (DatagramChannel sender = Rig.from(source)) {
                        sender.send(ByteBuffer.allocate(8), target);
                    }
                }
            }
            return receive(sockets, sources.size() * PORTS);
        } finally {
            sockets.forEach(UdpSockets::close);
        }
    }

    private static Map<String, Set<Integer>> receive(List<UdpSockets> sockets, int datagrams) throws IOException {
        Map<String, Set<Integer>> workers = new HashMap<>();
        int seen = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (seen < datagrams && System.nanoTime() < deadline) {
            for (int worker = 0; worker < sockets.size(); worker++) {
                sockets.get(worker).receive(0);
                DatagramBatch batch = sockets.get(worker).batch();
                for (int i = 0; i < batch.size(); i++) {
                    workers.computeIfAbsent(Rig.source(batch, i), _ -> new TreeSet<>())
                            .add(worker);
                    seen++;
                }
            }
        }
        assertThat(seen).isEqualTo(datagrams);
        return workers;
    }

    @Test
    void allPortsOfAnExporterHaveOneWorker() throws IOException {
        List<String> sources = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            sources.add("127.0.0." + (2 + i)); // neighbours
            sources.add("127." + (10 + 2 * i) + ".0.1"); // and those that differ in the upper half only
        }
        for (int workers : new int[] {2, 3}) {
            Map<String, Set<Integer>> seen = send(workers, Rig.V4, sources);
            assertThat(seen).hasSameSizeAs(sources);
            assertThat(seen.values()).allMatch(each -> each.size() == 1);
            for (String kind : List.of("127\\.0\\.0\\.\\d+", "127\\.\\d+\\.0\\.1")) {
                TreeSet<Integer> busy = new TreeSet<>();
                seen.forEach((source, each) -> busy.addAll(source.matches(kind) ? each : List.of()));
                assertThat(busy).as(kind).hasSize(workers);
            }
        }
    }

    @Test
    void soDoThoseOfAnIpv6Exporter() throws IOException {
        Map<String, Set<Integer>> seen = send(2, Rig.V6, List.of("::1"));
        assertThat(seen.keySet()).containsExactly("::1");
        assertThat(seen.values()).allMatch(each -> each.size() == 1);
    }
}
