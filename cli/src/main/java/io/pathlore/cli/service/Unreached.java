package io.pathlore.cli.service;

import io.pathlore.serve.JsonText;
import java.util.List;

/** An edge that has part of what was asked for, and could not be asked. */
record Unreached(String edge, String why) {
    static void write(List<Unreached> all, JsonText json) {
        if (all.isEmpty()) {
            return;
        }
        json.name("unreached").open('[');
        for (Unreached each : all) {
            json.open('{').name("edge").value(each.edge);
            json.name("why").value(each.why).close('}');
        }
        json.close(']');
    }

    /** For who gets no answer but this. */
    static String text(List<Unreached> all) {
        return String.join(
                "; ", all.stream().map(each -> each.edge + ": " + each.why).toList());
    }
}
