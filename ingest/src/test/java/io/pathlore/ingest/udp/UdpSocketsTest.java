package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.testkit.Hex;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real sockets on the loopback, by the kernel's words and by Java's own. */
@Timeout(60)
class UdpSocketsTest {
    private static final InetAddress ANY4 = InetAddress.ofLiteral("0.0.0.0");
    private static final InetAddress ANY6 = InetAddress.ofLiteral("::");
    private static final int[] SIZES = {0, 1, 7, 8, 11, 12, 1_472, 8_972, 65_507};

    private final List<String> warnings = new ArrayList<>();

    private UdpSockets open(Listen listen, boolean portable) throws ListenException {
        return (portable ? listen.openPortable(warnings::add) : listen.open(warnings::add)).getFirst();
    }

    private static void await(UdpSockets sockets, int socket, int datagrams, Check check) throws IOException {
        int seen = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (seen < datagrams && System.nanoTime() < deadline) {
            sockets.await(100);
            if (sockets.isReady(socket)) {
                sockets.receive(socket);
                for (int i = 0; i < sockets.batch().size(); i++) {
                    check.on(sockets.batch(), i, seen++);
                }
            }
        }
        assertThat(seen).isEqualTo(datagrams);
    }

    private interface Check {
        void on(DatagramBatch batch, int index, int number);
    }

    private static byte[] bytes(DatagramBatch batch, int index) {
        byte[] bytes = new byte[batch.length(index)];
        batch.data().get(batch.offset(index), bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everySizeArrivesAsItWasSent(boolean portable) throws IOException {
        Listen listen = Listen.on(List.of(Rig.V4), List.of(0), 1 << 20);
        try (UdpSockets sockets = open(listen, portable);
                DatagramChannel sender = DatagramChannel.open()) {
            var random = new Random(7);
            for (int round = 0; round < 20; round++) {
                List<byte[]> sent = new ArrayList<>();
                for (int size : SIZES) {
                    byte[] datagram = new byte[size];
                    random.nextBytes(datagram);
                    sent.add(datagram);
                    sender.send(
                            ByteBuffer.wrap(datagram),
                            new InetSocketAddress(Rig.V4, sockets.socket(0).port()));
                }
                await(sockets, 0, sent.size(), (batch, i, number) -> {
                    assertThat(batch.wireLength(i)).isEqualTo(sent.get(number).length);
                    assertThat(batch.truncated(i)).isFalse();
                    assertThat(Hex.text(bytes(batch, i))).isEqualTo(Hex.text(sent.get(number)));
                });
            }
        }
    }

    @Test
    void aLongerOneIsKnownToBeCut() throws IOException {
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 1 << 20, 1, false, 100);
        try (UdpSockets sockets = open(listen, false);
                DatagramChannel sender = DatagramChannel.open()) {
            var to = new InetSocketAddress(Rig.V4, sockets.socket(0).port());
            sender.send(ByteBuffer.allocate(100), to);
            sender.send(ByteBuffer.allocate(101), to);
            sender.send(ByteBuffer.allocate(60_000), to);
            List<String> seen = new ArrayList<>();
            await(
                    sockets,
                    0,
                    3,
                    (batch, i, number) ->
                            seen.add(batch.wireLength(i) + " " + batch.length(i) + " " + batch.truncated(i)));
            assertThat(seen).containsExactly("100 100 false", "101 100 true", "60000 100 true");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tellsWhereFromAndWhereTo(boolean portable) throws IOException {
        Listen listen = Listen.on(List.of(ANY4, ANY6), List.of(0), 1 << 20);
        try (UdpSockets sockets = open(listen, portable);
                DatagramChannel four = Rig.from("127.0.0.7");
                DatagramChannel six =
                        DatagramChannel.open(StandardProtocolFamily.INET6).bind(new InetSocketAddress(Rig.V6, 0))) {
            assumeTrue(warnings.isEmpty() || sockets.size() == 2, "no IPv6 here");
            int port = sockets.socket(0).port();
            four.send(ByteBuffer.allocate(1), new InetSocketAddress(InetAddress.ofLiteral("127.0.0.9"), port));
            six.send(ByteBuffer.allocate(2), new InetSocketAddress(Rig.V6, port));
            Map<Integer, String> seen = new HashMap<>();
            Check check = (batch, i, number) -> seen.put(
                    batch.length(i),
                    Rig.source(batch, i) + " " + batch.sourcePort(i) + " > "
                            + io.pathlore.model.IpText.of(batch.v6(i), batch.destinationHi(i), batch.destinationLo(i))
                            + " " + batch.destinationPort(i));
            if (portable) {
                await(sockets, 0, 2, check);
            } else {
                await(sockets, 0, 1, check);
                await(sockets, 1, 1, check);
            }
            String to4 = portable ? "0.0.0.0" : "127.0.0.9"; // Java does not tell
            String to6 = portable ? "::" : "::1";
            assertThat(seen)
                    .containsEntry(1, "127.0.0.7 " + local(four) + " > " + to4 + " " + port)
                    .containsEntry(2, "::1 " + local(six) + " > " + to6 + " " + port);
        }
    }

    private static int local(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSocketOfOneAddressNamesItself(boolean portable) throws IOException {
        try (UdpSockets sockets = open(Listen.on(List.of(Rig.V6), List.of(0), 1 << 20), portable);
                DatagramChannel sender = DatagramChannel.open()) {
            int port = sockets.socket(0).port();
            assertThat(sockets.socket(0).label()).isEqualTo("[::1]:" + port);
            sender.send(ByteBuffer.allocate(9), new InetSocketAddress(Rig.V6, port));
            await(sockets, 0, 1, (batch, i, number) -> {
                assertThat(batch.v6(i)).isTrue();
                assertThat(batch.destinationHi(i)).isZero();
                assertThat(batch.destinationLo(i)).isEqualTo(1);
                assertThat(batch.destinationPort(i)).isEqualTo(port);
            });
        }
    }

    /** The datagram waits in the queue: its time is when it came, not when it was read. */
    @Test
    void theTimeIsThatOfTheArrival() throws IOException {
        try (UdpSockets sockets = open(Listen.on(List.of(Rig.V4), List.of(0), 1 << 20), false);
                DatagramChannel sender = DatagramChannel.open()) {
            var to = new InetSocketAddress(Rig.V4, sockets.socket(0).port());
            List<long[]> bounds = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                long before = WallClock.epochNanos();
                sender.send(ByteBuffer.allocate(4), to);
                bounds.add(new long[] {before, WallClock.epochNanos()});
            }
            int[] inTime = new int[1];
            await(sockets, 0, 50, (batch, i, number) -> {
                assertThat(batch.flags(i) & DatagramBatch.KERNEL_TIME).isNotZero();
                assertThat(batch.timeNanos(i)).isGreaterThanOrEqualTo(bounds.get(number)[0] - 10_000);
                inTime[0] += batch.timeNanos(i) <= bounds.get(number)[1] + 10_000 ? 1 : 0;
            });
            // A busy machine may deliver late once, not always.
            assertThat(inTime[0]).isGreaterThan(25);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBusyPortIsNamedWithTheWayToFindOutWhoHasIt(boolean portable) throws IOException {
        try (DatagramChannel other = Rig.from("127.0.0.1")) {
            int port = local(other);
            for (int workers : new int[] {1, 2}) {
                Listen listen = new Listen(List.of(Rig.V4), List.of(port), 1 << 20, workers, false, 9_000);
                assertThatThrownBy(() -> open(listen, portable))
                        .isInstanceOf(ListenException.class)
                        .hasMessage("port " + port + " is taken on 127.0.0.1: see who has it with: ss -ulpn 'sport = :"
                                + port + "'");
            }
        }
    }

    /** Two collectors of one user could share a port without knowing, each with half of the datagrams. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalWorkersDoNotShareWithAnotherCollector(boolean portable) throws IOException {
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 1 << 20, 2, false, 9_000);
        List<UdpSockets> first = portable ? listen.openPortable(warnings::add) : listen.open(warnings::add);
        try {
            int port = first.getFirst().socket(0).port();
            assertThat(first.get(1).socket(0).port()).isEqualTo(port);
            assertThat(first.get(1).socket(0).label()).isEqualTo("127.0.0.1:" + port + "#1");
            Listen second = new Listen(List.of(Rig.V4), List.of(port), 1 << 20, 2, false, 9_000);
            assertThatThrownBy(() -> open(second, portable)).hasMessageContaining("is taken");
        } finally {
            first.forEach(UdpSockets::close);
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() {
        Listen listen = Listen.on(List.of(InetAddress.ofLiteral("192.0.2.1")), List.of(0), 1 << 20);
        assertThatThrownBy(() -> open(listen, false))
                .hasMessage("listen.addresses: 192.0.2.1 is no address of this machine, see: ip address");
    }

    @Test
    void aBufferThatWasNotGrantedIsToldWithTheLineThatHelps() throws IOException {
        int asked = Integer.MAX_VALUE;
        try (UdpSockets sockets = open(Listen.on(List.of(Rig.V4), List.of(0), asked), false)) {
            UdpSockets.Bound socket = sockets.socket(0);
            assertThat(socket.grantedBytes()).isPositive().isLessThan(asked);
            assertThat(warnings)
                    .containsExactly("receive buffer of " + socket.label() + " capped by the kernel: asked=" + asked
                            + " granted=" + socket.grantedBytes()
                            + "; raise it with: sysctl -w net.core.rmem_max=" + asked);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakesAtOnce(boolean portable) throws Exception {
        try (UdpSockets sockets = open(Listen.on(List.of(Rig.V4), List.of(0), 1 << 20), portable)) {
            long start = System.nanoTime();
            sockets.wake(); // before it sleeps: not lost
            sockets.await(30_000);
            Thread other = Thread.ofPlatform().start(sockets::wake);
            sockets.await(30_000);
            other.join();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
            sockets.await(1); // and only once
            assertThat(sockets.isReady(0)).isFalse();
        }
    }

    @Test
    void wakingWhatIsClosedDoesNothing() throws IOException {
        UdpSockets sockets = open(Listen.on(List.of(Rig.V4), List.of(0), 1 << 20), false);
        sockets.close();
        sockets.wake();
        sockets.close();
    }

    /** The sender hands over 50 datagrams as one, and the loopback does not take them apart. */
    @Test
    void joinedDatagramsAreTakenApart() throws IOException {
        assumeTrue(LinuxCalls.instance() != null, "only Linux joins");
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 1 << 20, 1, true, 9_000);
        try (UdpSockets sockets = open(listen, false)) {
            assertThat(warnings).hasSize(1).first().asString().startsWith("listen.gro is on");
            int segments = 50;
            byte[] joined = new byte[100 * segments - 30]; // the last is shorter
            for (int i = 0; i < segments; i++) {
                joined[100 * i] = (byte) i;
            }
            for (int i = 0; i < 70; i++) {
                SegmentSender.send(Rig.V4, sockets.socket(0).port(), joined, 100);
            }
            await(sockets, 0, 70 * segments, (batch, i, number) -> {
                int segment = number % segments;
                assertThat(batch.length(i)).isEqualTo(segment == segments - 1 ? 70 : 100);
                assertThat(batch.data().get(batch.offset(i))).isEqualTo((byte) segment);
                assertThat(batch.sourceLo(i)).isEqualTo(0x7F00_0001L);
                assertThat(batch.flags(i) & DatagramBatch.KERNEL_TIME).isNotZero();
            });
        }
    }
}
