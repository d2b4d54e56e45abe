package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.audit.AuditCheck;
import io.pathlore.mitigate.audit.AuditLog;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the collector was told to do, who may tell it something, and whether what was done is written down whole. */
final class SettingsRoutes {
    private static final String GROUP = "Collector";

    private final Supplier<Service> service;
    private final Supplier<List<String>> needRestart;
    private final TokenStore tokens;
    private final @Nullable AuditLog audit;

    /**
     * Routes of one process.
     *
     * @param needRestart keys that differ since the last reload and are not in force yet
     * @param audit null where nothing is done that would have to be written down
     */
    SettingsRoutes(
            Supplier<Service> service,
            Supplier<List<String>> needRestart,
            TokenStore tokens,
            @Nullable AuditLog audit) {
        this.service = service;
        this.needRestart = needRestart;
        this.tokens = tokens;
        this.audit = audit;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(settings());
        AuditLog log = audit;
        if (log != null) {
            routes.add(Route.get("/api/v1/audit/check", Role.VIEWER, request -> check(log.file()))
                    .is(Operation.of(GROUP, "Whether the audit is whole, read from its first line on")
                            .answers("AuditCheck")
                            .refuses(503)));
        }
        return routes;
    }

    private List<Route> settings() {
        return List.of(
                Route.get("/api/v1/config", Role.VIEWER, this::config)
                        .is(Operation.of(GROUP, "The configuration in force, with the origin of each value")
                                .answers("Configuration")),
                Route.get("/api/v1/tokens", Role.ADMIN, this::tokens)
                        .is(Operation.of(GROUP, "Who has a token")
                                .answers("TokenList")
                                .refuses(503)));
    }

    private Reply config(Request request) {
        JsonText json = new JsonText().open('{').name("items").raw(service.get().origins());
        json.name("needRestart").open('[');
        needRestart.get().forEach(json::value);
        return Reply.json(200, json.close(']').close('}').toString());
    }

    /** Names and roles. The tokens themselves are known to their owners only. */
    private Reply tokens(Request request) throws Problem {
        JsonText json = new JsonText().open('{').name("items").open('[');
        try {
            for (Token token : tokens.list()) {
                json.open('{').name("name").value(token.name());
                json.name("role").value(token.role().text());
                json.name("createdAt").value(TimeText.of(token.createdNanos()));
                if (token.expiresNanos() != Token.NEVER) {
                    json.name("expiresAt").value(TimeText.of(token.expiresNanos()));
                }
                json.close('}');
            }
        } catch (IOException | TokenException e) {
            throw new Problem(503, "tokens cannot be read: " + e.getMessage());
        }
        return Reply.json(200, json.close(']').close('}').toString());
    }

    /** Reads the audit from its first line on. */
    private static Reply check(Path file) throws Problem {
        try {
            AuditCheck check = AuditCheck.of(file);
            JsonText json = new JsonText().open('{').name("holds").value(check.holds());
            json.name("lines").value(check.lines());
            json.name("last").value(check.last());
            if (check.problem() != null) {
                json.name("problem").value(check.problem());
            }
            json.name("file").value(file.toString());
            return Reply.json(200, json.close('}').toString());
        } catch (IOException e) {
            throw new Problem(503, "the audit cannot be read: " + e.getMessage());
        }
    }
}
