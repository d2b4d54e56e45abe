package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Machines that are otherwise than this one, in namespaces of the kernel: without IPv6, with short frames, on a disk that cannot be written. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class OtherMachinesIT {
    private static final int RUNTIME = 1;
    private static final int UNREACHABLE = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    /** A shell that is root in namespaces of its own, runs this, and then the words behind it. */
    private static List<String> unshared(String kinds, String before) {
        return List.of("unshare", "-r" + kinds, "sh", "-c", before + " && exec \"$@\"", "sh");
    }

    private static void assumeNamespaces() throws IOException {
        boolean can;
        try {
            Process process = new ProcessBuilder(unshared("nm", "ip link set lo up")).start();
            can = process.waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            can = false;
        }
        assumeTrue(can, "no namespaces for ordinary users here");
    }

    private JavaProcess.Ended doctor(List<String> before, String... settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("doctor", "--server", "http://127.0.0.1:9"));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        return JavaProcess.start(temp, before, RunningCollector.JVM, RunningCollector.MAIN, arguments)
                .await();
    }

    @Test
    void aDiskThatCannotBeWrittenIsNamed() throws IOException {
        assumeNamespaces();
        Path data = Files.createDirectory(temp.resolve("data"));
        JavaProcess.Ended ended = doctor(unshared("m", "mount -t tmpfs -o ro none " + data), "data=" + data);
        assertThat(ended.status()).as(ended.toString()).isEqualTo(RUNTIME);
        assertThat(ended.out())
                .contains("FAIL  data        " + data + " is on a file system that is mounted read-only")
                .contains("> mount it for writing");
    }

    @Test
    void aMachineWithoutIpv6IsNoReasonNotToStartAndIsNamed() throws IOException {
        assumeNamespaces();
        String off = "ip link set lo up && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6";
        JavaProcess.Ended ended = doctor(unshared("n", off), "data=" + temp, "listen.addresses=0.0.0.0,::1");
        assertThat(ended.status()).as(ended.toString()).isEqualTo(UNREACHABLE);
        assertThat(ended.out())
                .contains("udp port    8555 is free")
                .contains("this machine has no IPv6")
                .contains("listen.addresses without it");
    }

    /** A user without rights, and a port that needs them. */
    @Test
    void aPortThatNeedsRightsIsNamed() throws IOException {
        assumeNamespaces();
        // By lines: the kernel gives the number to the first read, and Files.readString begins with one octet.
        try (var from = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start"))) {
            assumeTrue(Integer.parseInt(from.readLine()) > 556, "low ports are open to everybody here");
        }
        // Root in a namespace of users, but not of this network.
        JavaProcess.Ended ended = doctor(List.of("unshare", "-r"), "data=" + temp, "listen.ports=556");
        assertThat(ended.out()).contains("FAIL  udp port    UDP port 556").contains("CAP_NET_BIND_SERVICE");
    }

    /** Frames of 1500 octets: reports of nine thousand, and of all that UDP can carry, come in pieces. */
    @Test
    void fragmentsArePutTogetherAndCounted() throws IOException {
        assumeNamespaces();
        JavaProcess.Ended ended = JavaProcess.start(
                        temp,
                        unshared("n", "ip link set lo up mtu 1500"),
                        RunningCollector.JVM,
                        Fragments.class.getName(),
                        List.of(temp.toString()))
                .await();
        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.out()).contains("all accounted for");
    }

    /** On an address of each family, and on all addresses of both. */
    @Test
    void everyFamilyIsAccountedForAlike() throws IOException {
        boolean six = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(each -> each.equals(InetAddress.ofLiteral("::1")));
        assumeTrue(six, "no IPv6 here");
        int each = 50;
        for (String addresses : List.of("127.0.0.1,::1", "0.0.0.0,::")) {
            Path directory = Files.createDirectory(temp.resolve(addresses.replace(':', '_')));
            try (RunningCollector collector = Setup.in(directory)
                    .small()
                    .set("listen.addresses=" + addresses)
                    .start()) {
                int sent = 0;
                for (String from : List.of("127.0.0.2", "::1")) {
                    try (Sender sender = Sender.from(from)) {
                        for (int i = 0; i < each; i++) {
                            sender.send(collector.port(), ReportBytes.v20(1, i, from.length(), i));
                            sent++;
                        }
                    }
                }
                Reading ledger = collector.atRest(sent);
                assertThat(ledger.get("analysed")).isEqualTo(sent);
                String exporters = collector.api().good("/api/v1/exporters");
                assertThat(exporters)
                        .contains("\"address\":\"127.0.0.2\"", "\"address\":\"::1\"")
                        .containsPattern("\"address\":\"::1\".*\"datagrams\":" + each);
            }
        }
    }
}
