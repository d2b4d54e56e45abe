package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever clients do to the HTTP side, every datagram is read and analysed, and afterwards the API answers as before. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class HostileClientsIT {
    private static final int IDLE = 10_000;
    private static final int SLOW = 500;
    private static final int PER_SECOND = 1_000;
    private static final int GIGABYTE = 1_000_000_000;
    private static final long MIB = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void receivingDoesNotNoticeThem() throws IOException {
        List<AutoCloseable> open = new ArrayList<>();
        try (RunningCollector collector = Setup.in(temp).small().start();
                Load load = new Load("127.0.0.2", collector.port(), 7, PER_SECOND)) {
            load.awaitSent(PER_SECOND);
            long resident = collector.memory("VmRSS");

            assertThat(sendGigabyte(collector)).as("octets taken").isLessThan(64 * MIB);
            assertThat(post(collector, bomb())).isEqualTo("HTTP/1.1 415");
            idle(collector, open);
            slow(collector, open);
            load.awaitSent(load.sent() + PER_SECOND);
            for (AutoCloseable each : open) {
                close(each);
            }

            int sent = load.stop();
            RunningCollector.until("it answers again", () -> answers(collector));
            Reading ledger = collector.atRest(sent);
            assertThat(ledger.get("kernelDropped")).isZero();
            assertThat(ledger.get("queueDropped")).isZero();
            assertThat(ledger.get("analysed")).isEqualTo(sent);
            assertThat(collector.memory("VmRSS")).isLessThan(resident + 128 * MIB);
        }
    }

    private static boolean answers(RunningCollector collector) {
        try {
            return collector.api().get("/readyz").status() == 200;
        } catch (IOException e) {
            return false; // still too many are there
        }
    }

    private static InetSocketAddress http(RunningCollector collector) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), collector.httpPort());
    }

    /** As many as this process may open. Those that are too many for the server are closed by it. */
    private static void idle(RunningCollector collector, List<AutoCloseable> open) throws IOException {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long room = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - 2L * SLOW;
        for (int i = 0; i < Math.min(IDLE, room); i++) {
            SocketChannel channel = SocketChannel.open();
            open.add(channel);
            channel.configureBlocking(false);
            boolean ignored = channel.connect(http(collector));
        }
    }

    /** Half a request each. */
    private static void slow(RunningCollector collector, List<AutoCloseable> open) throws IOException {
        for (int i = 0; i < SLOW; i++) {
            Socket socket = new Socket();
            open.add(socket);
            try {
                socket.connect(http(collector), 1_000);
                socket.getOutputStream()
                        .write("GET /api/v1/ledger HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                return; // there are too many already, which is the point
            }
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String head(RunningCollector collector, long length, String more) {
        return "POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1:" + collector.httpPort()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n" + more + "\r\n";
    }

    /** Until somebody stops us; how much was taken. */
    private static long sendGigabyte(RunningCollector collector) throws IOException {
        byte[] piece = new byte[1 << 20];
        long sent = 0;
        try (Socket socket = new Socket()) {
            socket.connect(http(collector));
            OutputStream out = socket.getOutputStream();
            out.write(head(collector, GIGABYTE, "").getBytes(StandardCharsets.US_ASCII));
            while (sent < GIGABYTE) {
                out.write(piece);
                sent += piece.length;
            }
        } catch (SocketException e) {
            return sent; // closed by the other side
        }
        return sent;
    }

    /** A few kilobytes that are ten megabytes of JSON. */
    private static byte[] bomb() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write("{\"sql\": \"".getBytes(StandardCharsets.US_ASCII));
            out.write(" ".repeat(10_000_000).getBytes(StandardCharsets.US_ASCII));
            out.write("SELECT 1\"}".getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private static String post(RunningCollector collector, byte[] body) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(http(collector));
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(head(collector, body.length, "Content-Encoding: gzip\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }
}
