package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Completion;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.InventoryNames;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.util.Map;
import java.util.function.Supplier;

/** What could be written at a place of a filter, for who writes one in a page or an editor. */
final class FilterRoute {
    private FilterRoute() {}

    /** @param inventory the one that holds at the moment */
    static Route complete(Supplier<Inventory> inventory) {
        return Route.get("/api/v1/filter/complete", Role.VIEWER, request -> complete(request, inventory.get()))
                .is(Operation.of("Filters", "What could be written at a place of a filter")
                        .takes(
                                Parameter.text("text", "what is written so far"),
                                Parameter.text("cursor", "the place in it, from 0; else its end", "[0-9]{1,4}"))
                        .answers("Completion"));
    }

    private static Reply complete(Request request, Inventory inventory) throws Problem {
        Map<String, String> query = request.query();
        String text = query.getOrDefault("text", "");
        String cursor = query.getOrDefault("cursor", Integer.toString(text.length()));
        if (Integer.parseInt(cursor) > text.length()) {
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
