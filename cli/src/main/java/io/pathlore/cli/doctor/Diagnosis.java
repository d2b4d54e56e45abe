package io.pathlore.cli.doctor;

import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.client.ServerAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found.
 *
 * @param stages from the collector to the analysis, all of them
 * @param machine what this machine says of itself, where no collector could be asked
 */
public record Diagnosis(List<Stage> stages, List<Stage> machine) {
    static final String COLLECTOR = "collector";
    static final String PORT = "port";
    static final String PACKETS = "packets";
    static final String ALLOWED = "allowed";
    static final String DECODED = "decoded";
    static final String JOURNALLED = "journalled";
    static final String ANALYSED = "analysed";
    private static final List<String> STAGES =
            List.of(COLLECTOR, PORT, PACKETS, ALLOWED, DECODED, JOURNALLED, ANALYSED);

    /** How it stands in one word. */
    public enum Verdict {
        FINE,
        TROUBLE,
        /** No server answers, and nothing that can be seen here explains it. */
        UNREACHABLE
    }

    public Diagnosis {
        stages = List.copyOf(stages);
        machine = List.copyOf(machine);
    }

    public Verdict verdict() {
        boolean unanswered = stages.stream()
                .anyMatch(stage -> stage.trouble() != null && stage.trouble().reason() == Reason.UNREACHABLE);
        if (unanswered && machine.stream().noneMatch(Diagnosis::isRed)) {
            return Verdict.UNREACHABLE;
        }
        return stages.stream().anyMatch(Diagnosis::isRed) ? Verdict.TROUBLE : Verdict.FINE;
    }

    private static boolean isRed(Stage stage) {
        return stage.state() == Stage.State.RED;
    }

    /** Where there is no collector to ask. {@code machine} is empty where the server is another one's. */
    public static Diagnosis without(ServerAddress server, ApiException failure, List<Stage> machine) {
        boolean stranger = failure.kind() == ApiException.Kind.NOT_A_COLLECTOR;
        List<String> remedies = new ArrayList<>();
        if (stranger) {
            remedies.add("another program has this port: stop it, or give the collector another http.port;"
                    + " --server says where to ask");
        } else if (machine.isEmpty()) {
            remedies.add("is the collector up, and does a firewall let TCP port " + server.port() + " through?");
            remedies.add("on its own machine, 'pathlore doctor' can tell more");
        } else if (machine.stream().anyMatch(Diagnosis::isRed)) {
            remedies.add("what this machine shows is below");
        } else {
            remedies.add("nothing stands in its way here; start it: pathlore collect");
            remedies.add(
                    "if it runs with another configuration, name that with --config, or its address with --server");
        }
        Reason reason = stranger ? Reason.NOT_A_COLLECTOR : Reason.UNREACHABLE;
        List<Stage> stages = new ArrayList<>();
        stages.add(
                Stage.red(COLLECTOR, new Trouble(reason, String.valueOf(failure.getMessage()), remedies), List.of()));
        STAGES.stream().skip(1).map(Stage::notReached).forEach(stages::add);
        return new Diagnosis(stages, machine);
    }
}
