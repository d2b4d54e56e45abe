package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table of routes. A segment in braces stands for any one segment. {@code needed} is null where anybody
 * may ask; what changes something needs an operator, whatever else the caller of this constructor thinks.
 *
 * @param asks a question that is too long for a path: it has a body, and changes nothing
 */
public record Route(
        String method, String path, @Nullable Role needed, int maxBodyBytes, boolean asks, Handler handler) {
    private static final Pattern PATH = Pattern.compile("/|(/([A-Za-z0-9._-]+|\\{[a-z]+}))+");

    @FunctionalInterface
    public interface Handler {
        Reply handle(Request request) throws Problem;
    }

    public Route {
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("not a path: " + path);
        }
        if (asks && !method.equals("POST")) {
            throw new IllegalArgumentException("only POST asks with a body: " + path);
        }
        switch (method) {
            case "GET" -> {
                if (maxBodyBytes != 0) {
                    throw new IllegalArgumentException("GET has no body: " + path);
                }
            }
            case "POST", "PUT", "PATCH", "DELETE" -> {
                if (needed == null || !asks && !needed.includes(Role.OPERATOR)) {
                    throw new IllegalArgumentException("what changes something needs an operator: " + path);
                }
            }
            default -> throw new IllegalArgumentException("not a method for routes: " + method);
        }
    }

    public Route(String method, String path, @Nullable Role needed, int maxBodyBytes, Handler handler) {
        this(method, path, needed, maxBodyBytes, false, handler);
    }

    public static Route get(String path, @Nullable Role needed, Handler handler) {
        return new Route("GET", path, needed, 0, handler);
    }

    /** A question in a body. Who may read may ask it. */
    public static Route ask(String path, int maxBodyBytes, Handler handler) {
        return new Route("POST", path, Role.VIEWER, maxBodyBytes, true, handler);
    }
}
