package io.pathlore.analysis.plan;

import io.pathlore.model.Rule;
import java.util.List;

/** What the operator knows of the network, as far as planning needs it. */
public interface Network {
    /** Where a figure is not known. */
    long UNKNOWN = 0;

    /** Whether reports of this node come from addresses that are known to be its own, and from no others. */
    boolean isBound(long node);

    /** Of the link at an interface, or of the node's fastest where that is -1; {@link #UNKNOWN} where nobody said. */
    long bitsPerSecond(long node, long interfaceId);

    /** Who can make rules hold at this node, in the order in which they are to be asked. */
    List<String> enforcers(long node);

    /** Whether an enforcer can say this rule exactly as it is: not all tell packets apart by the same. */
    boolean canSay(String enforcer, Rule rule);

    /** Whether one node that reports is all there is, as at the edge of a network of homes. */
    boolean isOneReporterEnough();
}
