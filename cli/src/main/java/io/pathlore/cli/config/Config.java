package io.pathlore.cli.config;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.IntMarks;
import java.util.List;

/** The configuration in force, as far as this release's commands use it; keys as in docs/reference/configuration.md. */
public record Config(Decode decode, Inventory inventory) {
    /** What {@code defaults.yaml} says, for when there is nothing else: reading YAML takes longer than most commands do. */
    static final Config DEFAULT = new Config(new Decode(DecodeOptions.lenient(), false, false, false), Inventory.EMPTY);

    /** What holds where nobody said anything. */
    public static Config defaults() {
        return DEFAULT;
    }

    /**
     * How reports are decoded.
     *
     * @param options of the lenient decoder, with all marks
     * @param strict the configured mode; the command line may ask for strict where this is lenient
     * @param udpPortsAreChosen set by the user, not by default
     */
    public record Decode(DecodeOptions options, boolean strict, boolean udpPortsAreChosen, boolean dscpIsChosen) {

        public DecodeOptions lenientOptions() {
            return options.withStrict(false);
        }

        /** Strict decoding guesses no marks: those nobody chose are off. */
        public DecodeOptions strictOptions() {
            IntMarks marks = options.marks();
            if (!udpPortsAreChosen) {
                marks = marks.withUdpPorts(List.of());
            }
            if (!dscpIsChosen) {
                marks = marks.withDscp(List.of());
            }
            return options.withStrict(true).withMarks(marks);
        }
    }
}
