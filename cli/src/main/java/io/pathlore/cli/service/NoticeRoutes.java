package io.pathlore.cli.service;

import io.pathlore.mitigate.notice.Maintenance;
import io.pathlore.mitigate.notice.Notifier;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Who is told, and of what nobody was, for it was expected. */
final class NoticeRoutes {
    private final Defence defence;

    NoticeRoutes(Defence defence) {
        this.defence = defence;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/notices", Role.VIEWER, this::list)
                .is(Operation.of("Attacks", "Who is told of attacks, and of what nobody was, for it was expected")
                        .answers("Notices")));
    }

    private Reply list(Request request) {
        JsonText json = new JsonText().open('{').name("webhooks").open('[');
        for (Notifier notifier : defence.notifiers()) {
            Notifier.Health health = notifier.health();
            json.open('{').name("host").value(notifier.host());
            json.name("sent").value(health.sent());
            json.name("waiting").value(health.waiting());
            json.name("lost").value(health.lost() + health.turnedAway());
            if (!health.trouble().isEmpty()) {
                json.name("trouble").value(health.trouble());
            }
            json.close('}');
        }
        Maintenance maintenance = defence.maintenance();
        json.close(']').name("maintenance").open('[');
        for (Maintenance.Window window : maintenance.windows()) {
            Instant until = window.times().openUntil(Instant.now());
            json.open('{').name("name").value(window.name());
            json.name("open").value(until != null);
            if (until != null) {
                json.name("until").value(until.toString());
            }
            json.close('}');
        }
        json.close(']').name("silenced").value(maintenance.count());
        json.name("toBeTold").value(maintenance.open()).name("items").open('[');
        for (Maintenance.Silenced one : maintenance.silenced()) {
            json.open('{').name("time").value(one.at().toString());
            json.name("window").value(one.window());
            json.name("alertname").value(one.notice().name());
            json.name("id").value(one.notice().id());
            json.name("severity").value(one.notice().severity());
            json.name("stage").value(one.notice().stage().name().toLowerCase(Locale.ROOT));
            json.name("summary").value(one.notice().summary()).close('}');
        }
        return Reply.json(200, json.close(']').close('}').toString());
    }
}
