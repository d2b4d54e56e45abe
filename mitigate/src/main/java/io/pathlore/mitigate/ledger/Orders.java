package io.pathlore.mitigate.ledger;

import io.pathlore.model.Rule;

/** What the ledger wants done, by somebody who may take his time and tells it how it went. */
interface Orders {
    /**
     * To an enforcer, about one mitigation; at most one is out for each.
     *
     * @param number to answer with
     */
    record Order(long number, String id, String enforcer, Rule rule, boolean install) {}

    void order(Order order);

    /** Asks an enforcer what it has. */
    void list(String enforcer);

    /** Asks what else a rule would hit. */
    void blastRadius(String id, Rule rule);

    /** Takes away a rule nobody here knows. */
    void withdrawKey(String enforcer, long key);
}
