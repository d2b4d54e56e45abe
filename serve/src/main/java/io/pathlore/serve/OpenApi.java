package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The routes as a document [OpenAPI 3.1.0]. Schemas of what is answered are written by hand, beside it. */
final class OpenApi {
    private static final String API = "/api/v1/";
    private static final String PROBLEM = "application/problem+json";

    private final JsonText json = new JsonText();

    private OpenApi() {}

    static String of(List<Route> routes, String schemas) {
        return new OpenApi().document(routes, schemas);
    }

    private String document(List<Route> routes, String schemas) {
        json.open('{').name("openapi").value("3.1.0");
        json.name("info")
                .open('{')
                .name("title")
                .value("Pathlore")
                .name("version")
                .value("1");
        json.name("summary").value("What packets met on their way through a network that speaks INT");
        json.name("description")
                .value(
                        "Where there is GET there is HEAD. From the machine itself reading needs no token; whatever changes"
                                + " something needs one of the role that `security` names, from elsewhere everything does but what"
                                + " has no data. Keys that are unknown to you may appear later: ignore them. A key that is absent"
                                + " is not known.");
        json.name("license")
                .open('{')
                .name("name")
                .value("Apache-2.0")
                .name("identifier")
                .value("Apache-2.0")
                .close('}');
        json.close('}').name("paths").open('{');
        Map<String, List<Route>> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            if (route.operation() != null) {
                paths.computeIfAbsent(route.path(), path -> new ArrayList<>()).add(route);
            }
        }
        paths.forEach((path, methods) -> {
            json.name(path).open('{');
            for (Route route : methods) {
                Operation operation = route.operation();
                if (operation != null) {
                    json.name(route.method().toLowerCase(Locale.ROOT));
                    operation(route, operation);
                }
            }
            json.close('}');
        });
        json.close('}').name("components").open('{').name("securitySchemes").open('{');
        json.name("bearer").open('{').name("type").value("http").name("scheme").value("bearer");
        json.name("description")
                .value("a token: pathlore token add NAME --role ROLE")
                .close('}');
        json.name("session").open('{').name("type").value("apiKey").name("in").value("cookie");
        json.name("name").value("pathlore-PORT");
        json.name("description")
                .value("what /api/v1/login sets, with TLS __Host-pathlore-PORT; but for GET with the header "
                        + Gate.CSRF)
                .close('}');
        json.close('}').name("schemas").raw(schemas.strip());
        return json.close('}').close('}').toString();
    }

    private void operation(Route route, Operation operation) {
        json.open('{').name("operationId").value(id(route));
        json.name("tags").open('[').value(operation.group()).close(']');
        json.name("summary").value(operation.summary());
        security(route.needed());
        boolean changes = !route.method().equals("GET");
        if (!operation.path().isEmpty() || !operation.query().isEmpty() || changes) {
            json.name("parameters").open('[');
            operation.path().forEach(parameter -> parameter(parameter, "path"));
            operation.query().forEach(parameter -> parameter(parameter, "query"));
            if (changes) {
                parameter(Parameter.text(Gate.CSRF, "with a cookie: `csrf` of the session"), "header");
            }
            json.close(']');
        }
        if (!operation.body().isEmpty()) {
            json.name("requestBody").open('{').name("required").value(operation.bodyNeeded());
            content("application/json", operation.body());
            json.close('}');
        }
        json.name("responses").open('{');
        answers(operation);
        for (int status : refusals(route, operation)) {
            if (operation.answers().stream().noneMatch(answer -> answer.status() == status)) {
                json.name(Integer.toString(status))
                        .open('{')
                        .name("description")
                        .value(Problem.title(status));
                content(PROBLEM, "Problem");
                json.close('}');
            }
        }
        json.close('}').close('}');
    }

    /** Several types of one status are one answer. */
    private void answers(Operation operation) {
        Map<Integer, List<Operation.Answer>> byStatus = new LinkedHashMap<>();
        operation
                .answers()
                .forEach(answer -> byStatus.computeIfAbsent(answer.status(), status -> new ArrayList<>())
                        .add(answer));
        byStatus.forEach((status, answers) -> {
            json.name(status.toString()).open('{').name("description").value(status == 503 ? "Not well" : "Done");
            if (!answers.getFirst().type().isEmpty()) {
                json.name("content").open('{');
                answers.forEach(answer -> media(answer.type(), answer.schema()));
                json.close('}');
            }
            json.close('}');
        });
    }

    private void content(String type, String schema) {
        json.name("content").open('{');
        media(type, schema);
        json.close('}');
    }

    private void media(String type, String schema) {
        json.name(type).open('{');
        if (!schema.isEmpty()) {
            json.name("schema")
                    .open('{')
                    .name("$ref")
                    .value("#/components/schemas/" + schema)
                    .close('}');
        }
        json.close('}');
    }

    private void parameter(Parameter parameter, String in) {
        json.open('{').name("name").value(parameter.name()).name("in").value(in);
        json.name("description").value(parameter.means());
        if (in.equals("path")) {
            json.name("required").value(true);
        }
        json.name("schema");
        parameter.schema(json);
        json.close('}');
    }

    /** One of these is enough; the empty one is somebody on the machine itself. */
    private void security(@Nullable Role needed) {
        json.name("security").open('[');
        if (needed != null) {
            json.open('{')
                    .name("bearer")
                    .open('[')
                    .value(needed.text())
                    .close(']')
                    .close('}');
            json.open('{')
                    .name("session")
                    .open('[')
                    .value(needed.text())
                    .close(']')
                    .close('}');
            if (needed == Role.VIEWER) {
                json.open('{').close('}');
            }
        }
        json.close(']');
    }

    /** What every request may meet, and what this one may. */
    static Set<Integer> refusals(Route route, Operation operation) {
        Set<Integer> statuses = new TreeSet<>(List.of(400, 403, 503));
        if (route.needed() != null) {
            statuses.add(401);
        }
        if (!route.method().equals("GET")) {
            statuses.addAll(List.of(413, 415));
        }
        statuses.addAll(operation.refusals());
        return statuses;
    }

    /** {@code getFlowsIdExplain}. */
    static String id(Route route) {
        StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
        String path = route.path().startsWith(API) ? route.path().substring(API.length()) : route.path();
        for (String word : path.split("[^A-Za-z0-9]+", -1)) {
            if (!word.isEmpty()) {
                id.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
        }
        return id.toString();
    }
}
