package io.pathlore.mitigate.bgp;

import java.nio.ByteBuffer;

/** BGP messages as bytes [RFC 4271 §4]. What is here encodes; what comes in is looked at by {@link MessageReader} and {@link PeerOpen}. */
final class Message {
    static final int OPEN = 1;
    static final int UPDATE = 2;
    static final int NOTIFICATION = 3;
    static final int KEEPALIVE = 4;
    static final int ROUTE_REFRESH = 5;

    static final int HEADER = 19;
    static final int LONGEST = 4096;
    static final int MARKER = 16;

    static final int VERSION = 4;
    /** Stands in for an AS number that needs four octets [RFC 6793]. */
    static final int AS_TRANS = 23_456;

    static final int CAPABILITIES = 2;
    static final int MULTIPROTOCOL = 1;
    static final int FOUR_OCTET_AS = 65;

    private static final int WELL_KNOWN = 0x40;
    private static final int OPTIONAL = 0x80;
    private static final int OPTIONAL_TRANSITIVE = 0xC0;
    private static final int ORIGIN = 1;
    private static final int AS_PATH = 2;
    private static final int LOCAL_PREF = 5;
    private static final int MP_REACH = 14;
    private static final int MP_UNREACH = 15;
    private static final int EXTENDED_COMMUNITIES = 16;
    private static final int AS4_PATH = 17;
    private static final int AS_SEQUENCE = 2;
    private static final int USUAL_PREFERENCE = 100;

    private Message() {}

    private static ByteBuffer begin(int type) {
        ByteBuffer out = ByteBuffer.allocate(LONGEST);
        for (int i = 0; i < MARKER; i++) {
            out.put((byte) 0xFF);
        }
        return out.putShort((short) 0).put((byte) type);
    }

    private static byte[] end(ByteBuffer out) {
        out.putShort(MARKER, (short) out.position());
        byte[] message = new byte[out.position()];
        out.flip().get(message);
        return message;
    }

    /** Offers flow specifications of both families and AS numbers of four octets. */
    static byte[] open(long as, int holdSeconds, int identifier) {
        ByteBuffer out = begin(OPEN);
        out.put((byte) VERSION).putShort((short) (as >>> 16 == 0 ? as : AS_TRANS));
        out.putShort((short) holdSeconds).putInt(identifier);
        int parametersAt = out.position();
        out.put((byte) 0).put((byte) CAPABILITIES).put((byte) 0);
        int capabilitiesAt = out.position();
        for (Family family : Family.values()) {
            out.put((byte) MULTIPROTOCOL).put((byte) 4);
            out.putShort((short) family.afi()).put((byte) 0).put((byte) Family.FLOW_SPECIFICATION);
        }
        out.put((byte) FOUR_OCTET_AS).put((byte) 4).putInt((int) as);
        out.put(capabilitiesAt - 1, (byte) (out.position() - capabilitiesAt));
        out.put(parametersAt, (byte) (out.position() - parametersAt - 1));
        return end(out);
    }

    static byte[] keepalive() {
        return end(begin(KEEPALIVE));
    }

    static byte[] notification(int code, int subcode) {
        return end(begin(NOTIFICATION).put((byte) code).put((byte) subcode));
    }

    /**
     * One route, without a next hop, since nobody goes there [RFC 8955 §4].
     *
     * @param wide the other side takes AS numbers of four octets
     */
    static byte[] announce(FlowRoute route, long as, boolean internal, boolean wide) {
        ByteBuffer out = begin(UPDATE).putShort((short) 0).putShort((short) 0);
        int attributesAt = out.position();
        attribute(out, WELL_KNOWN, ORIGIN, 1).put((byte) 0);
        if (internal) {
            attribute(out, WELL_KNOWN, AS_PATH, 0);
            attribute(out, WELL_KNOWN, LOCAL_PREF, 4).putInt(USUAL_PREFERENCE);
        } else {
            attribute(out, WELL_KNOWN, AS_PATH, wide ? 6 : 4)
                    .put((byte) AS_SEQUENCE)
                    .put((byte) 1);
            if (wide) {
                out.putInt((int) as);
            } else {
                out.putShort((short) (as >>> 16 == 0 ? as : AS_TRANS));
            }
        }
        byte[] nlri = route.nlri();
        attribute(out, OPTIONAL, MP_REACH, 5 + nlri.length)
                .putShort((short) route.family().afi())
                .put((byte) Family.FLOW_SPECIFICATION)
                .put((byte) 0)
                .put((byte) 0)
                .put(nlri);
        attribute(out, OPTIONAL_TRANSITIVE, EXTENDED_COMMUNITIES, 8).putLong(route.community(as));
        if (!internal && !wide && as >>> 16 != 0) {
            attribute(out, OPTIONAL_TRANSITIVE, AS4_PATH, 6)
                    .put((byte) AS_SEQUENCE)
                    .put((byte) 1)
                    .putInt((int) as);
        }
        out.putShort(attributesAt - 2, (short) (out.position() - attributesAt));
        return end(out);
    }

    static byte[] withdraw(FlowRoute route) {
        byte[] nlri = route.nlri();
        ByteBuffer out = begin(UPDATE).putShort((short) 0).putShort((short) (6 + nlri.length));
        attribute(out, OPTIONAL, MP_UNREACH, 3 + nlri.length)
                .putShort((short) route.family().afi())
                .put((byte) Family.FLOW_SPECIFICATION)
                .put(nlri);
        return end(out);
    }

    private static ByteBuffer attribute(ByteBuffer out, int flags, int type, int length) {
        return out.put((byte) flags).put((byte) type).put((byte) length);
    }
}
