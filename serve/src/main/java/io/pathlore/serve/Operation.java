package io.pathlore.serve;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a route is for, what it takes and what it answers: the one source of the OpenAPI document, of its page, and of what is refused
 * before the route is asked.
 *
 * @param group the heading it stands under
 * @param path what the segments in braces are
 * @param query what may stand behind the question mark; anything else is refused
 * @param body the schema of the body; empty: there is none
 * @param bodyNeeded whether nothing is done without one
 * @param refusals statuses of its own, beside those that every route may answer
 */
public record Operation(
        String group,
        String summary,
        List<Parameter> path,
        List<Parameter> query,
        String body,
        boolean bodyNeeded,
        List<Answer> answers,
        List<Integer> refusals) {
    /** {@code schema}: the name of one; empty: not JSON. */
    public record Answer(int status, String type, String schema) {}

    public Operation {
        path = List.copyOf(path);
        query = List.copyOf(query);
        answers = List.copyOf(answers);
        refusals = List.copyOf(refusals);
    }

    public static Operation of(String group, String summary) {
        return new Operation(group, summary, List.of(), List.of(), "", false, List.of(), List.of());
    }

    public Operation at(Parameter... segments) {
        return new Operation(group, summary, List.of(segments), query, body, bodyNeeded, answers, refusals);
    }

    public Operation takes(Parameter... parameters) {
        return new Operation(group, summary, path, List.of(parameters), body, bodyNeeded, answers, refusals);
    }

    public Operation reads(String schema) {
        return new Operation(group, summary, path, query, schema, true, answers, refusals);
    }

    /** A body that may be left out. */
    public Operation mayRead(String schema) {
        return new Operation(group, summary, path, query, schema, false, answers, refusals);
    }

    /** With 200, as JSON. */
    public Operation answers(String schema) {
        return answers(200, "application/json", schema);
    }

    public Operation answers(int status, String type, String schema) {
        List<Answer> more = new ArrayList<>(answers);
        more.add(new Answer(status, type, schema));
        return new Operation(group, summary, path, query, body, bodyNeeded, more, refusals);
    }

    public Operation refuses(Integer... statuses) {
        return new Operation(group, summary, path, query, body, bodyNeeded, answers, List.of(statuses));
    }

    /**
     * What was asked, with what is usual where nothing was said. A parameter that is not understood must not be passed over: the answer
     * would be to another question.
     */
    Map<String, String> complete(Map<String, String> given) throws Problem {
        Map<String, String> complete = new HashMap<>(given);
        Map<String, String> unknown = new HashMap<>(given);
        for (Parameter parameter : query) {
            unknown.remove(parameter.name());
            String value = given.get(parameter.name());
            if (value != null) {
                parameter.check(value);
            } else if (parameter.usual() != null) {
                complete.put(parameter.name(), parameter.usual());
            }
        }
        if (!unknown.isEmpty()) {
            TreeSet<String> known = new TreeSet<>();
            query.forEach(parameter -> known.add(parameter.name()));
            throw new Problem(
                    400,
                    "this route takes " + (known.isEmpty() ? "no parameters" : "only " + String.join(", ", known)));
        }
        return complete;
    }
}
