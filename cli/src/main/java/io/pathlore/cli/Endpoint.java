package io.pathlore.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.TypeConversionException;

/** {@code HOST:PORT}, {@code 192.0.2.1:8555} or {@code [2001:db8::1]:8555}, as it was given. */
record Endpoint(String host, int port) {
    static Endpoint of(String text) {
        int colon = text.lastIndexOf(':');
        boolean bare = colon > 0 && text.indexOf(':') != colon && !text.startsWith("[");
        if (colon < 1 || bare || text.endsWith("]")) {
            throw new TypeConversionException("'" + text + "' is not HOST:PORT, like 127.0.0.1:8555 or [::1]:8555");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new Endpoint(host, port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new TypeConversionException("port '" + text + "' is not in 1 to 65535");
    }

    /** Looks the name up. */
    InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new Failure("cannot resolve " + host);
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
