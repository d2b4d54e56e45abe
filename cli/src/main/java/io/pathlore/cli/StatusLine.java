package io.pathlore.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** One line on the terminal of stderr that is written over and over; nothing where there is no terminal. */
final class StatusLine implements AutoCloseable {
    private static final long INTERVAL_NANOS = 250_000_000L;

    private final Surroundings around;
    private boolean wanted;
    private long shownNanos = System.nanoTime();
    private boolean shown;

    StatusLine(Surroundings around, boolean wanted) {
        this.around = around;
        this.wanted = wanted && around.errIsTerminal();
    }

    boolean isWanted() {
        return wanted;
    }

    /** At most four times a second. */
    void show(Supplier<String> text) {
        if (!wanted) {
            return;
        }
        long now = System.nanoTime();
        if (now - shownNanos >= INTERVAL_NANOS) {
            shownNanos = now;
            write("\r" + text.get() + "\u001b[K");
            shown = true;
        }
    }

    /** Takes the line away, for something else to be written there. */
    void clear() {
        if (shown) {
            write("\r\u001b[K");
            shown = false;
        }
    }

    @Override
    public void close() {
        clear();
    }

    private void write(String text) {
        try {
            around.err().write(text.getBytes(StandardCharsets.UTF_8));
            around.err().flush();
        } catch (IOException e) {
            wanted = false; // a terminal that went away needs no progress
        }
    }
}
