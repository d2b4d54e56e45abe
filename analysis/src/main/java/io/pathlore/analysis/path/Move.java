package io.pathlore.analysis.path;

import io.pathlore.model.FlowKey;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** One of the things that {@link FlowPaths.Moves} is told, to be told later. */
public sealed interface Move {
    /** Links first, then moves: the same for all flows, whichever spoke first. */
    Comparator<Move> ORDER = (one, other) -> switch (one) {
        case Seen(Link link) -> other instanceof Seen(Link more) ? Link.ORDER.compare(link, more) : -1;
        case Moved moved -> other instanceof Moved more ? Moved.ORDER.compare(moved, more) : 1;
    };

    void tell(FlowPaths.Moves to);

    /** A flow takes this link. */
    record Seen(Link link) implements Move {
        @Override
        public void tell(FlowPaths.Moves to) {
            to.seen(link);
        }
    }

    /** A flow has left the one way for the other. */
    record Moved(long nanos, FlowKey flow, List<Link> before, List<Link> after) implements Move {
        private static final Comparator<Moved> ORDER =
                Comparator.comparingLong(Moved::nanos).thenComparing(moved -> moved.flow.canonical());

        public Moved {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }

        @Override
        public void tell(FlowPaths.Moves to) {
            to.moved(nanos, flow, before, after);
        }
    }

    /** Whoever is told by this tells that one. */
    static FlowPaths.Moves to(Consumer<Move> taker) {
        return new FlowPaths.Moves() {
            @Override
            public void seen(Link link) {
                taker.accept(new Seen(link));
            }

            @Override
            public void moved(long nanos, FlowKey flow, List<Link> before, List<Link> after) {
                taker.accept(new Moved(nanos, flow, before, after));
            }
        };
    }
}
