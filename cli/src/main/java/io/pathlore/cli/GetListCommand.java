package io.pathlore.cli;

import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code get} of one list. What the lists differ in is in {@link ListKind}. */
@Command(
        synopsisHeading = "Usage: ",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the server answers, but not this, or it is no collector",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n")
final class GetListCommand implements Callable<Integer> {
    @Mixin
    private final ListOptions list = new ListOptions();

    // Which of these it takes depends on the list.
    private final SpanOptions span = new SpanOptions();
    private final TimeOptions time = new TimeOptions();
    private final FilterOption filter = new FilterOption();
    private final AttackOptions attack = new AttackOptions();

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final ListKind kind;
    private final Surroundings around;
    private final Output out;

    private GetListCommand(ListKind kind, Surroundings around, Output out) {
        this.kind = kind;
        this.around = around;
        this.out = out;
    }

    /** Makes the lists subcommands of {@code get}. */
    static void addTo(CommandLine get, IFactory factory, Surroundings around, Output out) {
        for (ListKind kind : ListKind.ALL) {
            GetListCommand command = new GetListCommand(kind, around, out);
            CommandLine line = new CommandLine(command, factory);
            CommandSpec spec = line.getCommandSpec();
            List<String> header = new ArrayList<>(kind.header());
            header.add("");
            spec.usageMessage()
                    .header(header.toArray(String[]::new))
                    .customSynopsis("pathlore get " + kind.name() + " [OPTIONS]")
                    .footer(kind.footer().toArray(String[]::new));
            if (kind.times() != ListKind.Times.NONE) {
                Object times = kind.times() == ListKind.Times.STORED ? command.span : command.time;
                spec.addMixin("times", CommandSpec.forAnnotatedObject(times, factory));
                spec.addMixin("filter", CommandSpec.forAnnotatedObject(command.filter, factory));
            }
            if (kind.equals(ListKind.ATTACKS)) {
                spec.addMixin("attack", CommandSpec.forAnnotatedObject(command.attack, factory));
                spec.usageMessage()
                        .customSynopsis("pathlore get attacks [ID] [OPTIONS]")
                        .parameterListHeading("%n");
            }
            get.addSubcommand(kind.name(), line);
        }
    }

    @Override
    public Integer call() {
        Map<String, String> parameters = span.parameters();
        TimeSpan received = time.span(spec);
        if (received.since() != Long.MIN_VALUE) {
            parameters.put("since", TimeText.of(received.since()));
        }
        if (received.until() != Long.MAX_VALUE) {
            parameters.put("until", TimeText.of(received.until()));
        }
        if (filter.given()) {
            parameters.put("filter", filter.text());
        }
        if (attack.wantsEvidence(spec)) {
            return attack.write(server, spec, around);
        }
        String id = attack.id(spec);
        if (id != null) {
            parameters.put("id", id);
        }
        return new Listing(kind, list, parameters, server, spec, around, out).run();
    }
}
