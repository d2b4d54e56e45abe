package io.pathlore.mitigate.enforcer;

import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;

/** What a webhook or a command is told, as JSON. */
final class Order {
    private Order() {}

    /** @param action {@code install} or {@code withdraw} */
    static String json(String action, String enforcer, Rule rule) {
        JsonLine json = new JsonLine().begin();
        json.text("version", "1")
                .text("order", action)
                .text("enforcer", enforcer)
                .text("rule", RuleText.of(rule));
        return RuleText.write(json, rule).end().strip();
    }
}
