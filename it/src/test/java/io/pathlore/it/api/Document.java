package io.pathlore.it.api;

import io.pathlore.testkit.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What {@code /openapi.json} says, read as a stranger would. */
final class Document {
    private static final String SCHEMAS = "#/components/schemas/";

    /** One parameter and what it may be. */
    record Parameter(String name, String in, Map<String, Object> schema) {}

    /** One operation. {@code role} is empty where everybody may ask. */
    record Operation(
            String method,
            String path,
            String role,
            boolean anonymousHere,
            List<Parameter> parameters,
            boolean hasBody,
            Map<String, Map<String, Object>> answers) {
        /** With something in place of each segment in braces. */
        String path(String segment) {
            return path.replaceAll("\\{[a-z]+}", segment);
        }

        /** Changes something, or is at least no GET: what a cookie alone must not do. */
        boolean isMore() {
            return !method.equals("GET");
        }

        boolean streams() {
            return path.contains("/stream/");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private final Map<String, Object> root;
    private final Map<String, Object> schemas;
    private final List<Operation> operations = new ArrayList<>();

    Document(String text) {
        root = Json.object(text);
        schemas = object(object(root, "components"), "schemas");
        object(root, "paths")
                .forEach((path, item) -> asObject(item)
                        .forEach((method, operation) -> operations.add(operation(path, method, asObject(operation)))));
    }

    List<Operation> operations() {
        return operations;
    }

    Map<String, Object> schemas() {
        return schemas;
    }

    private static Operation operation(String path, String method, Map<String, Object> json) {
        String role = "";
        boolean anonymous = false;
        for (Object each : list(json.get("security"))) {
            Map<String, Object> one = asObject(each);
            anonymous |= one.isEmpty();
            if (one.containsKey("bearer")) {
                role = String.valueOf(list(one.get("bearer")).getFirst());
            }
        }
        List<Parameter> parameters = new ArrayList<>();
        for (Object each : list(json.get("parameters"))) {
            Map<String, Object> one = asObject(each);
            parameters.add(new Parameter(
                    String.valueOf(one.get("name")), String.valueOf(one.get("in")), object(one, "schema")));
        }
        Map<String, Map<String, Object>> answers = new LinkedHashMap<>();
        object(json, "responses").forEach((status, answer) -> answers.put(status, object(asObject(answer), "content")));
        return new Operation(
                method.toUpperCase(Locale.ROOT),
                path,
                role,
                anonymous,
                parameters,
                json.containsKey("requestBody"),
                answers);
    }

    // Shapes
    // --------------------------------------------------------------------------------------------------------------

    /** What an answer has that the document does not say, or the other way round. */
    List<String> faults(Operation operation, int status, String type, String body) {
        Map<String, Object> content = operation.answers().get(Integer.toString(status));
        if (content == null) {
            return List.of(operation + ": answered " + status + ", which the document does not know");
        }
        if (status == 304 || content.isEmpty()) {
            return List.of();
        }
        Object media = content.get(type);
        if (media == null) {
            return List.of(operation + ": answered " + status + " as " + type + ", and not as " + content.keySet());
        }
        List<String> faults = new ArrayList<>();
        Map<String, Object> schema = object(asObject(media), "schema");
        if (!schema.isEmpty()) {
            check(schema, Json.parse(body), operation + " ", faults);
        }
        return faults;
    }

    private void check(Map<String, Object> schema, @Nullable Object value, String at, List<String> faults) {
        Object reference = schema.get("$ref");
        if (reference != null) {
            check(named(String.valueOf(reference)), value, at, faults);
            return;
        }
        Object one = schema.get("anyOf");
        if (one != null) {
            boolean fits = list(one).stream().anyMatch(each -> {
                List<String> inner = new ArrayList<>();
                check(asObject(each), value, at, inner);
                return inner.isEmpty();
            });
            if (!fits) {
                faults.add(at + "is none of what it may be: " + value);
            }
            return;
        }
        Map<String, Object> merged = schema;
        for (Object part : list(schema.get("allOf"))) {
            merged = merge(merged, resolved(asObject(part)));
        }
        if (!fits(merged.get("type"), value)) {
            faults.add(at + "is not of type " + merged.get("type") + ": " + value);
            return;
        }
        if (merged.get("enum") != null && !list(merged.get("enum")).contains(value)) {
            faults.add(at + "is none of " + merged.get("enum") + ": " + value);
        }
        if (merged.get("pattern") != null
                && value instanceof String text
                && !text.matches(String.valueOf(merged.get("pattern")))) {
            faults.add(at + "does not match " + merged.get("pattern") + ": " + value);
        }
        if (value instanceof Map<?, ?>) {
            object(merged, asObject(value), at, faults);
        }
        if (value instanceof List<?> items && merged.get("items") != null) {
            for (Object item : items) {
                check(asObject(merged.get("items")), item, at + "[]", faults);
            }
        }
    }

    private void object(Map<String, Object> schema, Map<String, Object> value, String at, List<String> faults) {
        Map<String, Object> properties = object(schema, "properties");
        for (Object name : list(schema.get("required"))) {
            if (!value.containsKey(String.valueOf(name))) {
                faults.add(at + "has no " + name);
            }
        }
        Object others = schema.get("additionalProperties");
        value.forEach((name, each) -> {
            Object property = properties.get(name);
            if (property != null) {
                check(asObject(property), each, at + "." + name + " ", faults);
            } else if (others instanceof Map<?, ?>) {
                check(asObject(others), each, at + "." + name + " ", faults);
            } else if (!Boolean.TRUE.equals(others)) {
                faults.add(at + "has " + name + ", which the document does not know");
            }
        });
    }

    private static boolean fits(@Nullable Object type, @Nullable Object value) {
        if (type == null) {
            return true;
        }
        if (type instanceof List<?> several) {
            return several.stream().anyMatch(each -> fits(each, value));
        }
        return switch (String.valueOf(type)) {
            case "object" -> value instanceof Map<?, ?>;
            case "array" -> value instanceof List<?>;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "null" -> value == null;
            case "integer" -> value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue());
            case "number" -> value instanceof Number;
            default -> false;
        };
    }

    private Map<String, Object> resolved(Map<String, Object> schema) {
        Object reference = schema.get("$ref");
        Map<String, Object> found = reference == null ? schema : named(String.valueOf(reference));
        for (Object part : list(found.get("allOf"))) {
            found = merge(found, resolved(asObject(part)));
        }
        return found;
    }

    private static Map<String, Object> merge(Map<String, Object> one, Map<String, Object> other) {
        Map<String, Object> both = new LinkedHashMap<>(other);
        both.putAll(one);
        Map<String, Object> properties = new LinkedHashMap<>(object(other, "properties"));
        properties.putAll(object(one, "properties"));
        both.put("properties", properties);
        List<Object> required = new ArrayList<>(list(one.get("required")));
        required.addAll(list(other.get("required")));
        both.put("required", required);
        return both;
    }

    private Map<String, Object> named(String reference) {
        Object schema = schemas.get(reference.substring(SCHEMAS.length()));
        if (!reference.startsWith(SCHEMAS) || schema == null) {
            throw new AssertionError("the document has no " + reference);
        }
        return asObject(schema);
    }

    /** Names of schemas that something refers to. */
    Set<String> referred() {
        Set<String> names = new TreeSet<>();
        refer(root, names);
        return names;
    }

    private static void refer(@Nullable Object value, Set<String> names) {
        if (value instanceof Map<?, ?> map) {
            if (map.get("$ref") instanceof String reference) {
                names.add(reference.substring(SCHEMAS.length()));
            }
            map.values().forEach(each -> refer(each, names));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> refer(each, names));
        }
    }

    static Map<String, Object> object(Map<String, Object> in, String name) {
        Object found = in.get(name);
        return found == null ? Map.of() : asObject(found);
    }

    @SuppressWarnings("unchecked") // JSON has no other keys
    static Map<String, Object> asObject(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new AssertionError("not an object: " + value);
    }

    @SuppressWarnings("unchecked") // nor other items
    static List<Object> list(@Nullable Object value) {
        return value == null ? List.of() : (List<Object>) value;
    }
}
