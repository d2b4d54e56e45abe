package io.pathlore.analysis.path;

import io.pathlore.model.ReportRow;
import java.util.Comparator;

/** One direction of a link: from an egress interface to the ingress interface of the next node that speaks INT. */
public record Link(long fromNode, long fromInterface, long toNode, long toInterface) {
    public static final Comparator<Link> ORDER = Comparator.comparingLong(Link::fromNode)
            .thenComparingLong(Link::fromInterface)
            .thenComparingLong(Link::toNode)
            .thenComparingLong(Link::toInterface);

    /** Whether it is known where it leads. */
    public boolean hasEnd() {
        return toNode != ReportRow.ABSENT && toInterface != ReportRow.ABSENT;
    }

    /** As far as interfaces are numbered the same in both directions. */
    public Link reverse() {
        return new Link(toNode, toInterface, fromNode, fromInterface);
    }
}
