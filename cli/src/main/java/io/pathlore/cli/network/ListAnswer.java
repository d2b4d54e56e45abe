package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import org.jspecify.annotations.Nullable;

/** One page of a list, and what it is a list of. */
final class ListAnswer {
    /** Of rows of hops together: what came of what was sent, where that is known. */
    static final String COMPLETENESS = "sum(reports) FILTER (completeness > 0)"
            + " / sum(reports / completeness) FILTER (completeness > 0) AS completeness";

    private final Asked asked;
    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final ArrayNode items;
    private @Nullable String next;
    private String last = "";

    ListAnswer(Asked asked) {
        this.asked = asked;
        items = root.putArray("items");
    }

    /**
     * Room for one more item; null where the page is full, and then there is a next one. Ask for one row more than the limit.
     *
     * @param key what the page behind this item begins after
     */
    @Nullable
    ObjectNode add(Object... key) {
        if (items.size() == asked.limit()) {
            next = last;
            return null;
        }
        last = asked.cursor(key);
        return items.addObject();
    }

    boolean hasMore() {
        return next != null;
    }

    ArrayNode items() {
        return items;
    }

    Reply reply() throws Problem {
        if (next != null) {
            root.put("next", next);
            root.put("cursor", next); // as it was called at first
        }
        return reply(root, asked);
    }

    /** With the time it is of, and how much was seen of it. */
    static Reply reply(ObjectNode root, Asked asked) throws Problem {
        Labels.time(root, "since", asked.span().since());
        Labels.time(root, "until", asked.span().until());
        Question.of("SELECT " + COMPLETENESS + " FROM")
                .add(asked.span().hops())
                .ask(asked.queries(), row -> Labels.share(root, "completeness", row.share("completeness")));
        return Reply.json(200, root.toString());
    }
}
