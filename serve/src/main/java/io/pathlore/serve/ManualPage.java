package io.pathlore.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes for people: one page, without scripts and without anything from elsewhere. */
final class ManualPage {
    private final StringBuilder out = new StringBuilder(32 << 10);

    private ManualPage() {}

    static String of(List<Route> routes) {
        return new ManualPage().page(routes);
    }

    private String page(List<Route> routes) {
        Map<String, List<Route>> groups = new LinkedHashMap<>();
        for (Route route : routes) {
            if (route.operation() != null) {
                groups.computeIfAbsent(route.operation().group(), group -> new ArrayList<>())
                        .add(route);
            }
        }
        out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Pathlore API</title>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">")
                .append("<link rel=\"stylesheet\" href=\"/openapi.css\"></head>\n<body>\n<h1>Pathlore API</h1>\n")
                .append(
                        "<p>JSON; errors are <code>application/problem+json</code>. Tokens go in <code>Authorization: Bearer"
                                + " TOKEN</code>; from the machine itself reading needs none. For programs:"
                                + " <a href=\"/openapi.json\">openapi.json</a>.</p>\n<nav>");
        groups.keySet()
                .forEach(group -> out.append("<a href=\"#")
                        .append(anchor(group))
                        .append("\">")
                        .append(text(group))
                        .append("</a> "));
        out.append("</nav>\n");
        groups.forEach((group, members) -> {
            out.append("<h2 id=\"")
                    .append(anchor(group))
                    .append("\">")
                    .append(text(group))
                    .append("</h2>\n");
            members.forEach(this::route);
        });
        return out.append("</body></html>\n").toString();
    }

    private void route(Route route) {
        Operation operation = route.operation();
        if (operation == null) {
            return;
        }
        out.append("<section id=\"")
                .append(OpenApi.id(route))
                .append("\">\n<h3><b>")
                .append(route.method());
        out.append("</b> <code>").append(text(route.path())).append("</code>");
        out.append(" <i>")
                .append(route.needed() == null ? "everybody" : route.needed().text())
                .append("</i></h3>\n<p>");
        out.append(prose(operation.summary())).append("</p>\n");
        List<Parameter> parameters = new ArrayList<>(operation.path());
        parameters.addAll(operation.query());
        if (!parameters.isEmpty()) {
            out.append("<table>");
            for (Parameter parameter : parameters) {
                out.append("<tr><th><code>").append(text(parameter.name())).append("</code></th><td>");
                out.append(prose(parameter.means()))
                        .append("</td><td>")
                        .append(form(parameter))
                        .append("</td></tr>\n");
            }
            out.append("</table>\n");
        }
        out.append("<p class=\"answers\">");
        if (!operation.body().isEmpty()) {
            out.append(operation.bodyNeeded() ? "Body: " : "Body, if any: ")
                    .append(text(operation.body()))
                    .append(". ");
        }
        for (Operation.Answer answer : operation.answers()) {
            out.append(answer.status()).append(' ');
            out.append(text(answer.schema().isEmpty() ? answer.type() : answer.schema()))
                    .append(" · ");
        }
        out.append("refused: ");
        OpenApi.refusals(route, operation).forEach(status -> out.append(status).append(' '));
        out.append("</p>\n</section>\n");
    }

    private static String form(Parameter parameter) {
        String usual = parameter.usual() == null ? "" : ", else " + parameter.usual();
        return text(
                switch (parameter.form()) {
                    case Parameter.Form.Range(long least, long most) -> least + " to " + most + usual;
                    case Parameter.Form.Word(List<String> words) -> String.join(", ", words) + usual;
                    case Parameter.Form.Text(String pattern) -> pattern;
                });
    }

    private static String anchor(String group) {
        return group.replace(' ', '-');
    }

    /** What stands in backticks is code. */
    private static String prose(String words) {
        return text(words).replaceAll("`([^`]*)`", "<code>$1</code>");
    }

    private static String text(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
