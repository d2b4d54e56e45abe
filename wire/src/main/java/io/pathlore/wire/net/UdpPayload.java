package io.pathlore.wire.net;

/** UDP destination ports behind which another packet starts. */
public final class UdpPayload {
    private UdpPayload() {}

    public static boolean isTunnel(int port) {
        return step(port) != Walk.STOP;
    }

    static int step(int port) {
        return switch (port) {
            case 4789, 8472 -> Walk.VXLAN;
            case 4790 -> Walk.GPE;
            case 6081 -> Walk.GENEVE;
            case 2152 -> Walk.GTP_U;
            case 6635 -> Walk.MPLS;
            default -> Walk.STOP;
        };
    }
}
