package io.pathlore.dataplane.report;

/** Where reports are sent. IPv4 addresses are in the lower 32 bits of {@code addressLow}. */
public record ReportDestination(boolean v6, long addressHigh, long addressLow, int port) {
    public static ReportDestination ipv4(int address, int port) {
        return new ReportDestination(false, 0, Integer.toUnsignedLong(address), port);
    }
}
