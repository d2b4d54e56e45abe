package io.pathlore.bench.scale;

import io.pathlore.bench.Spread;
import io.pathlore.cli.scale.Outbox;
import io.pathlore.cli.scale.Outlet;
import io.pathlore.cli.scale.Part;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import java.util.ArrayList;
import java.util.List;

/** What the parts of flows remember of so many flows: how much it is, and how long it takes to write and to read. */
final class FlowStates implements Outlet {
    private static final int TIMES = 3;
    private static final int PER_SECOND = 1_000_000;

    /** Of all parts together; flows are those that are known in the end. */
    record Size(long flows, long octets, double writeMillis, double restoreMillis) {}

    private record Block(int part, byte[] octets) {}

    private final Parts parts;
    private final Outbox outbox;
    private final List<Block> waiting = new ArrayList<>();

    private FlowStates(Parts parts) {
        this.parts = parts;
        outbox = new Outbox(parts, this);
    }

    static Size of(Parts parts, int flows) {
        return new FlowStates(parts).measure(flows);
    }

    private List<Part> make(Stage stage) {
        List<Part> made = new ArrayList<>();
        for (int part = 0; part < parts.count(stage); part++) {
            made.add(parts.make(stage, part, outbox));
        }
        return made;
    }

    private Size measure(int flows) {
        List<Part> of = make(Stage.FLOWS);
        fill(of, flows);
        long known = count(of);
        if (known < flows / 2) { // some had to make room for others, where a table is nearly full
            throw new IllegalStateException("of " + flows + " flows " + known + " are known");
        }
        List<Double> writing = new ArrayList<>();
        List<Double> restoring = new ArrayList<>();
        long octets = 0;
        for (int i = 0; i < TIMES; i++) {
            Cost write = new Cost();
            write.start();
            of.forEach(Part::flush);
            List<byte[]> states = of.stream().map(Part::state).toList();
            write.stop();
            writing.add(write.nanos() / 1e6);
            octets = states.stream().mapToLong(each -> each.length).sum();
            List<Part> others = make(Stage.FLOWS);
            Cost restore = new Cost();
            restore.start();
            for (int part = 0; part < others.size(); part++) {
                others.get(part).restore(states.get(part));
            }
            restore.stop();
            restoring.add(restore.nanos() / 1e6);
            if (count(others) != known) {
                throw new IllegalStateException(count(others) + " flows were restored of " + known);
            }
        }
        return new Size(
                known, octets, Spread.of(writing).median(), Spread.of(restoring).median());
    }

    private static long count(List<Part> parts) {
        return parts.stream().mapToLong(part -> part.figures().flows()).sum();
    }

    private void fill(List<Part> into, int flows) {
        List<Part> datagrams = make(Stage.DATAGRAMS);
        Traffic traffic = Traffic.ofFlows(PER_SECOND);
        int each = PER_SECOND / Ticks.STEPS;
        for (int left = flows; left > 0; left -= each) {
            for (byte[] envelope : traffic.next(Math.min(left, each))) {
                datagrams.get(Parts.partOf(envelope, parts.datagrams())).on(envelope);
            }
            long until = traffic.nanos() - 1;
            datagrams.forEach(part -> part.onTime(until));
            outbox.flush();
            waiting.forEach(block -> into.get(block.part).on(block.octets));
            waiting.clear();
            into.forEach(part -> part.onTime(until));
        }
    }

    @Override
    public void block(Stage stage, int part, byte[] block) {
        if (stage == Stage.FLOWS) {
            waiting.add(new Block(part, block));
        }
    }

    @Override
    public void event(String id, String json) {}

    @Override
    public void row(String key, String json) {}

    @Override
    public void complete(int source, long untilNanos) {}
}
