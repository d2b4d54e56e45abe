package io.pathlore.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the route of a path. Paths have one spelling: what could be read in two ways is refused, not cleaned. */
final class Router {
    /** {@code route} is null where the path is known but not with this method. */
    record Match(@Nullable Route route, Map<String, String> parameters, String allow) {}

    private final List<Route> routes;

    Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
        for (int i = 0; i < routes.size(); i++) {
            for (int k = 0; k < i; k++) {
                Route a = routes.get(i);
                Route b = routes.get(k);
                if (a.method().equals(b.method()) && shape(a.path()).equals(shape(b.path()))) {
                    throw new IllegalArgumentException("two routes for " + a.method() + " " + a.path());
                }
            }
        }
    }

    private static String shape(String path) {
        return path.replaceAll("\\{[a-z]+}", "{}");
    }

    List<Route> routes() {
        return routes;
    }

    /** No escapes, parameters, empty or dotted segments: none of our paths needs them, and each has fooled a gate. */
    static boolean plain(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean good =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "/._-".indexOf(c) >= 0;
            if (!good) {
                return false;
            }
        }
        return !(path + "/").contains("/./") && !(path + "/").contains("/../") && !path.contains("//");
    }

    /** Null where no route has this path. A literal segment wins over one in braces. HEAD goes where GET goes. */
    @Nullable
    Match match(String method, String path) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        Route found = null;
        Map<String, String> parameters = Map.of();
        var allowed = new TreeSet<String>();
        for (Route route : routes) {
            Map<String, String> bound = bind(route.path(), path);
            if (bound == null) {
                continue;
            }
            allowed.add(route.method());
            if (route.method().equals(wanted) && (found == null || bound.size() < parameters.size())) {
                found = route;
                parameters = bound;
            }
        }
        if (allowed.isEmpty()) {
            return null;
        }
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        allowed.add("OPTIONS");
        return new Match(found, parameters, String.join(", ", allowed));
    }

    private static @Nullable Map<String, String> bind(String pattern, String path) {
        if (pattern.equals(path)) {
            return Map.of();
        }
        List<String> wanted = segments(pattern);
        List<String> given = segments(path);
        if (wanted.size() != given.size()) {
            return null;
        }
        Map<String, String> bound = new LinkedHashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String segment = wanted.get(i);
            if (segment.startsWith("{") && !given.get(i).isEmpty()) {
                bound.put(segment.substring(1, segment.length() - 1), given.get(i));
            } else if (!segment.equals(given.get(i))) {
                return null;
            }
        }
        return bound;
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        int start = 1;
        for (int slash = path.indexOf('/', start); slash >= 0; slash = path.indexOf('/', start)) {
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        segments.add(path.substring(start));
        return segments;
    }
}
