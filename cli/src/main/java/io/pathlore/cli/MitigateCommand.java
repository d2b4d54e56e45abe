package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.client.ApiClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "mitigate",
        header = {
            "The operator's hand on the ledger of mitigations.",
            "",
            "Examples:",
            "  pathlore get mitigations                 what is proposed, sent and proven",
            "  pathlore mitigate approve 4f1c0a         make a proposed rule hold",
            "  pathlore mitigate approve 4f1c0a --comment 'the customer knows'",
            "  pathlore mitigate deny 4f1c0a            say no to one that is proposed",
            "  pathlore mitigate withdraw 4f1c0a        take one back",
            "  pathlore mitigate withdraw-all           take everything back, and only observe from now on",
            "  pathlore mitigate resume                 after that: the configured mode again",
            "  pathlore mitigate audit                  check that nobody changed the audit",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore mitigate approve|deny|withdraw|withdraw-all|resume|audit [ID] [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or set about",
            "1:the server refuses: it has changed since, is not allowed, or is not there",
            "2:wrong usage or configuration",
            "4:not authorised: needs a token of role operator",
            "5:no server answers"
        },
        commandListHeading = "%nCommands with options of their own:%n",
        subcommands = MitigateAuditCommand.class,
        footerHeading = "%n",
        footer =
                "An id may be cut short where that leaves no doubt. To withdraw a rule that is not in the ledger and drops packets,"
                        + " give its key, as the warning does. Every act is in the audit, with the name of the token.")
final class MitigateCommand implements Callable<Integer> {
    private static final String PATH = "/api/v1/mitigations";
    private static final List<String> SINGLE = List.of("approve", "deny", "withdraw");
    private static final List<String> WAITING = List.of("observed", "proposed");
    private static final List<String> WHOLE = List.of("withdraw-all", "resume");

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACT",
            description = "approve, deny, withdraw, withdraw-all or resume.")
    private String act = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ID",
            description = "Of a mitigation, or the key of an orphan.")
    private @Nullable String id;

    @Option(
            names = "--comment",
            paramLabel = "TEXT",
            description = "Why, in your words: it is written into the audit beside what was done.")
    private @Nullable String comment;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;

    MitigateCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        boolean one = SINGLE.contains(act);
        if (!one && !WHOLE.contains(act)) {
            throw InputOptions.misused(
                    spec, "'" + act + "' is not one of approve, deny, withdraw, withdraw-all, resume, audit");
        }
        if (one == (id == null)) {
            throw InputOptions.misused(
                    spec, one ? "which one? pathlore get mitigations lists them" : act + " takes no id");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ApiClient client = server.client(spec, around)) {
            if (one) {
                JsonNode seen = find(client);
                String path = seen.has("dropKey")
                        ? "/orphans/" + seen.path("dropKey").asText()
                        : "/" + seen.path("id").asText();
                if (act.equals("deny") && !WAITING.contains(seen.path("state").asText())) {
                    throw new Failure(seen.path("id").asText() + " is "
                            + seen.path("state").asText() + ", not proposed; pathlore mitigate withdraw takes it back");
                }
                String verb = act.equals("deny") ? "withdraw" : act;
                ObjectNode said = said().put("revision", seen.path("revision").asLong());
                JsonNode now =
                        client.ask(PATH + path + "/" + verb, said.toString()).json();
                out.println(now.has("id") ? line(now) : now.path("detail").asText());
            } else {
                JsonNode answer =
                        client.ask(PATH + "/" + act, said().toString(), "mode").json();
                answer.path("items").forEach(item -> out.println(line(item)));
                out.println("mode " + answer.path("mode").asText());
            }
        }
        out.flush();
        return ExitCode.OK;
    }

    private ObjectNode said() {
        ObjectNode said = JsonNodeFactory.instance.objectNode();
        return comment == null ? said : said.put("comment", comment);
    }

    private JsonNode find(ApiClient client) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode ledger = client.get(PATH, "items").json();
        ledger.path("items").forEach(item -> {
            if (item.path("id").asText().startsWith(String.valueOf(id))) {
                found.add(item);
            }
        });
        if (act.equals("withdraw")) {
            ledger.path("orphans").forEach(orphan -> {
                if (orphan.path("dropKey").asText().startsWith(String.valueOf(id))) {
                    found.add(orphan);
                }
            });
        }
        if (found.size() != 1) {
            throw new Failure(
                    found.isEmpty()
                            ? "there is no mitigation " + id + "; pathlore get mitigations lists them"
                            : id + " could be " + found.size() + " of them; give more of the id");
        }
        return found.getFirst();
    }

    private static String line(JsonNode item) {
        return item.path("id").asText() + " " + item.path("state").asText() + ": "
                + item.path("reason").asText()
                + (item.path("trouble").asText().isEmpty()
                        ? ""
                        : " (" + item.path("trouble").asText() + ")");
    }
}
