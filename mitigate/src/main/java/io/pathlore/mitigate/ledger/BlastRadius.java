package io.pathlore.mitigate.ledger;

import io.pathlore.model.Rule;

/** What else a rule would hit. May take its time; never asked by the thread that owns the ledger. */
@FunctionalInterface
public interface BlastRadius {
    int UNKNOWN = -1;

    /** Of the last hour's other traffic, the part the rule matches, in ten-thousandths; or {@link #UNKNOWN}. */
    int share(Rule rule);
}
