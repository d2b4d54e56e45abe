package io.pathlore.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The command cannot do what it was asked to, and nobody did anything wrong: one line for the user, exit code 1. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message);
    }

    /** {@code name} is as the user gave it; a file that is missing means its directory. */
    static Failure cannotWrite(String name, IOException e) {
        return new Failure("cannot write " + (name.equals("-") ? "the output" : name) + ": " + why(e));
    }

    private static String why(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such directory";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        // Its message has the whole path, which was just said.
        String reason = e instanceof FileSystemException system ? system.getReason() : null;
        return reason == null ? String.valueOf(e.getMessage()) : reason;
    }
}
