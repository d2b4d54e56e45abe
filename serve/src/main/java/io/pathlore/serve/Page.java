package io.pathlore.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The web page, as it was built: a few files of fixed names. It holds no data, so everybody may have it; what it asks for goes through
 * the gate as from anybody else.
 */
final class Page {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");
    private static final List<String> FILES = List.of("index.html", "icon.svg", "assets/app.js", "assets/app.css");

    private Page() {}

    static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (String file : FILES) {
            String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
            byte[] content = read(file);
            Reply reply = Reply.fixed(String.valueOf(type), content);
            routes.add(Route.get(file.equals("index.html") ? "/" : "/" + file, null, request -> reply)
                    .is(Operation.of("Pages", "The web page: it has no data of its own, and asks this API")
                            .answers(200, String.valueOf(type), "")));
        }
        return routes;
    }

    private static byte[] read(String file) {
        try (InputStream in = Page.class.getResourceAsStream("/ui/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the page was not built: /ui/" + file + " is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
