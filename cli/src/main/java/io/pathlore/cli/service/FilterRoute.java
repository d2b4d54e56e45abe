package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Completion;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What could be written at a place of a filter, for who writes one in a page or an editor. */
final class FilterRoute {
    private static final Set<String> KNOWN = Set.of("text", "cursor");

    private FilterRoute() {}

    /** @param inventory the one that holds at the moment */
    static Route complete(Supplier<Inventory> inventory) {
        return Route.get("/api/v1/filter/complete", Role.VIEWER, request -> complete(request, inventory.get()));
    }

    private static Reply complete(Request request, Inventory inventory) throws Problem {
        Map<String, String> query = request.query();
        if (!KNOWN.containsAll(query.keySet())) {
            throw new Problem(400, "this route takes only cursor, text");
        }
        String text = query.getOrDefault("text", "");
        String cursor = query.getOrDefault("cursor", Integer.toString(text.length()));
        if (!cursor.matches("[0-9]{1,4}") || Integer.parseInt(cursor) > text.length()) {
            throw new Problem(400, "cursor: a number from 0 to the length of text, " + text.length());
        }
        Completion found = Completion.at(text, Integer.parseInt(cursor), InventoryNames.of(inventory));
        JsonText json = new JsonText().open('{');
        json.name("from").value(found.from()).name("to").value(found.to());
        json.name("suggestions").open('[');
        for (Completion.Suggestion suggestion : found.suggestions()) {
            json.open('{').name("text").value(suggestion.text());
            json.name("kind").value(suggestion.kind().label());
            if (!suggestion.detail().isEmpty()) {
                json.name("detail").value(suggestion.detail());
            }
            json.close('}');
        }
        return Reply.json(200, json.close(']').close('}').toString());
    }
}
