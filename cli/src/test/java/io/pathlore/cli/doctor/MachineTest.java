package io.pathlore.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.store.journal.DiskFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final String HEADER =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // below
    private Path proc;

    private int udp;
    private int tcp;

    @BeforeEach
    void findPorts() throws IOException {
        proc = Files.createDirectories(directory.resolve("proc"));
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
                ServerSocket other = new ServerSocket(0, 1, LOOPBACK)) {
            udp = one.getLocalPort();
            tcp = other.getLocalPort();
        }
    }

    private Service service(String... sets) {
        List<String> all = new ArrayList<>(List.of(
                "data=" + directory.resolve("data"),
                "http.port=" + tcp,
                "listen.ports=" + udp,
                "listen.addresses=127.0.0.1"));
        all.addAll(List.of(sets));
        return new ConfigLoader(directory, directory, Map.of()).loadService(null, all);
    }

    private Stage look(String name, String... sets) {
        return new Machine(proc)
                .look(service(sets), tcp).stream()
                        .filter(stage -> stage.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    private static @Nullable Reason reason(Stage stage) {
        return stage.trouble() == null ? null : stage.trouble().reason();
    }

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String socket(int port, String state, int user, int inode) {
        return "  12: 0100007F:%04X 00000000:0000 %s 00000000:00000000 00:00000000 00000000 %5d        0 %d 2 0 0\n"
                .formatted(port, state, user, inode);
    }

    @Test
    void namesTheProcessThatHasThePort() throws IOException {
        write("net/udp", HEADER + socket(1, "07", 0, 4711) + socket(udp, "07", 1000, 4712));
        write("net/tcp", HEADER + socket(tcp, "01", 1000, 4713));
        write("net/tcp6", HEADER + socket(tcp, "0A", 1000, 4714));
        write("4242/comm", "nc\n");
        write("4243/comm", "nginx\n");
        write("self/comm", "not a number\n");
        Files.createDirectories(proc.resolve("4242/fd"));
        Files.createSymbolicLink(proc.resolve("4242/fd/3"), Path.of("socket:[4712]"));
        Files.createSymbolicLink(proc.resolve("4242/fd/4"), Path.of("socket:[4713]"));
        Files.createDirectories(proc.resolve("4243/fd"));
        Files.createSymbolicLink(proc.resolve("4243/fd/0"), Path.of("/dev/null"));
        Files.createSymbolicLink(proc.resolve("4243/fd/3"), Path.of("socket:[4714]"));
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(LOOPBACK, udp));
                ServerSocket other = new ServerSocket(tcp, 1, LOOPBACK)) {
            assertThat(one.isBound() && other.isBound()).isTrue();
            Stage busy = look("udp port");
            assertThat(reason(busy)).isEqualTo(Reason.PORT_BUSY);
            assertThat(busy.text()).isEqualTo("UDP port " + udp + " is taken by nc (process 4242)");
            Stage http = look("http port");
            assertThat(reason(http)).isEqualTo(Reason.HTTP_PORT_BUSY);
            assertThat(http.text()).isEqualTo("TCP port " + tcp + " is taken by nginx (process 4243)");
        }
    }

    @Test
    void saysWhatCanBeSaidOfAProcessOfAnotherUser() throws IOException {
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(LOOPBACK, udp))) {
            assertThat(one.isBound()).isTrue();
            assertThat(look("udp port").text())
                    .isEqualTo("UDP port " + udp + " is taken; who has it is told by: ss -ulpn 'sport = :" + udp + "'");
            write("net/udp", HEADER + socket(udp, "07", 1000, 4712) + "nonsense\n");
            assertThat(look("udp port").text())
                    .isEqualTo("UDP port " + udp + " is taken by a process of user 1000 that is not shown to this one");
        }
        assertThat(look("udp port").state()).isEqualTo(Stage.State.GREEN);
    }

    /** 192.0.2.0/24 is for documentation: no machine has it. */
    @Test
    void anAddressOfAnotherMachineCannotBeListenedOn() {
        for (Stage stage :
                List.of(look("udp port", "listen.addresses=192.0.2.1"), look("http port", "http.address=192.0.2.1"))) {
            assertThat(reason(stage)).isEqualTo(Reason.PORT_NOT_BINDABLE);
            assertThat(stage.text()).contains("192.0.2.1 cannot be opened");
        }
    }

    @Test
    void theDataDirectoryHasToBeWritable() throws IOException {
        Path data = directory.resolve("data");
        assertThat(look("data").text()).isEqualTo(data + ", which the collector will make");
        Files.createDirectory(data);
        assertThat(look("data").text()).isEqualTo(data.toString());
        Files.writeString(directory.resolve("file"), "");
        Stage file = look("data", "data=" + directory.resolve("file/below"));
        assertThat(reason(file)).isEqualTo(Reason.DATA_NOT_WRITABLE);
        assertThat(file.text()).isEqualTo(directory.resolve("file") + " is no directory");
    }

    @Test
    void aDirectoryOfSomebodyElseIsNot() throws IOException {
        assumeFalse("root".equals(Files.getOwner(directory).getName()), "root may write everywhere");
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-xr-xr-x"));
        assertThat(reason(look("data"))).isEqualTo(Reason.DATA_NOT_WRITABLE);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aDiskThatWillSoonBeFullIsAWarning() {
        Stage low = look("data", "journal.segment=1024GiB");
        assumeTrue(directory.toFile().getUsableSpace() < 1L << 40);
        assertThat(low.state()).isEqualTo(Stage.State.GREEN);
        assertThat(low.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.DISK_LOW);
            assertThat(warning.remedies()).contains("df -h " + directory);
        });
        assertThat(look("data", "journal.segment=1MiB").warnings()).isEmpty();
    }

    @Test
    void aJournalThatIsWrittenSaysThatACollectorRuns() throws IOException {
        Path journal = directory.resolve("data/journal");
        assertThat(look("journal").text()).isEqualTo("none yet in " + journal);
        DiskFiles files = DiskFiles.make(journal);
        try (var lock = files.lock()) {
            assertThat(lock).isNotNull();
            Stage locked = look("journal");
            assertThat(reason(locked)).isEqualTo(Reason.JOURNAL_LOCKED);
            assertThat(locked.text())
                    .startsWith(journal + " is written by process "
                            + ProcessHandle.current().pid());
        }
        byte[] before = Files.readAllBytes(journal.resolve("lock"));
        assertThat(look("journal").text()).isEqualTo(journal + " is written by nobody");
        assertThat(journal.resolve("lock")).hasBinaryContent(before);
        assertThat(new Machine(proc).look(service("journal.enabled=false"), tcp))
                .noneMatch(stage -> stage.name().equals("journal"));
    }

    @Test
    void aKernelThatCapsTheBufferIsAWarningWithTheLineThatHelps() throws IOException {
        assertThat(new Machine(proc).look(service(), tcp))
                .noneMatch(stage -> stage.name().equals("buffer"));
        write("sys/net/core/rmem_max", "212992\n");
        Stage capped = look("buffer");
        assertThat(capped.state()).isEqualTo(Stage.State.GREEN);
        assertThat(capped.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.RECEIVE_BUFFER_CAPPED);
            assertThat(warning.text()).startsWith("a socket gets 208 KiB of the 16 MiB of listen.receive-buffer");
            assertThat(warning.remedies().getFirst()).startsWith("sysctl -w net.core.rmem_max=16777216 ");
        });
        assertThat(look("buffer", "listen.receive-buffer=212992").warnings()).isEmpty();
    }

    /** The kernel's files are not like others: a second read may find nothing more. */
    @Test
    void theRealOneIsReadWhole() throws IOException {
        Path real = Path.of("/proc/sys/net/core/rmem_max");
        assumeTrue(Files.exists(real));
        try (BufferedReader lines = Files.newBufferedReader(real)) {
            assertThat(new ProcNet(Path.of("/proc")).largestReceiveBuffer()).isEqualTo(Long.valueOf(lines.readLine()));
        }
    }
}
