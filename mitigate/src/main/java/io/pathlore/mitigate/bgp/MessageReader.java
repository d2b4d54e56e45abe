package io.pathlore.mitigate.bgp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts the stream of a session into messages, of which no length is believed that the header rules out [RFC 4271 §6.1]. */
final class MessageReader {
    record Received(int type, byte[] body) {}

    private static final int HEADER_ERROR = 1;
    private static final int NOT_SYNCHRONIZED = 1;
    private static final int BAD_LENGTH = 2;
    private static final int BAD_TYPE = 3;
    private static final int SHORTEST_OPEN = Message.HEADER + PeerOpen.LENGTH;
    private static final int SHORTEST_UPDATE = Message.HEADER + 4;
    private static final int SHORTEST_NOTIFICATION = Message.HEADER + 2;
    private static final int REFRESH = Message.HEADER + 4;

    private final InputStream in;
    private final byte[] buffer = new byte[Message.LONGEST];
    private int filled;

    MessageReader(InputStream in) {
        this.in = in;
    }

    /** The next message, or null when the socket's time-out passed without its end; what came so far is kept. */
    @Nullable
    Received next() throws IOException, BgpException {
        while (true) {
            int wanted = filled < Message.HEADER ? Message.HEADER : length();
            if (filled == wanted && filled > 0) {
                Received message = new Received(
                        buffer[Message.HEADER - 1] & 0xFF, Arrays.copyOfRange(buffer, Message.HEADER, filled));
                filled = 0;
                return message;
            }
            try {
                int count = in.read(buffer, filled, wanted - filled);
                if (count < 0) {
                    throw new EOFException("the peer closed the session");
                }
                filled += count;
            } catch (SocketTimeoutException e) {
                return null;
            }
        }
    }

    private int length() throws BgpException {
        for (int i = 0; i < Message.MARKER; i++) {
            if (buffer[i] != (byte) 0xFF) {
                throw new BgpException(HEADER_ERROR, NOT_SYNCHRONIZED, "the peer sent something that is not BGP");
            }
        }
        int length = ByteBuffer.wrap(buffer).getShort(Message.MARKER) & 0xFFFF;
        int type = buffer[Message.HEADER - 1] & 0xFF;
        boolean fits = switch (type) {
            case Message.OPEN -> length >= SHORTEST_OPEN;
            case Message.UPDATE -> length >= SHORTEST_UPDATE;
            case Message.NOTIFICATION -> length >= SHORTEST_NOTIFICATION;
            case Message.KEEPALIVE -> length == Message.HEADER;
            case Message.ROUTE_REFRESH -> length >= REFRESH;
            default -> throw new BgpException(HEADER_ERROR, BAD_TYPE, "the peer sent a message of type " + type);
        };
        if (!fits || length > Message.LONGEST) {
            throw new BgpException(
                    HEADER_ERROR, BAD_LENGTH, "the peer sent a message of type " + type + " and length " + length);
        }
        return length;
    }
}
