package io.pathlore.mitigate.bgp;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the other side offers. Every length is held against what is left before it is believed.
 *
 * @param wide it takes AS numbers of four octets
 */
record PeerOpen(long as, int holdSeconds, int identifier, boolean wide, Set<Family> families) {
    static final int LENGTH = 10;

    private static final int OPEN_ERROR = 2;
    private static final int UNSPECIFIC = 0;
    private static final int BAD_VERSION = 1;
    private static final int BAD_IDENTIFIER = 3;
    private static final int BAD_HOLD_TIME = 6;
    /** Says that lengths have two octets [RFC 9072]. */
    private static final int EXTENDED = 255;

    private static final int SHORTEST_HOLD = 3;

    /** {@code body}: what stands behind the header of the message. */
    static PeerOpen decode(byte[] body) throws BgpException {
        if (body.length < LENGTH) {
            throw bad(UNSPECIFIC, "an OPEN of " + body.length + " octets");
        }
        ByteBuffer in = ByteBuffer.wrap(body);
        int version = in.get() & 0xFF;
        if (version != Message.VERSION) {
            throw bad(BAD_VERSION, "BGP version " + version);
        }
        long as = in.getShort() & 0xFFFF;
        int hold = in.getShort() & 0xFFFF;
        int identifier = in.getInt();
        if (hold != 0 && hold < SHORTEST_HOLD) {
            throw bad(BAD_HOLD_TIME, "a hold time of " + hold + " s");
        }
        if (identifier == 0) {
            throw bad(BAD_IDENTIFIER, "an identifier of 0");
        }
        int length = in.get() & 0xFF;
        boolean extended = length == EXTENDED && in.remaining() >= 3 && (in.get(in.position()) & 0xFF) == EXTENDED;
        if (extended) {
            in.get();
            length = in.getShort() & 0xFFFF;
        }
        if (length != in.remaining()) {
            throw bad(UNSPECIFIC, "optional parameters of " + length + " octets in " + in.remaining());
        }
        Set<Family> families = EnumSet.noneOf(Family.class);
        boolean wide = false;
        int head = extended ? 3 : 2;
        while (in.hasRemaining()) {
            if (in.remaining() < head) {
                throw bad(UNSPECIFIC, "a parameter cut short");
            }
            int type = in.get() & 0xFF;
            int size = extended ? in.getShort() & 0xFFFF : in.get() & 0xFF;
            if (size > in.remaining()) {
                throw bad(UNSPECIFIC, "a parameter of " + size + " octets in " + in.remaining());
            }
            ByteBuffer parameter = in.slice(in.position(), size);
            in.position(in.position() + size);
            while (type == Message.CAPABILITIES && parameter.hasRemaining()) {
                if (parameter.remaining() < 2) {
                    throw bad(UNSPECIFIC, "a capability cut short");
                }
                int code = parameter.get() & 0xFF;
                int octets = parameter.get() & 0xFF;
                if (octets > parameter.remaining()) {
                    throw bad(UNSPECIFIC, "a capability of " + octets + " octets in " + parameter.remaining());
                }
                int at = parameter.position();
                parameter.position(at + octets);
                if (code == Message.FOUR_OCTET_AS && octets == 4) {
                    wide = true;
                    as = Integer.toUnsignedLong(parameter.getInt(at));
                } else if (code == Message.MULTIPROTOCOL && octets == 4) {
                    add(families, parameter.getShort(at) & 0xFFFF, parameter.get(at + 3) & 0xFF);
                }
            }
        }
        return new PeerOpen(as, hold, identifier, wide, families);
    }

    private static void add(Set<Family> families, int afi, int safi) {
        for (Family family : Family.values()) {
            if (family.afi() == afi && safi == Family.FLOW_SPECIFICATION) {
                families.add(family);
            }
        }
    }

    private static BgpException bad(int subcode, String what) {
        return new BgpException(OPEN_ERROR, subcode, "the peer sent " + what);
    }
}
