package io.pathlore.bench.scale;

import io.pathlore.cli.scale.Outbox;
import io.pathlore.cli.scale.Outlet;
import io.pathlore.cli.scale.Part;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** All parts of the analysis in one thread, stage by stage: each is given what the one before made of a second, and its time is taken. */
final class Job implements Outlet {
    private record Block(int part, byte[] octets) {}

    /** What a stage cost: its work, and what it takes to have its state. */
    record Costs(Cost work, Cost state) {
        Costs() {
            this(new Cost(), new Cost());
        }
    }

    private final Parts parts;
    private final Outbox outbox;
    private final Map<Stage, List<Part>> all = new EnumMap<>(Stage.class);
    private final Map<Stage, List<List<Block>>> waiting = new EnumMap<>(Stage.class);
    private final Map<Stage, Long> stateOctets = new EnumMap<>(Stage.class);
    private final Map<Stage, Long> blockOctets = new EnumMap<>(Stage.class);
    private int step;
    private long rows;

    Job(Parts parts) {
        this.parts = parts;
        outbox = new Outbox(parts, this);
        for (Stage stage : Stage.values()) {
            List<Part> made = new ArrayList<>();
            for (int part = 0; part < parts.count(stage); part++) {
                made.add(parts.make(stage, part, outbox));
            }
            all.put(stage, made);
            List<List<Block>> steps = new ArrayList<>();
            for (int i = 0; i <= Ticks.STEPS; i++) { // one more, for what is told before a checkpoint
                steps.add(new ArrayList<>());
            }
            waiting.put(stage, steps);
        }
    }

    private List<Part> of(Stage stage) {
        return all.getOrDefault(stage, List.of());
    }

    private List<List<Block>> waiting(Stage stage) {
        return waiting.getOrDefault(stage, List.of());
    }

    /** A second, from this time on; at its end there may be a checkpoint. */
    void second(byte[][] envelopes, long from, boolean checkpoint, Map<Stage, Costs> costs) {
        for (Stage stage : Stage.values()) {
            Costs cost = costs.computeIfAbsent(stage, _ -> new Costs());
            cost.work.start();
            work(stage, envelopes, from);
            cost.work.stop();
            if (checkpoint) {
                cost.state.start();
                of(stage).forEach(Part::flush);
                outbox.flush();
                long octets = 0;
                for (Part part : of(stage)) {
                    octets += part.state().length;
                }
                cost.state.stop();
                stateOctets.put(stage, octets);
            }
            waiting(stage).forEach(List::clear);
        }
    }

    private void work(Stage stage, byte[][] envelopes, long from) {
        List<Part> here = of(stage);
        int each = envelopes.length / Ticks.STEPS;
        for (step = 0; step < Ticks.STEPS; step++) {
            if (stage == Stage.DATAGRAMS) {
                for (int i = step * each; i < (step + 1) * each; i++) {
                    here.get(Parts.partOf(envelopes[i], parts.datagrams())).on(envelopes[i]);
                }
            }
            deliver(stage);
            long until = from + (step + 1) * Ticks.STEP - 1;
            here.forEach(part -> part.onTime(until));
            outbox.flush();
        }
        deliver(stage);
    }

    private void deliver(Stage stage) {
        for (Block block : waiting(stage).get(step)) {
            of(stage).get(block.part).on(block.octets);
        }
    }

    long figure(Stage stage, ToLongFunction<Part.Figures> figure) {
        return of(stage).stream()
                .mapToLong(part -> figure.applyAsLong(part.figures()))
                .sum();
    }

    /** Of all its parts, at the last checkpoint. */
    long stateOctets(Stage stage) {
        return stateOctets.getOrDefault(stage, 0L);
    }

    /** Given to a stage since the beginning. */
    long blockOctets(Stage stage) {
        return blockOctets.getOrDefault(stage, 0L);
    }

    long rows() {
        return rows;
    }

    void check() {
        for (Stage stage : Stage.values()) {
            long wrong = figure(stage, Part.Figures::again)
                    + figure(stage, Part.Figures::unreadable)
                    + figure(stage, Part.Figures::early)
                    + figure(stage, Part.Figures::evicted);
            if (wrong > 0) {
                throw new IllegalStateException(stage + " did not take everything as it should");
            }
        }
    }

    @Override
    public void block(Stage stage, int part, byte[] block) {
        waiting(stage).get(step).add(new Block(part, block));
        blockOctets.merge(stage, (long) block.length, Long::sum);
    }

    @Override
    public void event(String id, String json) {}

    @Override
    public void row(String key, String json) {
        rows++;
    }

    @Override
    public void complete(int source, long untilNanos) {}
}
