package io.pathlore.dataplane.traffic;

/**
 * What happens on a TCP connection: the client asks, the server answers, some times over.
 *
 * @param response of no octets: the client only uploads
 * @param exchanges of request and response on one connection
 * @param thinkNanos mean of the client's pause between them
 * @param bitsPerSecond of frames, for whoever sends; 0 is the rate of its link
 * @param acknowledgeEvery so many data packets are acknowledged by one; the last of a message always is
 * @param addresses clients that an Internet host stands for, each with an address of its own; 0 for its own only
 */
public record TcpPlan(
        FlowSizes request,
        FlowSizes response,
        int exchanges,
        long thinkNanos,
        long bitsPerSecond,
        PacketSizes sizes,
        int port,
        int acknowledgeEvery,
        int addresses) {
    /** More exchanges than anybody waits for. */
    public static final int ENDLESS = Integer.MAX_VALUE;

    public TcpPlan {
        if (request.leastBytes() < 1) {
            throw new IllegalArgumentException("request: must be at least one octet");
        }
        if (exchanges < 1) {
            throw new IllegalArgumentException("exchanges: must be at least 1");
        }
        if (bitsPerSecond < 0) {
            throw new IllegalArgumentException("rate: must not be negative");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " is not from 1 to 65535");
        }
        if (acknowledgeEvery < 1) {
            throw new IllegalArgumentException("acknowledge: must be at least 1");
        }
        if (addresses < 0) {
            throw new IllegalArgumentException("addresses: must not be negative");
        }
    }
}
