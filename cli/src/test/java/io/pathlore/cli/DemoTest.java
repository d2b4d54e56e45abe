package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("alone")
class DemoTest {
    private static final Pattern SUMMARY = Pattern.compile("([0-9,]+) datagrams read, ([0-9,]+) reports analysed");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void aLivingNetworkIsCollectedAndTheLedgerBalances() {
        Ended ended = new Program().in(directory).with("demo", "--duration", "3s", "--speed", "5");
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("synthetic").contains("the ledger balances");
        Matcher summary = SUMMARY.matcher(ended.err().substring(ended.err().lastIndexOf("\n\n")));
        assertThat(summary.find()).isTrue();
        assertThat(Long.parseLong(summary.group(1).replace(",", ""))).isGreaterThan(500);
        assertThat(summary.group(2)).isEqualTo(summary.group(1));
    }

    /** Nobody approves, so the operator of that name does. */
    @Test
    void theAttackIsFoundAndStoppedAndTheBlockIsProven() {
        Ended ended = new Program().in(directory).with("demo", "--duration", "12s", "--speed", "6");
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.err())
                .containsPattern("open http://127\\.0\\.0\\.1:\\d+/#token=\\S+ ")
                .containsPattern("attack  +udp-flood of 198\\.51\\.100\\.1 port 80")
                .contains("the operator 'demo' does in")
                .containsPattern("proven  +udp-flood of 198\\.51\\.100\\.1 port 80: 02:00:00:00:64:");
    }

    @Test
    void portsThatAreTakenAreLeftToTheirOwners() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramChannel udp = DatagramChannel.open();
                ServerSocket tcp = new ServerSocket()) {
            boolean mine = take(udp, tcp, loopback);
            Ended ended = new Program().in(directory).with("demo", "--duration", "1s");
            assertThat(ended.status()).as(ended.err()).isZero();
            if (mine) {
                assertThat(ended.err()).doesNotContain(":8555 ").doesNotContain(":8080/");
            }
        }
    }

    /** False where somebody else has one of them. */
    private static boolean take(DatagramChannel udp, ServerSocket tcp, InetAddress loopback) {
        try {
            udp.bind(new InetSocketAddress(loopback, 8555));
            tcp.bind(new InetSocketAddress(loopback, 8080));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void wrongUseIsSaid() {
        assertThat(new Program().in(directory).with("demo", "--speed", "0").status())
                .isEqualTo(2);
        assertThat(new Program()
                        .in(directory)
                        .with("demo", "--duration", "soon")
                        .status())
                .isEqualTo(2);
        assertThat(new Program()
                        .in(directory)
                        .with("demo", "--http-port", "70000")
                        .status())
                .isEqualTo(2);
        assertThat(new Program().in(directory).with("demo", "--port", "0").status())
                .isEqualTo(2);
    }
}
