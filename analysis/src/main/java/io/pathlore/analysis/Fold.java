package io.pathlore.analysis;

/**
 * What is added up per report, for one key. {@code A} is a view over bytes the host owns, so that it can lie in a table of the
 * engine or in the state of a cluster. Merging is associative and commutative: hosts may shard. Hot path: {@link #add}.
 *
 * @param <I> the input, borrowed
 * @param <A> the view of the state
 */
public interface Fold<I, A> {
    /** Octets of a state. */
    int stateLength();

    /** Makes these bytes a state that has seen nothing. */
    void begin(A state);

    void add(A into, I input);

    void merge(A into, A other);
}
