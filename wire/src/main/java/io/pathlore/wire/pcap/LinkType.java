package io.pathlore.wire.pcap;

/**
 * What a captured frame starts with, as capture files number it (tcpdump.org/linktypes.html). Numbers and not an enum:
 * a file may carry any of hundreds, and one that is not named here is still a number to show.
 */
public final class LinkType {
    /** BSD loopback: 4 octets of address family in the byte order of the machine that captured. */
    public static final int NULL = 0;

    public static final int ETHERNET = 1;
    public static final int PPP = 9;
    /** Raw IP as most systems number it inside the kernel; files carry it where {@link #RAW} was meant. */
    public static final int RAW_BSD = 12;
    /** The same on OpenBSD. */
    public static final int RAW_OPENBSD = 14;

    public static final int PPP_HDLC = 50;
    public static final int PPP_ETHER = 51;
    /** IPv4 or IPv6, told apart by the version nibble. */
    public static final int RAW = 101;
    /** OpenBSD loopback: as {@link #NULL}, in network order. */
    public static final int LOOP = 108;
    /** Linux cooked capture, version 1: what {@code tcpdump -i any} used to write. */
    public static final int LINUX_SLL = 113;

    public static final int IPV4 = 228;
    public static final int IPV6 = 229;
    /** Linux cooked capture, version 2. */
    public static final int LINUX_SLL2 = 276;

    /** The file does not say: its frame names an interface that it never described. */
    public static final int UNKNOWN = -1;

    private LinkType() {}
}
