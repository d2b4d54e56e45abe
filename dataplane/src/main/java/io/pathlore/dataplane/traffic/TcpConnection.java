package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;

/**
 * Both ends of a TCP connection: handshake, requests and responses, end. Data is paced and not held back by the network:
 * there is no window, and a lost segment is not sent again, but for the last of a message, without which nothing would go
 * on. Who hears nothing repeats itself three times and gives up.
 *
 * <p>Hot path. As a timer it is the pace of whoever is sending; a second one watches for silence.
 */
final class TcpConnection extends Stage.Timer {
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final int TRIES = 3;

    private enum State {
        CLOSED,
        OPENING,
        REQUESTING,
        RESPONDING,
        THINKING,
        CLOSING
    }

    final Dice dice = new Dice(0);

    private final TcpPool pool;
    private final Stage stage;
    private final PacketWriter writer;
    private final Endpoints forward = new Endpoints();
    private final Endpoints backward = new Endpoints();
    private final Stage.Receiver serverSide = new ServerSide();
    private final Stage.Receiver clientSide = new ClientSide();
    private final Stage.Timer silence = new Silence();

    private State state = State.CLOSED;
    private int client;
    private int server;
    private int clientFlow;
    private int serverFlow;

    /** Sequence numbers: of the next octet to send, and of the next one expected by the other side. */
    private int clientNext;

    private int serverNext;
    private int clientHeard;
    private int serverHeard;

    /** Where the message under way ends, and how much of it is to be sent. */
    private int messageEnd;

    private long toSend;
    private long responseBytes;
    private int lastSegment;
    private int unacknowledged;
    private int exchangesLeft;

    private boolean pacing;
    private long progress;
    private long progressSeen;
    private int tries;

    TcpConnection(TcpPool pool) {
        this.pool = pool;
        stage = pool.stage;
        writer = pool.writer;
    }

    void open(int client, int server, int clientPort, long nowNanos) {
        this.client = client;
        this.server = server;
        boolean v6 = pool.conditions.ip().v6(dice);
        int trafficClass = pool.conditions.trafficClass();
        int port = pool.plan.port();
        forward.between(pool.host(client), pool.host(server), v6, clientPort, port, trafficClass)
                .numbered(dice);
        backward.between(pool.host(server), pool.host(client), v6, port, clientPort, trafficClass)
                .numbered(dice);
        pool.chooseClient(forward, backward, client, dice);
        clientFlow = stage.flow(serverSide);
        serverFlow = stage.flow(clientSide);
        clientNext = dice.nextInt();
        serverNext = dice.nextInt();
        clientHeard = 0;
        serverHeard = 0;
        toSend = 0;
        unacknowledged = 0;
        exchangesLeft = pool.plan.exchanges();
        progress = 0;
        progressSeen = 0;
        tries = 0;
        state = State.OPENING;
        fromClient(clientNext, PacketWriter.SYN, 0);
        stage.start(silence, nowNanos + PATIENCE_NANOS);
    }

    private void fromClient(int sequence, int flags, int payloadBytes) {
        Packet packet = stage.packet();
        int acknowledgement = (flags & PacketWriter.ACK) != 0 ? serverHeard : 0;
        writer.tcp(packet, forward, sequence, acknowledgement, flags, payloadBytes);
        stage.send(client, server, clientFlow, packet);
    }

    private void fromServer(int sequence, int flags, int payloadBytes) {
        Packet packet = stage.packet();
        writer.tcp(packet, backward, sequence, clientHeard, flags, payloadBytes);
        stage.send(server, client, serverFlow, packet);
    }

    @Override
    protected void fire(long nowNanos) {
        pacing = false;
        switch (state) {
            case REQUESTING, RESPONDING -> {
                if (nowNanos >= pool.untilNanos) {
                    close();
                } else {
                    sendSegment(nowNanos);
                }
            }
            case THINKING -> {
                if (nowNanos >= pool.untilNanos) {
                    close();
                } else {
                    request(nowNanos);
                }
            }
            case CLOSED, OPENING, CLOSING -> {} // reset by the other side meanwhile
        }
    }

    private void paceAt(long atNanos) {
        pacing = true;
        stage.start(this, atNanos);
    }

    private void request(long nowNanos) {
        state = State.REQUESTING;
        toSend = Math.max(1, pool.plan.request().next(dice));
        responseBytes = pool.plan.response().next(dice);
        messageEnd = clientNext + (int) toSend;
        sendSegment(nowNanos);
    }

    private void respond(long nowNanos) {
        state = State.RESPONDING;
        toSend = responseBytes;
        messageEnd = serverNext + (int) toSend;
        sendSegment(nowNanos);
    }

    private void sendSegment(long nowNanos) {
        boolean asking = state == State.REQUESTING;
        int headers = PacketWriter.ipLength(forward.v6) + PacketEncoder.TCP_LENGTH;
        int room = Math.max(1, pool.plan.sizes().next(dice) - headers);
        int bytes = (int) Math.min(room, toSend);
        toSend -= bytes;
        lastSegment = bytes;
        int flags = toSend == 0 ? PacketWriter.ACK | PacketWriter.PSH : PacketWriter.ACK;
        if (asking) {
            fromClient(clientNext, flags, bytes);
            clientNext += bytes;
        } else {
            fromServer(serverNext, flags, bytes);
            serverNext += bytes;
        }
        if (toSend > 0) {
            int frame = PacketEncoder.ETHERNET_LENGTH + headers + bytes;
            paceAt(nowNanos + pool.gapNanos(asking ? client : server, frame));
        }
    }

    private void exchanged(long nowNanos) {
        if (--exchangesLeft == 0 || nowNanos >= pool.untilNanos) {
            close();
            return;
        }
        state = State.THINKING;
        long think = pool.plan.thinkNanos();
        paceAt(nowNanos + (think == 0 ? 1 : dice.exponentialNanos(think)));
    }

    private void close() {
        state = State.CLOSING;
        toSend = 0;
        fromClient(clientNext, PacketWriter.FIN | PacketWriter.ACK, 0);
    }

    private void closed() {
        state = State.CLOSED;
        stage.end(clientFlow);
        stage.end(serverFlow);
    }

    /** Where the TCP header is, or -1 where this is not a packet of ours: a late one of an earlier connection, or damaged. */
    private int tcp(Packet packet, Endpoints of) {
        int tcp = packet.start() + writer.l4Offset(of.v6);
        if (packet.end() - tcp < PacketEncoder.TCP_LENGTH) {
            return -1;
        }
        return packet.buffer().getInt(tcp) == (of.sourcePort << 16 | of.destinationPort) ? tcp : -1;
    }

    private static int payloadBytes(Packet packet, int tcp) {
        return packet.end() - tcp - (packet.buffer().get(tcp + 12) >>> 4 & 0xF) * 4;
    }

    private boolean acknowledgementDue() {
        if (++unacknowledged < pool.plan.acknowledgeEvery()) {
            return false;
        }
        unacknowledged = 0;
        return true;
    }

    private final class ServerSide implements Stage.Receiver {
        @Override
        public void onArrival(Packet packet, long nowNanos) {
            int tcp = tcp(packet, forward);
            if (tcp < 0 || state == State.CLOSED) {
                return;
            }
            ByteBuffer buffer = packet.buffer();
            int flags = buffer.get(tcp + 13);
            int sequence = buffer.getInt(tcp + 4);
            int bytes = payloadBytes(packet, tcp);
            progress++;
            if ((flags & PacketWriter.SYN) != 0) {
                if (state == State.OPENING) {
                    clientHeard = sequence + 1;
                    fromServer(serverNext, PacketWriter.SYN | PacketWriter.ACK, 0);
                }
            } else if ((flags & PacketWriter.FIN) != 0) {
                clientHeard = sequence + 1;
                fromServer(serverNext, PacketWriter.FIN | PacketWriter.ACK, 0);
            } else if (bytes > 0) {
                onData(sequence + bytes, nowNanos);
            }
        }

        private void onData(int end, long nowNanos) {
            if (end - clientHeard > 0) {
                clientHeard = end;
            }
            if (state == State.REQUESTING && toSend == 0 && end == messageEnd) {
                unacknowledged = 0;
                if (responseBytes > 0) {
                    respond(nowNanos);
                } else {
                    fromServer(serverNext, PacketWriter.ACK, 0);
                }
            } else if (acknowledgementDue()) {
                fromServer(serverNext, PacketWriter.ACK, 0);
            }
        }
    }

    private final class ClientSide implements Stage.Receiver {
        @Override
        public void onArrival(Packet packet, long nowNanos) {
            int tcp = tcp(packet, backward);
            if (tcp < 0 || state == State.CLOSED) {
                return;
            }
            ByteBuffer buffer = packet.buffer();
            int flags = buffer.get(tcp + 13);
            int sequence = buffer.getInt(tcp + 4);
            int acknowledgement = buffer.getInt(tcp + 8);
            int bytes = payloadBytes(packet, tcp);
            progress++;
            if ((flags & PacketWriter.SYN) != 0) {
                if (state == State.OPENING) {
                    serverHeard = sequence + 1;
                    serverNext = serverHeard;
                    clientNext = acknowledgement;
                    fromClient(clientNext, PacketWriter.ACK, 0);
                    request(nowNanos);
                }
            } else if ((flags & PacketWriter.FIN) != 0) {
                serverHeard = sequence + 1;
                clientNext = acknowledgement;
                fromClient(clientNext, PacketWriter.ACK, 0);
                closed();
            } else if (bytes > 0) {
                onData(sequence + bytes, nowNanos);
            } else if (state == State.REQUESTING
                    && responseBytes == 0
                    && toSend == 0
                    && acknowledgement == messageEnd) {
                exchanged(nowNanos);
            }
        }

        private void onData(int end, long nowNanos) {
            if (end - serverHeard > 0) {
                serverHeard = end;
            }
            if (state == State.RESPONDING && toSend == 0 && end == messageEnd) {
                unacknowledged = 0;
                fromClient(clientNext, PacketWriter.ACK, 0);
                exchanged(nowNanos);
            } else if (acknowledgementDue()) {
                fromClient(clientNext, PacketWriter.ACK, 0);
            }
        }
    }

    private final class Silence extends Stage.Timer {
        @Override
        protected void fire(long nowNanos) {
            if (state == State.CLOSED) {
                // A pace still waiting would fire into the next use of this connection.
                if (pacing) {
                    stage.start(this, nowNanos + PATIENCE_NANOS);
                } else {
                    pool.recycle(TcpConnection.this);
                }
                return;
            }
            if (pacing || progress != progressSeen) {
                progressSeen = progress;
                tries = 0;
            } else if (++tries > TRIES) {
                fromClient(clientNext, PacketWriter.RST | PacketWriter.ACK, 0);
                closed();
            } else {
                repeat();
            }
            stage.start(this, nowNanos + PATIENCE_NANOS);
        }

        private void repeat() {
            switch (state) {
                case OPENING -> fromClient(clientNext, PacketWriter.SYN, 0);
                case REQUESTING ->
                    fromClient(messageEnd - lastSegment, PacketWriter.ACK | PacketWriter.PSH, lastSegment);
                case RESPONDING ->
                    fromServer(messageEnd - lastSegment, PacketWriter.ACK | PacketWriter.PSH, lastSegment);
                case CLOSING -> fromClient(clientNext, PacketWriter.FIN | PacketWriter.ACK, 0);
                case CLOSED, THINKING -> {} // nothing is awaited
            }
        }
    }
}
