package io.pathlore.dataplane.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.live.BatchSender.Technique;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchSenderTest {
    private static final int PATIENCE_MILLIS = 10_000;

    private static DatagramSocket receiver(InetAddress address) throws IOException {
        DatagramSocket socket = new DatagramSocket(null);
        socket.setReceiveBufferSize(1 << 20);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.bind(new InetSocketAddress(address, 0));
        return socket;
    }

    private static InetAddress address(String text) throws IOException {
        return InetAddress.getByName(text);
    }

    private static InetSocketAddress addressOf(DatagramSocket socket) {
        return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
    }

    private static byte[] receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
        socket.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    /** Runs of equal lengths, shorter and longer ones between them, empty ones if wanted, and one as long as can be. */
    private static List<byte[]> datagrams(int count, boolean empty) {
        Random random = new Random(7);
        List<byte[]> all = new ArrayList<>();
        int length = 200;
        for (int i = 0; i < count; i++) {
            if (random.nextInt(20) == 0) {
                length = empty && random.nextInt(10) == 0 ? 0 : 2 + random.nextInt(1400);
            }
            byte[] bytes = new byte[i == count / 2 ? 65_507 : random.nextInt(9) == 0 ? length / 2 : length];
            random.nextBytes(bytes);
            all.add(bytes);
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void everyDatagramArrivesInOrderAndByteForByte(Technique technique) throws IOException {
        List<byte[]> datagrams = datagrams(1000, technique != Technique.CHANNEL); // Java sends no empty ones
        try (DatagramSocket receiver = receiver(address("127.0.0.1"));
                BatchSender sender = BatchSender.open(null, addressOf(receiver), technique)) {
            long octets = 0;
            for (int i = 0; i < datagrams.size(); i += 100) { // no more than the receiver's buffer holds
                for (byte[] datagram : datagrams.subList(i, i + 100)) {
                    byte[] around = new byte[datagram.length + 20];
                    System.arraycopy(datagram, 0, around, 13, datagram.length);
                    sender.add(ByteBuffer.wrap(around), 13, 13 + datagram.length);
                    octets += datagram.length;
                    Arrays.fill(around, (byte) 0x55); // it is ours again
                }
                sender.flush();
                for (byte[] datagram : datagrams.subList(i, i + 100)) {
                    assertThat(receive(receiver)).isEqualTo(datagram);
                }
            }
            assertThat(sender.sent()).isEqualTo(1000);
            assertThat(sender.octets()).isEqualTo(octets);
            assertThat(sender.failed()).isZero();
            assertThat(sender.refused()).isZero();
            assertThat(sender.lastFailure()).isEmpty();
        }
    }

    @Test
    void linuxSendsInBatches() throws IOException {
        Assumptions.assumeTrue(LinuxSockets.isSupported(), "needs Linux and native access");
        for (Technique technique : Technique.values()) {
            try (DatagramSocket receiver = receiver(address("127.0.0.1"));
                    BatchSender sender = BatchSender.open(null, addressOf(receiver), technique)) {
                assertThat(sender.technique()).isEqualTo(technique);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void sendsFromTheAddressItWasGiven(Technique technique) throws IOException {
        Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"), "127.0.0.0/8 is ours on Linux only");
        try (DatagramSocket receiver = receiver(address("127.0.0.1"));
                BatchSender sender = BatchSender.open(address("127.3.0.17"), addressOf(receiver), technique)) {
            sender.add(ByteBuffer.wrap(new byte[] {1}), 0, 1);
            sender.flush();
            DatagramPacket packet = new DatagramPacket(new byte[16], 16);
            receiver.receive(packet);
            assertThat(packet.getAddress()).isEqualTo(address("127.3.0.17"));
            assertThat(packet.getPort()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void sendsOverIpv6(Technique technique) throws IOException {
        DatagramSocket receiver;
        try {
            receiver = receiver(address("::1"));
        } catch (IOException e) {
            Assumptions.abort("no IPv6 here: " + e.getMessage());
            return;
        }
        try (receiver;
                BatchSender sender = BatchSender.open(null, addressOf(receiver), technique)) {
            for (int i = 0; i < 5; i++) {
                sender.add(ByteBuffer.wrap(new byte[] {(byte) i, 2, 3}), 0, 3);
            }
            sender.flush();
            for (int i = 0; i < 5; i++) {
                assertThat(receive(receiver)).containsExactly(i, 2, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void goesOnWhereNobodyListens(Technique technique) throws IOException {
        InetSocketAddress closedPort;
        try (DatagramSocket receiver = receiver(address("127.0.0.1"))) {
            closedPort = addressOf(receiver);
        }
        try (BatchSender sender = BatchSender.open(null, closedPort, technique)) {
            for (int i = 0; i < 1000; i++) {
                sender.add(ByteBuffer.wrap(new byte[100]), 0, 100);
            }
            sender.flush();
            assertThat(sender.sent() + sender.failed()).isEqualTo(1000);
            assertThat(sender.sent()).isPositive();
            assertThat(sender.refused()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void countsWhatNoDatagramCanHold(Technique technique) throws IOException {
        try (DatagramSocket receiver = receiver(address("127.0.0.1"));
                BatchSender sender = BatchSender.open(null, addressOf(receiver), technique)) {
            sender.add(ByteBuffer.wrap(new byte[] {1}), 0, 1);
            sender.add(ByteBuffer.wrap(new byte[65_530]), 0, 65_530);
            sender.add(ByteBuffer.wrap(new byte[] {2}), 0, 1);
            sender.flush();
            assertThat(receive(receiver)).containsExactly(1);
            assertThat(receive(receiver)).containsExactly(2);
            assertThat(sender.sent()).isEqualTo(2);
            assertThat(sender.failed()).isEqualTo(1);
            assertThat(sender.lastFailure()).containsIgnoringCase("too long");
        }
    }

    @ParameterizedTest
    @EnumSource(Technique.class)
    void saysWhatItCannotOpen(Technique technique) throws IOException {
        InetSocketAddress to = new InetSocketAddress(address("127.0.0.1"), 9);
        assertThatThrownBy(() -> BatchSender.open(address("192.0.2.1"), to, technique))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot send from 192.0.2.1")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> BatchSender.open(address("::1"), to, technique))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot send from");
        assertThatThrownBy(() -> BatchSender.open(null, InetSocketAddress.createUnresolved("nowhere", 1), technique))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot resolve nowhere");
    }
}
