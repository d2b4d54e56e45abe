package io.pathlore.cli.doctor;

import java.util.List;

/** One thing that is wrong, in a line, and what to do about it, a line each. */
public record Trouble(Reason reason, String text, List<String> remedies) {
    public Trouble {
        remedies = List.copyOf(remedies);
    }

    Trouble(Reason reason, String text, String... remedies) {
        this(reason, text, List.of(remedies));
    }
}
