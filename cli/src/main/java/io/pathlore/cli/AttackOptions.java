package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Of {@code get attacks}: which one, and the reports that show it. */
final class AttackOptions {
    private static final String PATH = "/api/v1/attacks/";

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "One attack, by its id.")
    private @Nullable String id;

    @Option(
            names = "--evidence",
            paramLabel = "FILE",
            description = "Write the reports that show the attack ID to this capture, as far as the journal has them.")
    private @Nullable String evidence;

    @Option(names = "--force", description = "Replace FILE if it is there.")
    private boolean force;

    @Nullable
    String id(CommandSpec spec) {
        if (id != null && !id.matches("[0-9a-f]{16}")) {
            throw InputOptions.misused(spec, "'" + id + "' is not the id of an attack: 16 hex digits");
        }
        return id;
    }

    boolean wantsEvidence(CommandSpec spec) {
        if (evidence != null && id == null) {
            throw InputOptions.misused(
                    spec, "--evidence: of which attack? 'pathlore get attacks -o jsonl' has their ids");
        }
        return evidence != null;
    }

    int write(ServerOptions server, CommandSpec spec, Surroundings around) {
        String name = String.valueOf(evidence);
        Path out = around.directory().resolve(name);
        if (Files.isRegularFile(out) && !force) {
            throw new Failure(name + ": is there already; --force replaces it");
        }
        try (ApiClient client = server.client(spec, around)) {
            JsonNode found = client.get(PATH + id, "evidence").json().path("evidence");
            Map<String, String> query = new LinkedHashMap<>();
            for (String key : new String[] {"filter", "since", "until"}) {
                query.put(key, found.path(key).asText());
            }
            download(client, "/api/v1/reports?format=pcap" + ApiClient.query(query), name, out, around);
        } catch (ApiException e) {
            throw SpanOptions.blamed(spec, e);
        }
        try {
            spec.commandLine().getErr().println(String.format(Locale.ROOT, "%s: %,d octets", name, Files.size(out)));
        } catch (IOException e) {
            // It was there a moment ago, and somebody took it: all the same it was written.
        }
        return ExitCode.OK;
    }

    private void download(ApiClient client, String path, String name, Path out, Surroundings around) {
        try (WholeFile file = WholeFile.create(out, force);
                var _ = around.interruption().onInterrupt(client::close)) {
            client.download(path, file.stream());
            file.complete();
        } catch (FileAlreadyExistsException e) {
            throw new Failure(name + ": is there already; --force replaces it");
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
    }
}
