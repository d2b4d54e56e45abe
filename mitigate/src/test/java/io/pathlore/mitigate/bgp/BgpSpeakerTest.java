package io.pathlore.mitigate.bgp;

import static io.pathlore.mitigate.enforcer.Rules.flow;
import static io.pathlore.mitigate.enforcer.Rules.v4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.model.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session with a peer that is played by hand. */
@Timeout(60)
class BgpSpeakerTest {
    private static final Rule DNS = flow(null, v4(192, 0, 2, 0, 24), 17, 53, 0);
    private static final Rule NTP = flow(null, v4(192, 0, 2, 0, 24), 17, 123, 0);

    private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final BgpSpeaker speaker = new BgpSpeaker(
            "test",
            new Peering(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.getLocalPort()),
                    65_001,
                    65_002,
                    1,
                    3));

    BgpSpeakerTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        speaker.close();
        server.close();
    }

    private static void await(BooleanSupplier what) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!what.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private final class Peer implements AutoCloseable {
        final Socket socket = server.accept();
        final MessageReader in = new MessageReader(socket.getInputStream());

        Peer() throws IOException {}

        Peer open(long as) throws Exception {
            assertThat(type()).isEqualTo(Message.OPEN);
            socket.getOutputStream().write(Message.open(as, 90, 2));
            return this;
        }

        Peer establish() throws Exception {
            open(65_002);
            assertThat(type()).isEqualTo(Message.KEEPALIVE);
            socket.getOutputStream().write(Message.keepalive());
            await(speaker::isEstablished);
            return this;
        }

        int type() throws Exception {
            MessageReader.Received message = in.next();
            assertThat(message).isNotNull();
            return message == null ? 0 : message.type();
        }

        /** Of the next message that is not a keepalive. */
        int said() throws Exception {
            int type = type();
            while (type == Message.KEEPALIVE) {
                type = type();
            }
            return type;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void announcesAgainWhatItHadWhenASessionBeginsAnew() throws Exception {
        assertThatThrownBy(() -> speaker.announce(DNS)).hasMessageContaining("no BGP session with 127.0.0.1");
        try (Peer peer = new Peer().establish()) {
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
            assertThat(speaker.announced()).containsExactly(DNS);
            speaker.announce(DNS);
            speaker.announce(NTP);
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
            speaker.withdraw(DNS);
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
        }
        await(() -> !speaker.isEstablished());
        assertThat(speaker.announced()).isEmpty();
        try (Peer peer = new Peer().establish()) {
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
            assertThat(speaker.announced()).containsExactly(NTP);
            speaker.close();
            assertThat(peer.said()).isEqualTo(Message.NOTIFICATION);
        }
        assertThat(speaker.sessions()).isEqualTo(2);
    }

    @Test
    void endsASessionThatWentDarkAndSaysHowLongThePeerRemembers() throws Exception {
        try (Peer peer = new Peer().establish()) {
            speaker.announce(DNS);
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
            assertThat(peer.said()).isEqualTo(Message.NOTIFICATION);
            await(() -> !speaker.isEstablished());
            assertThat(speaker.trouble()).isEqualTo("the peer was silent for 3 s");
            assertThatThrownBy(() -> speaker.withdraw(DNS)).hasMessageMatching(".*it forgets within [123] s.*");
        }
    }

    @Test
    void takesARouteBackAtOnceWhereThePeerEndedTheSession() throws Exception {
        try (Peer peer = new Peer().establish()) {
            speaker.announce(DNS);
            assertThat(peer.said()).isEqualTo(Message.UPDATE);
            peer.socket.getOutputStream().write(Message.notification(6, 4));
            await(() -> !speaker.isEstablished());
            assertThat(speaker.trouble()).isEqualTo("the peer ended the session: notification 6/4");
            speaker.withdraw(DNS);
        }
    }

    @Test
    void speaksToNobodyElse() throws Exception {
        try (Peer peer = new Peer().open(65_003)) {
            assertThat(peer.said()).isEqualTo(Message.NOTIFICATION);
            await(() -> speaker.trouble().equals("the peer is AS 65003, not 65002"));
        }
    }

    @Test
    void hangsUpOnNoise() throws Exception {
        try (Peer peer = new Peer().establish()) {
            peer.socket.getOutputStream().write(new byte[Message.LONGEST]);
            assertThat(peer.said()).isEqualTo(Message.NOTIFICATION);
            await(() -> speaker.trouble().equals("the peer sent something that is not BGP"));
        }
    }
}
