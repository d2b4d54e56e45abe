package io.pathlore.analysis.plan;

import io.pathlore.model.Prefix;

/** Somebody whose packets are never to be stopped, in one direction or in both. */
public record NeverBlock(Prefix prefix, Direction direction) {
    public enum Direction {
        /** What they send: the operator's own infrastructure. */
        SOURCE,
        /** What is sent to them: name servers, collectors, controllers, routers. */
        DESTINATION,
        BOTH;

        boolean isSource() {
            return this != DESTINATION;
        }

        boolean isDestination() {
            return this != SOURCE;
        }
    }
}
