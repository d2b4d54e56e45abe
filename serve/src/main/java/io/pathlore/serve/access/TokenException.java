package io.pathlore.serve.access;

/** Tokens cannot be read or changed as asked. The message is one line: what, where, what to do. */
public final class TokenException extends Exception {
    private static final long serialVersionUID = 1;

    public TokenException(String message) {
        super(message);
    }
}
