package io.pathlore.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands, those that read and write with what they read from and write to. */
final class CommandFactory implements IFactory {
    private final Surroundings around;
    private final Output output;

    CommandFactory(Surroundings around, Output output) {
        this.around = around;
        this.output = output;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == DecodeCommand.class) {
            return type.cast(new DecodeCommand(around, output));
        }
        if (type == CheckCommand.class) {
            return type.cast(new CheckCommand(around, output));
        }
        if (type == ReplayCommand.class) {
            return type.cast(new ReplayCommand(around, output));
        }
        if (type == ManCommand.class) {
            return type.cast(new ManCommand(around));
        }
        if (type == CollectCommand.class) {
            return type.cast(new CollectCommand(around));
        }
        if (type == ServeCommand.class) {
            return type.cast(new ServeCommand(around));
        }
        if (type == DemoCommand.class) {
            return type.cast(new DemoCommand(around));
        }
        if (type == AnalyseCommand.class) {
            return type.cast(new AnalyseCommand(around, output));
        }
        if (type == ExportCommand.class) {
            return type.cast(new ExportCommand(around, output));
        }
        if (type == MitigateCommand.class) {
            return type.cast(new MitigateCommand(around));
        }
        if (type == MitigateAuditCommand.class) {
            return type.cast(new MitigateAuditCommand(around));
        }
        if (type == QueryCommand.class) {
            return type.cast(new QueryCommand(around, output));
        }
        if (type == LabListCommand.class) {
            return type.cast(new LabListCommand(output));
        }
        if (type == LabRunCommand.class) {
            return type.cast(new LabRunCommand(around, output));
        }
        if (type == LabScoreCommand.class) {
            return type.cast(new LabScoreCommand(around, output));
        }
        if (type == ExplainPacketCommand.class) {
            return type.cast(new ExplainPacketCommand(around, output));
        }
        if (type == ExplainFlowCommand.class) {
            return type.cast(new ExplainFlowCommand(around, output));
        }
        if (type == TokenAddCommand.class) {
            return type.cast(new TokenAddCommand(around, output));
        }
        if (type == TokenListCommand.class) {
            return type.cast(new TokenListCommand(around, output));
        }
        if (type == ConfigCheckCommand.class) {
            return type.cast(new ConfigCheckCommand(around, output));
        }
        if (type == ConfigDumpCommand.class) {
            return type.cast(new ConfigDumpCommand(around, output));
        }
        if (type == DoctorCommand.class) {
            return type.cast(new DoctorCommand(around, output));
        }
        if (type == ObserveCommand.class) {
            return type.cast(new ObserveCommand(around, output));
        }
        if (type == ExplainCommand.class) {
            return type.cast(new ExplainCommand(output));
        }
        if (type == ExplainDropReasonCommand.class) {
            return type.cast(new ExplainDropReasonCommand(around, output));
        }
        if (type == ExplainFieldCommand.class) {
            return type.cast(new ExplainFieldCommand(output));
        }
        if (type == ExplainEventCommand.class) {
            return type.cast(new ExplainEventCommand(around, output));
        }
        if (type == TokenRevokeCommand.class) {
            return type.cast(new TokenRevokeCommand(around));
        }
        return CommandLine.defaultFactory().create(type);
    }
}
