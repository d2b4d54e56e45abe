package io.pathlore.cli.service;

import io.pathlore.model.IpText;
import io.pathlore.model.ReportRow;

/** IPv4 addresses mapped into IPv6 [RFC 4291 §2.5.5.2], which is how streams and rows have them, and back. */
final class Addresses {
    private static final long MAPPED = ReportRow.mapped(0);
    private static final long IPV4 = 0xFFFF_FFFFL;

    private Addresses() {}

    static long mapped(int ipv4) {
        return ReportRow.mapped(Integer.toUnsignedLong(ipv4));
    }

    static boolean isMapped(long high, long low) {
        return high == 0 && (low & ~IPV4) == MAPPED;
    }

    static String text(long high, long low) {
        boolean four = isMapped(high, low);
        return IpText.of(!four, high, four ? low & IPV4 : low);
    }
}
