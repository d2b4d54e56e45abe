package io.pathlore.cli.client;

import io.pathlore.serve.HttpOptions;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Where a collector's HTTP is: scheme, host and port, as {@code --server} takes them. IPv6 stands in brackets. */
public record ServerAddress(boolean tls, String host, int port) {
    private static final int DEFAULT_PORT = 8080;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    /** An {@link IllegalArgumentException} says what is wrong. */
    public static ServerAddress of(String text) {
        boolean bare = !SCHEME.matcher(text).matches();
        URI uri;
        try {
            uri = new URI(bare ? "http://" + text : text).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw notUnderstood(text);
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        String path = uri.getRawPath();
        if (uri.getHost() == null || !tls && !scheme.equals("http") || uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw notUnderstood(text);
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the address of a server has no password in it; a token has --token-file");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null || !(path.isEmpty() || path.equals("/"))) {
            throw new IllegalArgumentException("'" + text + "' goes on behind the port; the paths are known");
        }
        int usual = bare ? DEFAULT_PORT : tls ? HTTPS_PORT : HTTP_PORT;
        return new ServerAddress(
                tls, uri.getHost().toLowerCase(Locale.ROOT), uri.getPort() < 0 ? usual : uri.getPort());
    }

    private static IllegalArgumentException notUnderstood(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a server, like http://127.0.0.1:8080 or https://[2001:db8::1]:8080");
    }

    /** Where a collector with this configuration is, seen from its own machine. */
    public static ServerAddress of(HttpOptions http) {
        InetAddress address = http.address();
        boolean six = address instanceof Inet6Address;
        String host = address.isAnyLocalAddress() ? (six ? "::1" : "127.0.0.1") : address.getHostAddress();
        return new ServerAddress(http.tls() != null, six ? "[" + host + "]" : host, http.port());
    }

    URI resolve(String pathAndQuery) {
        return URI.create(this + pathAndQuery);
    }

    /** A name is not looked up for this, except the one that is always this machine. */
    public boolean isLoopback() {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(bareHost()).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether the server, if it runs, runs here. False where that cannot be told. */
    public boolean isThisMachine() {
        try {
            InetAddress address = InetAddress.getByName(bareHost());
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
