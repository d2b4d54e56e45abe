package io.pathlore.serve.access;

/** What is known of a token: everything but the token. */
public record Token(String name, Role role, long createdNanos, long expiresNanos) {
    /** {@code expiresNanos} of a token that does not expire. */
    public static final long NEVER = Long.MAX_VALUE;

    public boolean expired(long nowNanos) {
        return nowNanos >= expiresNanos;
    }
}
