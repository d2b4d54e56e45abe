package io.pathlore.cli.scale;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Hosts all parts of an analysis in one thread, as a cluster would: octets go between them, and each can be taken away and made anew. */
public final class LocalParts implements Outlet {
    private record Block(int part, byte[] octets) {}

    private final Parts parts;
    private final BiConsumer<String, String> events;
    private final Outbox outbox;
    private final Map<Stage, List<Part>> all = new EnumMap<>(Stage.class);
    private final Map<Stage, List<Block>> waiting = new EnumMap<>(Stage.class);
    private final Map<String, String> rows = new TreeMap<>();
    private final long[] complete;

    public LocalParts(Parts parts, BiConsumer<String, String> events) {
        this.parts = parts;
        this.events = events;
        complete = new long[parts.sources()];
        outbox = new Outbox(parts, this);
        for (Stage stage : Stage.values()) {
            waiting.put(stage, new ArrayList<>());
            List<Part> made = new ArrayList<>();
            for (int part = 0; part < parts.count(stage); part++) {
                made.add(parts.make(stage, part, outbox));
            }
            all.put(stage, made);
        }
    }

    private List<Part> of(Stage stage) {
        return all.getOrDefault(stage, List.of());
    }

    public void on(byte[] envelope) {
        of(Stage.DATAGRAMS).get(Parts.partOf(envelope, parts.datagrams())).on(envelope);
    }

    /** Everything received up to this time has come. */
    public void onTime(long nanos) {
        for (Stage stage : Stage.values()) {
            deliver(stage);
            of(stage).forEach(part -> part.onTime(nanos));
            outbox.flush();
        }
    }

    public void end() {
        for (Stage stage : Stage.values()) {
            deliver(stage);
            of(stage).forEach(Part::end);
            outbox.flush();
        }
    }

    /** Every part gives what it remembers to another, on a machine that has just been started. */
    public void move() {
        all.values().forEach(parts -> parts.forEach(Part::flush));
        outbox.flush();
        for (Stage stage : Stage.values()) {
            List<Part> moved = new ArrayList<>();
            for (Part part : of(stage)) {
                Part other = parts.make(stage, moved.size(), outbox);
                other.restore(part.state());
                moved.add(other);
            }
            all.put(stage, moved);
        }
    }

    private void deliver(Stage stage) {
        List<Block> blocks = waiting.getOrDefault(stage, List.of());
        blocks.forEach(block -> of(stage).get(block.part).on(block.octets));
        blocks.clear();
    }

    @Override
    public void block(Stage stage, int part, byte[] block) {
        waiting.getOrDefault(stage, List.of()).add(new Block(part, block));
    }

    @Override
    public void event(String id, String json) {
        events.accept(id, json);
    }

    @Override
    public void row(String key, String json) {
        rows.put(key, json);
    }

    @Override
    public void complete(int source, long untilNanos) {
        complete[source] = Math.max(complete[source], untilNanos);
    }

    /** Parts of attacks that never said how far their rows are complete. */
    public List<Integer> silent() {
        return IntStream.range(parts.sources() - parts.attacks(), parts.sources())
                .filter(source -> complete[source] == 0)
                .boxed()
                .toList();
    }

    /** Of all tables, by their keys. */
    public Map<String, String> rows() {
        return rows;
    }
}
