package io.pathlore.it.fuzz;

import io.pathlore.testkit.Hex;

/** What a fuzz target says when an input fails: the input, and how to keep it. */
final class Finding {
    private Finding() {}

    interface Check {
        void run() throws Throwable;
    }

    /** Runs the check; {@code kept} names the file of kept inputs of this target. */
    static void reporting(String kept, byte[] input, Check check) {
        try {
            check.run();
        } catch (Throwable failure) {
            throw new AssertionError(
                    "this input fails, in hex:\n" + Hex.text(input)
                            + "\nAppend it as a line to it/src/test/resources/fuzz/" + kept
                            + ".hex: every build runs what is kept there.\n" + failure,
                    failure);
        }
    }
}
