package io.pathlore.it.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Questions that the document allows, and such as it does not: each parameter left out, right, or wrong in a way that has hurt others. */
final class Questions {
    record Question(
            Document.Operation operation,
            String path,
            @Nullable String body) {
        String method() {
            return operation.method();
        }

        @Override
        public String toString() {
            return method() + " " + path + (body == null ? "" : " " + body);
        }
    }

    private static final List<String> WRONG = List.of(
            "",
            " ",
            "-1",
            "0",
            "1e9",
            "99999999999999999999999",
            "9223372036854775807",
            "-9223372036854775808",
            "NaN",
            "null",
            "true",
            "'; DROP TABLE events; --",
            "\" OR 1=1",
            "\u0000",
            "\r\nX: y",
            "%s%n%99999d",
            "${jndi:ldap://x}",
            "<script>alert(1)</script>",
            "../../etc/passwd",
            "\uD83D\uDE00",
            "\u202E",
            "[]",
            "{\"a\":",
            "now",
            "5m",
            "-5m",
            "1000000d",
            "0.0000001ns",
            "2026-11-15T18:00:00Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "2026-02-30T25:61:61Z");
    private static final List<String> FILTERS = List.of(
            "node=1",
            "node=leaf-1 and not hop.latency > 10us",
            "ip in 10.0.0.0/8",
            "ip in ::/0",
            "src = 10.0.0.1 or dst like '%'",
            "dropped",
            "((((((((((((((((((((node=1))))))))))))))))))))",
            "not not not not node=1",
            "node=1 and",
            "latency > 99999999999999999999s",
            "proto = tcp and port in (80, 443)",
            "severity = critical",
            "kind = attack",
            "flow = 0123456789abcdef",
            "path = 1,2,3",
            "device = 02:00:00:00:64:01",
            "error = TR20_NO_REPORTS");
    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "[]",
            "null",
            "{\"revision\":1}",
            "{\"revision\":-1}",
            "{\"revision\":1e99}",
            "{\"revision\":\"1\"}",
            "{\"sql\":\"SELECT 1\"}",
            "{\"sql\":\"SELECT * FROM nodes\"}",
            "{\"sql\":\"DROP TABLE nodes\"}",
            "{\"sql\":\"SELECT * FROM read_csv('/etc/passwd')\"}",
            "{\"sql\":\"SELECT 1; SELECT 2\"}",
            "{\"sql\":\"\"}",
            "{\"sql\":\"SELECT '\\u0000'\"}",
            "{\"sql\":null}",
            "{\"sql\":\"SELECT * FROM range(100000000000)\"}",
            "{\"sql\":\"SELECT repeat('x', 1000000000)\"}",
            "{\"sql\":\"SELECT 1/0, 'NaN'::DOUBLE, NULL, DATE '2026-01-01', [1,2], {'a': 1}\"}",
            "{\"sql\":\"SELECT 1\",\"sql\":\"SELECT 2\"}",
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "\u0000");

    private final List<Document.Operation> operations;
    private final Samples samples;
    private final SplittableRandom random;

    Questions(Document document, Samples samples, long seed) {
        // Who stops listening is found out with the next event: many of these would be turned away, and rightly.
        operations =
                document.operations().stream().filter(each -> !each.streams()).toList();
        this.samples = samples;
        random = new SplittableRandom(seed);
    }

    Question next() {
        Document.Operation operation = operations.get(random.nextInt(operations.size()));
        String segment = samples.segment(operation);
        if (segment != null && (segment.isEmpty() || random.nextInt(4) == 0)) {
            segment = encoded(oneOf(WRONG));
            segment = segment.isEmpty() || !segment.matches("[A-Za-z0-9._-]+") ? "x" : segment;
        }
        StringBuilder path = new StringBuilder(segment == null ? operation.path() : operation.path(segment));
        char between = '?';
        for (Document.Parameter parameter : operation.parameters()) {
            if (parameter.in().equals("query") && random.nextInt(3) > 0) {
                path.append(between).append(parameter.name()).append('=').append(encoded(value(parameter)));
                between = '&';
            }
        }
        if (random.nextInt(20) == 0) {
            path.append(between).append(encoded(oneOf(WRONG))).append('=').append(encoded(oneOf(WRONG)));
        }
        String body = operation.isMore() ? oneOf(BODIES) : null;
        return new Question(operation, path.toString(), body == null || body.isEmpty() ? null : body);
    }

    private String value(Document.Parameter parameter) {
        if (random.nextInt(4) == 0) {
            return oneOf(WRONG);
        }
        List<Object> words = Document.list(parameter.schema().get("enum"));
        if (!words.isEmpty()) {
            return String.valueOf(words.get(random.nextInt(words.size())));
        }
        if ("integer".equals(parameter.schema().get("type"))) {
            return Integer.toString(random.nextInt(12));
        }
        return switch (parameter.name()) {
            case "filter", "text" -> oneOf(FILTERS);
            case "since" -> random.nextBoolean() ? "5m" : "2026-11-15T18:00:00Z";
            case "until" -> "now";
            case "flow" -> samples.flow();
            case "attack", "id" -> samples.attack();
            case "mitigation" -> samples.mitigation();
            default -> oneOf(WRONG);
        };
    }

    private String oneOf(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
