package io.pathlore.cli;

/** The command cannot do what it was asked to, and nobody did anything wrong: one line for the user, exit code 1. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message);
    }
}
