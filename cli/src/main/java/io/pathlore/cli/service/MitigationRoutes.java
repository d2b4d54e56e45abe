package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.ledger.Answer;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Orphan;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The operator's hand on the ledger of mitigations. */
final class MitigationRoutes {
    private static final String PATH = "/api/v1/mitigations";
    private static final int BODY = 1_024;
    private static final int AUDIT_LINES = 1_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Defence defence;

    MitigationRoutes(Defence defence) {
        this.defence = defence;
    }

    List<Route> routes() {
        return List.of(
                Route.get(PATH, Role.VIEWER, this::list),
                Route.get("/api/v1/audit", Role.VIEWER, this::audit),
                new Route("POST", PATH + "/{id}/approve", Role.OPERATOR, BODY, this::approve),
                new Route("POST", PATH + "/{id}/withdraw", Role.OPERATOR, BODY, this::withdraw),
                new Route("POST", PATH + "/orphans/{key}/withdraw", Role.OPERATOR, BODY, this::removeOrphan),
                new Route("POST", PATH + "/withdraw-all", Role.OPERATOR, BODY, this::withdrawAll),
                new Route("POST", PATH + "/resume", Role.OPERATOR, BODY, this::resume));
    }

    private Reply list(Request request) throws Problem {
        ReportQuery.known(request.query(), Set.of("limit", "cursor")); // there are never more than one page
        Mitigations.View view = defence.mitigations().view();
        JsonText json = new JsonText().open('{').name("mode").value(view.mode().label());
        Service.Defending settings = defence.settings();
        json.name("configured").value(settings.mode().name().toLowerCase(Locale.ROOT));
        json.name("expirySeconds").value(settings.limits().expiry().toSeconds());
        json.name("caps")
                .open('{')
                .name("rules")
                .value(settings.limits().rules())
                .name("perEnforcer")
                .value(settings.limits().rulesPerEnforcer())
                .name("perMinute")
                .value(settings.limits().newPerMinute())
                .close('}');
        json.name("enforcers").open('[');
        settings.enforcers().forEach(one -> json.value(one.name()));
        json.close(']');
        if (!view.diskTrouble().isEmpty()) {
            json.name("trouble").value(view.diskTrouble());
        }
        json.name("items").open('[');
        view.mitigations().forEach(one -> json.raw(one.toJson()));
        json.close(']').name("orphans").open('[');
        for (Orphan orphan : view.orphans()) {
            json.open('{')
                    .name("node")
                    .value(orphan.node())
                    .name("dropKey")
                    .value(HexFormat.of().toHexDigits(orphan.key()))
                    .name("dropCount")
                    .value(orphan.count())
                    .name("lastSeen")
                    .value(TimeText.of(orphan.seenNanos()))
                    .close('}');
        }
        return Reply.json(200, json.close(']').close('}').toString());
    }

    private Reply audit(Request request) throws Problem {
        ReportQuery.known(request.query(), Set.of("attack", "mitigation"));
        String attack = request.query().getOrDefault("attack", "");
        String mitigation = request.query().getOrDefault("mitigation", "");
        try {
            JsonText json = new JsonText().open('{').name("items").open('[');
            defence.audit().tail(AUDIT_LINES, attack, mitigation).reversed().forEach(json::raw);
            return Reply.json(200, json.close(']').close('}').toString());
        } catch (IOException e) {
            throw new Problem(503, "the audit cannot be read: " + e.getMessage());
        }
    }

    private Reply approve(Request request) throws Problem {
        return answer(defence.mitigations().approve(id(request), revision(request), who(request)));
    }

    private Reply withdraw(Request request) throws Problem {
        return answer(defence.mitigations().withdraw(id(request), revision(request), who(request)));
    }

    private Reply removeOrphan(Request request) throws Problem {
        String key = request.path().getOrDefault("key", "");
        if (!key.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "key: 16 hex digits, as dropKey of an orphan");
        }
        return answer(defence.removeOrphan(HexFormat.fromHexDigitsToLong(key), who(request)));
    }

    private Reply withdrawAll(Request request) {
        List<Mitigation> all = defence.mitigations().withdrawAll(who(request));
        JsonText json = new JsonText()
                .open('{')
                .name("mode")
                .value("observe")
                .name("items")
                .open('[');
        all.forEach(one -> json.raw(one.toJson()));
        return Reply.json(200, json.close(']').close('}').toString());
    }

    private Reply resume(Request request) {
        String mode = defence.mitigations().resume(who(request)).label();
        return Reply.json(
                200,
                new JsonText().open('{').name("mode").value(mode).close('}').toString());
    }

    private static String id(Request request) {
        return request.path().getOrDefault("id", "");
    }

    /** Who changes something says which state they saw. */
    private static long revision(Request request) throws Problem {
        try {
            JsonNode revision = MAPPER.readTree(request.body()).path("revision");
            if (revision.isIntegralNumber()) {
                return revision.asLong();
            }
        } catch (JsonProcessingException e) {
            throw new Problem(400, "the body is not JSON");
        } catch (IOException e) {
            throw new Problem(400, "the body cannot be read");
        }
        throw new Problem(400, "revision: the one you saw, like {\"revision\": 3}");
    }

    private static String who(Request request) {
        Token token = request.token();
        return token == null ? "unknown" : token.name();
    }

    private static Reply answer(Answer answer) throws Problem {
        return switch (answer) {
            case Answer.Done done -> Reply.json(200, done.mitigation().toJson());
            case Answer.Asked asked ->
                Reply.json(
                        202,
                        new JsonText()
                                .open('{')
                                .name("detail")
                                .value(asked.remark())
                                .close('}')
                                .toString());
            case Answer.Stale stale ->
                throw new Problem(
                        409,
                        "it has changed since: it is "
                                + stale.mitigation().state().label() + ", revision "
                                + stale.mitigation().revision() + "; look again");
            case Answer.Refused refused -> throw new Problem(409, refused.reason());
            case Answer.Unknown unknown -> throw new Problem(404, "there is no mitigation " + unknown.id());
        };
    }
}
