package io.pathlore.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the API is, told by itself: for programs as an OpenAPI document, for people as a page. Neither has data, so everybody may have them. */
final class Manual {
    private static final String GROUP = "Pages";
    private static final String HTML = "text/html; charset=utf-8";
    private static final String CSS = "text/css; charset=utf-8";
    private static final String SCHEMAS = "/openapi/schemas.json";

    private Manual() {}

    /** Tells of these, and of itself. */
    static List<Route> routes(List<Route> others) {
        List<Route> all = new ArrayList<>(others);
        List<Route> own = new ArrayList<>();
        Reply[] replies = new Reply[3];
        own.add(Route.get("/openapi.json", null, request -> replies[0])
                .is(Operation.of(GROUP, "This document").answers("OpenApi")));
        own.add(Route.get("/openapi", null, request -> replies[1])
                .is(Operation.of(GROUP, "This document, to be read").answers(200, HTML, "")));
        own.add(Route.get("/openapi.css", null, request -> replies[2])
                .is(Operation.of(GROUP, "How it looks").answers(200, CSS, "")));
        all.addAll(own);
        replies[0] = Reply.fixed("application/json", bytes(OpenApi.of(all, read(SCHEMAS))));
        replies[1] = Reply.fixed(HTML, bytes(ManualPage.of(all)));
        replies[2] = Reply.fixed(CSS, bytes(read("/openapi/page.css")));
        return own;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String read(String resource) {
        try (InputStream in = Manual.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
