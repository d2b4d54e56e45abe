package io.pathlore.cli.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step on the way of a datagram, and how far it got.
 *
 * @param text what is known: a number where it works, the trouble where it does not
 * @param trouble of a red one
 * @param warnings of a green one, or beside the trouble
 */
public record Stage(
        String name, State state, String text, @Nullable Trouble trouble, List<Trouble> warnings) {
    /** Of a traffic light; grey is a lamp that nobody looked at. */
    public enum State {
        GREEN,
        RED,
        GREY
    }

    public Stage {
        warnings = List.copyOf(warnings);
    }

    static Stage green(String name, String text, List<Trouble> warnings) {
        return new Stage(name, State.GREEN, text, null, warnings);
    }

    static Stage red(String name, Trouble trouble, List<Trouble> warnings) {
        return new Stage(name, State.RED, trouble.text(), trouble, warnings);
    }

    static Stage notReached(String name) {
        return new Stage(name, State.GREY, "not reached", null, List.of());
    }
}
