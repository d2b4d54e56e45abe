package io.pathlore.cli;

/** What the program's end tells a script; docs/reference/cli.md. */
final class ExitCode {
    static final int OK = 0;
    /** Busy port, full disk, unreadable file. */
    static final int RUNTIME = 1;
    /** Wrong usage or configuration. */
    static final int USAGE = 2;
    /** {@code check} found violations; {@code decode --strict} met a malformed report. */
    static final int FINDINGS = 3;
    /** The server wants a token, or another one. */
    static final int NOT_AUTHORISED = 4;
    /** No server answers. */
    static final int UNREACHABLE = 5;

    private ExitCode() {}
}
