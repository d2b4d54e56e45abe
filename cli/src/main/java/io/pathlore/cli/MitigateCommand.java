package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.ApiClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
            "  pathlore mitigate withdraw 4f1c0a        take one back",
            "  pathlore mitigate withdraw-all           take everything back, and only observe from now on",
            "  pathlore mitigate resume                 after that: the configured mode again",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore mitigate approve|withdraw|withdraw-all|resume [ID] [OPTIONS]",
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
        footerHeading = "%n",
        footer =
                "An id may be cut short where that leaves no doubt. Every act is in the audit, with the name of the token.")
final class MitigateCommand implements Callable<Integer> {
    private static final String PATH = "/api/v1/mitigations";
    private static final List<String> WHOLE = List.of("withdraw-all", "resume");

    @Parameters(index = "0", paramLabel = "ACT", description = "approve, withdraw, withdraw-all or resume.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String act;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "Of a mitigation.")
    private @Nullable String id;

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
        boolean one = act.equals("approve") || act.equals("withdraw");
        if (!one && !WHOLE.contains(act)) {
            throw InputOptions.misused(spec, "'" + act + "' is not one of approve, withdraw, withdraw-all, resume");
        }
        if (one == (id == null)) {
            throw InputOptions.misused(
                    spec, one ? "which one? pathlore get mitigations lists them" : act + " takes no id");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ApiClient client = server.client(spec, around)) {
            if (one) {
                JsonNode seen = find(client);
                JsonNode now = client.ask(
                                PATH + "/" + seen.path("id").asText() + "/" + act,
                                "{\"revision\":" + seen.path("revision").asLong() + "}")
                        .json();
                out.println(now.has("id") ? line(now) : now.path("detail").asText());
            } else {
                JsonNode answer = client.ask(PATH + "/" + act, "{}", "mode").json();
                answer.path("items").forEach(item -> out.println(line(item)));
                out.println("mode " + answer.path("mode").asText());
            }
        }
        out.flush();
        return ExitCode.OK;
    }

    private JsonNode find(ApiClient client) {
        List<JsonNode> found = new ArrayList<>();
        client.get(PATH, "items").json().path("items").forEach(item -> {
            if (item.path("id").asText().startsWith(String.valueOf(id))) {
                found.add(item);
            }
        });
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
