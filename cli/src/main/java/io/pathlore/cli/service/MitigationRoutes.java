package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.audit.AuditLog;
import io.pathlore.mitigate.ledger.Answer;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Operator;
import io.pathlore.mitigate.ledger.Orphan;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
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
import org.jspecify.annotations.Nullable;

/** The operator's hand on the ledger of mitigations. */
final class MitigationRoutes {
    private static final String PATH = "/api/v1/mitigations";
    private static final int BODY = 4_096;
    private static final String GROUP = "Attacks";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Defence defence;

    MitigationRoutes(Defence defence) {
        this.defence = defence;
    }

    List<Route> routes() {
        return List.of(
                Route.get(PATH, Role.VIEWER, this::list)
                        .is(Operation.of(GROUP, "What is done about attacks, the oldest first, and what may be")
                                .takes(Parameter.LIMIT, Parameter.CURSOR)
                                .answers("MitigationList")),
                Route.get("/api/v1/audit", Role.VIEWER, this::audit)
                        .is(Operation.of(GROUP, "Who did what and why, the newest first")
                                .takes(
                                        Parameter.text("attack", "about this attack"),
                                        Parameter.text("mitigation", "about this mitigation"),
                                        Parameter.LIMIT,
                                        Parameter.CURSOR)
                                .answers("AuditList")),
                changing("/{id}/approve", this::approve)
                        .is(Operation.of(GROUP, "Approves one that waits; `revision` is the one that was seen")
                                .at(Parameter.text("id", "of a mitigation"))
                                .reads("Revision")
                                .answers("Mitigation")
                                .answers(202, "application/json", "Remark")
                                .refuses(404, 409)),
                changing("/{id}/withdraw", this::withdraw)
                        .is(Operation.of(GROUP, "Withdraws one; `revision` is the one that was seen")
                                .at(Parameter.text("id", "of a mitigation"))
                                .reads("Revision")
                                .answers("Mitigation")
                                .answers(202, "application/json", "Remark")
                                .refuses(404, 409)),
                changing("/orphans/{key}/withdraw", this::removeOrphan)
                        .is(Operation.of(GROUP, "Asks for the removal of a rule that drops packets and is nobody's")
                                .at(Parameter.text("key", "`dropKey` of the orphan", "[0-9a-f]{16}"))
                                .mayRead("Comment")
                                .answers("Mitigation")
                                .answers(202, "application/json", "Remark")
                                .refuses(404, 409)),
                changing("/withdraw-all", this::withdrawAll)
                        .is(Operation.of(GROUP, "The kill switch: everything is withdrawn, and nothing new is done")
                                .mayRead("Comment")
                                .answers("Withdrawn")),
                changing("/resume", this::resume)
                        .is(Operation.of(GROUP, "Takes the kill switch back")
                                .mayRead("Comment")
                                .answers("Resumed")));
    }

    private static Route changing(String path, Route.Handler handler) {
        return new Route("POST", PATH + path, Role.OPERATOR, BODY, handler);
    }

    private Reply list(Request request) throws Problem {
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
        List<Mitigation> rest = behind(view.mitigations(), request.query().get("cursor"));
        List<Mitigation> page = rest.subList(0, Math.min(rest.size(), request.number("limit")));
        page.forEach(one -> json.raw(one.toJson()));
        json.close(']');
        if (page.size() < rest.size()) {
            json.name("next").value(cursor(page.getLast()));
        }
        json.name("orphans").open('[');
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

    private static String cursor(Mitigation last) {
        return last.createdNanos() + "." + last.id();
    }

    /** The ledger has them in the order in which they were made; one that is no longer there has a time that still tells where it was. */
    private static List<Mitigation> behind(List<Mitigation> all, @Nullable String cursor) throws Problem {
        if (cursor == null) {
            return all;
        }
        int dot = cursor.indexOf('.');
        if (dot < 1 || !cursor.substring(0, dot).matches("[0-9]{1,18}|[1-8][0-9]{18}")) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        long created = Long.parseLong(cursor.substring(0, dot));
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id().equals(cursor.substring(dot + 1))) {
                return all.subList(i + 1, all.size());
            }
        }
        return all.stream().filter(one -> one.createdNanos() > created).toList();
    }

    private Reply audit(Request request) throws Problem {
        String attack = request.query().getOrDefault("attack", "");
        String mitigation = request.query().getOrDefault("mitigation", "");
        try {
            int limit = request.number("limit");
            List<String> lines = defence.audit()
                    .tail(limit + 1, line(request.query().get("cursor")), attack, mitigation)
                    .reversed();
            List<String> page = lines.subList(0, Math.min(lines.size(), limit));
            JsonText json = new JsonText().open('{').name("items").open('[');
            page.forEach(json::raw);
            json.close(']');
            if (page.size() < lines.size()) {
                json.name("next").value(Long.toString(AuditLog.numberOf(page.getLast())));
            }
            return Reply.json(200, json.close('}').toString());
        } catch (IOException e) {
            throw new Problem(503, "the audit cannot be read: " + e.getMessage());
        }
    }

    /** Lines are numbered, and stay where they are. */
    private static long line(@Nullable String cursor) throws Problem {
        if (cursor == null) {
            return Long.MAX_VALUE;
        }
        if (!cursor.matches("[1-9][0-9]{0,17}")) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        return Long.parseLong(cursor);
    }

    private Reply approve(Request request) throws Problem {
        JsonNode said = said(request);
        return answer(defence.mitigations().approve(id(request), revision(said), by(request, said)));
    }

    private Reply withdraw(Request request) throws Problem {
        JsonNode said = said(request);
        return answer(defence.mitigations().withdraw(id(request), revision(said), by(request, said)));
    }

    private Reply removeOrphan(Request request) throws Problem {
        String key = request.path().getOrDefault("key", "");
        if (!key.matches("[0-9a-f]{16}")) {
            throw new Problem(400, "key: 16 hex digits, as dropKey of an orphan");
        }
        return answer(defence.removeOrphan(HexFormat.fromHexDigitsToLong(key), by(request, said(request))));
    }

    private Reply withdrawAll(Request request) throws Problem {
        List<Mitigation> all = defence.mitigations().withdrawAll(by(request, said(request)));
        JsonText json = new JsonText()
                .open('{')
                .name("mode")
                .value("observe")
                .name("items")
                .open('[');
        all.forEach(one -> json.raw(one.toJson()));
        return Reply.json(200, json.close(']').close('}').toString());
    }

    private Reply resume(Request request) throws Problem {
        String mode = defence.mitigations().resume(by(request, said(request))).label();
        return Reply.json(
                200,
                new JsonText().open('{').name("mode").value(mode).close('}').toString());
    }

    private static String id(Request request) {
        return request.path().getOrDefault("id", "");
    }

    /** The body; nothing where there is none. */
    private static JsonNode said(Request request) throws Problem {
        try {
            JsonNode said = MAPPER.readTree(request.body());
            if (said.isMissingNode() || said.isObject()) {
                return said;
            }
        } catch (JsonProcessingException e) {
            throw new Problem(400, "the body is not JSON");
        } catch (IOException e) {
            throw new Problem(400, "the body cannot be read");
        }
        throw new Problem(400, "the body is not an object, like {\"revision\": 3}");
    }

    /** Who changes something says which state they saw. */
    private static long revision(JsonNode said) throws Problem {
        JsonNode revision = said.path("revision");
        if (!revision.isIntegralNumber()) {
            throw new Problem(400, "revision: the one you saw, like {\"revision\": 3}");
        }
        return revision.asLong();
    }

    /** Who acts, and what they have to say about it. */
    private static Operator by(Request request, JsonNode said) throws Problem {
        Token token = request.token();
        JsonNode comment = said.path("comment");
        if (!comment.isMissingNode() && !comment.isTextual()) {
            throw new Problem(400, "comment: expected a text");
        }
        if (comment.asText().length() > AuditLog.LONGEST_TEXT) {
            throw new Problem(400, "comment: longer than " + AuditLog.LONGEST_TEXT + " characters");
        }
        return new Operator(
                token == null ? "unknown" : token.name(), comment.asText().strip());
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
