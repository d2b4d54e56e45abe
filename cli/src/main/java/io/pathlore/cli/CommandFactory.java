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
        return CommandLine.defaultFactory().create(type);
    }
}
