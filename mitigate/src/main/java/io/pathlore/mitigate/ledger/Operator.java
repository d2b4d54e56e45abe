package io.pathlore.mitigate.ledger;

/**
 * Who does something to the ledger, and what they said about it.
 *
 * @param name of a token, {@code auto}, or {@code pathlore} itself
 * @param comment for those who read the audit later; empty where nothing was said
 */
public record Operator(String name, String comment) {
    /** Who says nothing. */
    public static Operator named(String name) {
        return new Operator(name, "");
    }
}
