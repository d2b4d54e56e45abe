package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table of routes. A segment in braces stands for any one segment. {@code needed} is null where anybody
 * may ask; what changes something needs an operator, whatever else the caller of this constructor thinks.
 *
 * @param asks a question that is too long for a path: it has a body, and changes nothing
 * @param operation what it takes and answers; null: it sees to that itself, and nobody is told of it
 */
public record Route(
        String method,
        String path,
        @Nullable Role needed,
        int maxBodyBytes,
        boolean asks,
        @Nullable Operation operation,
        Handler handler) {
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

    public Route(String method, String path, @Nullable Role needed, int maxBodyBytes, boolean asks, Handler handler) {
        this(method, path, needed, maxBodyBytes, asks, null, handler);
    }

    public Route(String method, String path, @Nullable Role needed, int maxBodyBytes, Handler handler) {
        this(method, path, needed, maxBodyBytes, false, null, handler);
    }

    public static Route get(String path, @Nullable Role needed, Handler handler) {
        return new Route("GET", path, needed, 0, handler);
    }

    /** A question in a body. Who may read may ask it. */
    public static Route ask(String path, int maxBodyBytes, Handler handler) {
        return new Route("POST", path, Role.VIEWER, maxBodyBytes, true, handler);
    }

    /** The same, told of in the document, and asked only what that says. */
    public Route is(Operation what) {
        return new Route(method, path, needed, maxBodyBytes, asks, what, handler);
    }

    /** The answer to somebody who was let in. Browsers and probes may add parameters of their own to what everybody may have. */
    public Reply answer(Request request) throws Problem {
        if (operation == null || needed == null) {
            return handler.handle(request);
        }
        Map<String, String> query = operation.complete(request.query());
        return handler.handle(new Request(request.path(), query, request.body(), request.caller()));
    }
}
