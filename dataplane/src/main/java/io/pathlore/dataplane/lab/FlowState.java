package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.traffic.Stage.Receiver;

/** What the lab knows of a flow while it lives. */
final class FlowState {
    static final FlowState NONE = new FlowState(0, Receiver.NOBODY);

    final int number;
    final Receiver receiver;
    boolean started;
    /** Its packets differ in their 5-tuples: it has no one way. */
    boolean mixed;

    int fromHost;
    int toHost;
    long hash;

    FlowState(int number, Receiver receiver) {
        this.number = number;
        this.receiver = receiver;
    }
}
