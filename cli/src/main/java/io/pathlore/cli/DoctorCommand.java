package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.doctor.Diagnosis;
import io.pathlore.cli.doctor.Machine;
import io.pathlore.cli.doctor.RunningCollector;
import io.pathlore.cli.doctor.Serving;
import io.pathlore.cli.doctor.Stage;
import io.pathlore.cli.doctor.Trouble;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        header = {
            "Why does nothing arrive? Follows a datagram from the socket to the analysis, to where it stops.",
            "",
            "Examples:",
            "  pathlore doctor                               the collector on this machine, running or not",
            "  pathlore doctor --config /etc/pathlore/pathlore.yaml",
            "  pathlore doctor --server https://collector:8080 --token-file viewer.token",
            "  pathlore doctor -o json | jq -r '.stages[] | select(.state == \"red\") | .reason'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore doctor [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all stages are green; there may be warnings",
            "1:a stage is red",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers, and nothing on this machine explains it"
        },
        footerHeading = "%n",
        footer = "Nothing is changed by it, neither in the collector nor on the machine.")
final class DoctorCommand implements Callable<Integer> {
    private static final Path PROC = Path.of("/proc");
    private static final int NAME_COLUMN = 6;
    private static final int TEXT_COLUMN = 18;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    DoctorCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a diagnosis; text or json is");
        }
        Diagnosis diagnosis;
        try (ApiClient client = server.client(spec, around)) {
            diagnosis = diagnose(client);
            Text text = new Text();
            if (format.isText()) {
                print(text, diagnosis, server.ink(around));
            } else {
                text.add(json(client, diagnosis).toString()).line();
            }
            out.write(text);
        }
        return switch (diagnosis.verdict()) {
            case FINE -> ExitCode.OK;
            case TROUBLE -> ExitCode.RUNTIME;
            case UNREACHABLE -> ExitCode.UNREACHABLE;
        };
    }

    private Diagnosis diagnose(ApiClient client) {
        try {
            ApiClient.Answer serving = client.get("/api/v1/status", "version");
            if (Serving.isServing(serving.json())) {
                return Serving.diagnose(serving.json());
            }
            ApiClient.Answer status = client.get("/api/v1/status", "version", "listen");
            JsonNode ledger =
                    client.get("/api/v1/ledger", RunningCollector.terms()).json();
            List<JsonNode> exporters = client.list("/api/v1/exporters").items();
            return new RunningCollector(status.json(), ledger, exporters, Listing.now(status.serverNanos())).diagnose();
        } catch (ApiException e) {
            return switch (e.kind()) {
                case UNREACHABLE, NOT_A_COLLECTOR -> Diagnosis.without(client.server(), e, machine(client));
                case NOT_AUTHORISED, REFUSED -> throw e;
            };
        }
    }

    /** What it shows explains nothing where the server is another one. */
    private List<Stage> machine(ApiClient client) {
        return client.server().isThisMachine()
                ? new Machine(PROC).look(server.service(around), client.server().port())
                : List.of();
    }

    private static void print(Text text, Diagnosis diagnosis, Ink ink) {
        diagnosis.stages().forEach(stage -> print(text, stage, ink));
        if (!diagnosis.machine().isEmpty()) {
            text.line().add("This machine:").line();
            diagnosis.machine().forEach(stage -> print(text, stage, ink));
        }
    }

    private static void print(Text text, Stage stage, Ink ink) {
        switch (stage.state()) {
            case GREEN -> mark(text, ink.good(), "ok", ink);
            case RED -> mark(text, ink.wrong(), "FAIL", ink);
            case GREY -> mark(text, ink.faint(), "-", ink);
        }
        boolean grey = stage.state() == Stage.State.GREY;
        text.ink(grey ? ink.faint() : "").add(stage.name()).to(TEXT_COLUMN);
        text.add(Table.clean(stage.text())).ink(grey ? ink.end() : "").line();
        if (stage.trouble() != null) {
            remedies(text, stage.trouble());
        }
        for (Trouble warning : stage.warnings()) {
            mark(text, ink.doubtful(), "warn", ink);
            text.to(TEXT_COLUMN).add(Table.clean(warning.text())).line();
            remedies(text, warning);
        }
    }

    private static void mark(Text text, String colour, String word, Ink ink) {
        text.ink(colour).add(word).ink(ink.end()).to(NAME_COLUMN);
    }

    private static void remedies(Text text, Trouble trouble) {
        for (String remedy : trouble.remedies()) {
            text.to(TEXT_COLUMN).add("> ").add(Table.clean(remedy)).line();
        }
    }

    private static ObjectNode json(ApiClient client, Diagnosis diagnosis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("server", client.server().toString());
        json.put("verdict", diagnosis.verdict().name().toLowerCase(Locale.ROOT));
        json.set("stages", json(diagnosis.stages()));
        if (!diagnosis.machine().isEmpty()) {
            json.set("machine", json(diagnosis.machine()));
        }
        return json;
    }

    private static ArrayNode json(List<Stage> stages) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Stage stage : stages) {
            ObjectNode one = array.addObject();
            one.put("stage", stage.name());
            one.put("state", stage.state().name().toLowerCase(Locale.ROOT));
            one.put("text", stage.text());
            if (stage.trouble() != null) {
                one.put("reason", stage.trouble().reason().label());
                remedies(one, stage.trouble());
            }
            ArrayNode warnings = one.putArray("warnings");
            for (Trouble warning : stage.warnings()) {
                ObjectNode each = warnings.addObject();
                each.put("reason", warning.reason().label());
                each.put("text", warning.text());
                remedies(each, warning);
            }
        }
        return array;
    }

    private static void remedies(ObjectNode into, Trouble trouble) {
        ArrayNode remedies = into.putArray("remedies");
        trouble.remedies().forEach(remedies::add);
    }
}
