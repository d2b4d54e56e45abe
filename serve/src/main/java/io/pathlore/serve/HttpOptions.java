package io.pathlore.serve;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code http} of the configuration. {@code names} are further names by which browsers may call this server;
 * its addresses, and with TLS the names in the certificate, need not be among them.
 */
public record HttpOptions(
        InetAddress address, int port, @Nullable Tls tls, boolean insecure, Set<String> names, Limits limits) {
    public HttpOptions {
        names = Set.copyOf(names);
    }

    /** PEM files as certificate authorities hand them out: the chain, own certificate first, and a key in PKCS #8. */
    public record Tls(Path certificate, Path key) {}

    /**
     * What clients can make the server hold.
     *
     * @param connections that are being read from or written to at once; one more is closed
     * @param requests that are being worked on at once; one more is answered 503
     * @param requestTime from the first byte of the request to the last of the answer; also for one event of a stream
     */
    public record Limits(int connections, int requests, int backlog, Duration requestTime) {
        public static final Limits DEFAULT = new Limits(256, 32, 64, Duration.ofSeconds(15));
    }

    public static HttpOptions loopback(int port) {
        return new HttpOptions(InetAddress.getLoopbackAddress(), port, null, false, Set.of(), Limits.DEFAULT);
    }
}
