package io.pathlore.mitigate.enforcer;

import io.pathlore.model.Rule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who can make a network obey. Each call ends within a time of its own, in an answer or an exception; after an exception the rule
 * may be in force or not. All of them may be repeated, in any order, and from several threads for different rules.
 */
public interface Enforcer extends AutoCloseable {
    /** As the operator calls it. */
    String name();

    /** Why this rule cannot be said here exactly as it is, in one line; or null. Nothing is ever sent that says more or less. */
    default @Nullable String cannot(Rule rule) {
        return null;
    }

    /** Of a rule that is in force already, nothing changes. */
    void install(Rule rule) throws EnforcerException, InterruptedException;

    /** Of a rule that is not in force, nothing changes. */
    void withdraw(Rule rule) throws EnforcerException, InterruptedException;

    /** What is in force, if the other side tells; else null. */
    default @Nullable Set<Rule> list() throws EnforcerException, InterruptedException {
        return null;
    }

    /** What drop reports call this rule, or null where nobody reports what it drops. */
    default @Nullable Long dropKey(Rule rule) {
        return null;
    }

    /** Drop reports say how many since the last one, not how many in all. */
    default boolean countsDeltas() {
        return false;
    }

    /** Takes away a rule of which nothing but its key is known. */
    default void withdrawKey(long dropKey) throws EnforcerException, InterruptedException {
        throw new EnforcerException(name() + " knows no rules by key");
    }

    @Override
    void close();
}
