package io.pathlore.cli.scale;

import io.pathlore.analysis.ddos.Inner;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.rollup.Arrived;
import io.pathlore.analysis.rollup.Teller;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.service.RollupJson;
import io.pathlore.cli.service.RowSink;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.state.State;
import io.pathlore.model.ReportRow;
import io.pathlore.store.tables.Row;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the parts in one thread tell others, gathered in blocks: one thing at a time would cost its host more than the part. Whoever hosts them
 * flushes before telling others of time, and before anything is remembered elsewhere.
 */
public final class Outbox {
    /** A report. */
    static final byte REPORT = 0;
    /** A packet that several nodes told of, as a report. */
    static final byte PACKET = 1;
    /** What a part found, as {@link State} writes it. */
    static final byte FOUND = 2;

    /** What came of an exporter in a tenth of a second. */
    static final byte ARRIVED = 3;
    /** Who tells of a node. */
    static final byte TELLER = 4;

    /** An interface by which packets come in that have met another node before. */
    static final byte INNER = 5;
    /** When the last report was received: there will be no more. */
    static final byte LAST = 6;

    /** In front of each: its length, what it is, and when it was told. */
    static final int HEADER = 4 + 1 + 8;

    private static final int BLOCK = 32 << 10;

    private final Outlet outlet;
    private final EventJson json;
    private final byte[][][] blocks = new byte[Stage.values().length][][];
    private final int[][] used = new int[Stage.values().length][];

    public Outbox(Parts parts, Outlet outlet) {
        this.outlet = outlet;
        json = new EventJson(DropReasons.of(parts.service().config().inventory()));
        for (Stage stage : Stage.values()) {
            blocks[stage.ordinal()] = new byte[parts.count(stage)][0];
            used[stage.ordinal()] = new int[parts.count(stage)];
        }
    }

    /** Room for one thing more, with its header written. */
    private ByteBuffer room(Stage stage, int part, byte kind, long nanos, int length) {
        byte[][] all = blocks[stage.ordinal()];
        int[] ends = used[stage.ordinal()];
        int octets = HEADER + length;
        if (all[part].length - ends[part] < octets) {
            flush(stage, part);
            if (all[part].length < octets) {
                all[part] = new byte[Math.max(BLOCK, octets)];
            }
        }
        ByteBuffer room = ByteBuffer.wrap(all[part], ends[part], octets);
        ends[part] += octets;
        return room.putInt(length).put(kind).putLong(nanos);
    }

    private void flush(Stage stage, int part) {
        int[] ends = used[stage.ordinal()];
        if (ends[part] > 0) {
            byte[] block = Arrays.copyOf(blocks[stage.ordinal()][part], ends[part]);
            ends[part] = 0;
            outlet.block(stage, part, block);
        }
    }

    /** Everything that was told is with the outlet. */
    public void flush() {
        for (Stage stage : Stage.values()) {
            for (int part = 0; part < used[stage.ordinal()].length; part++) {
                flush(stage, part);
            }
        }
    }

    void report(Stage stage, int part, ByteBuffer bytes, int at) {
        row(stage, part, REPORT, 0, bytes, at);
    }

    /** With one of its hops; with none where that is below 0. */
    void reportOfHop(Stage stage, int part, ByteBuffer bytes, int at, int hop) {
        if (hop < 0 || ReportRow.hops(bytes, at) == 1) {
            report(stage, part, bytes, at);
        } else {
            ByteBuffer block = room(stage, part, REPORT, 0, ReportRow.LENGTH + ReportRow.HOP_LENGTH);
            ReportRow.copyOfHop(bytes, at, hop, block, block.position());
        }
    }

    void packet(int part, long nanos, ReportRow packet) {
        row(Stage.HOPS, part, PACKET, nanos, packet.buffer(), packet.offset());
    }

    private void row(Stage stage, int part, byte kind, long nanos, ByteBuffer bytes, int at) {
        int length = ReportRow.length(bytes, at);
        ByteBuffer block = room(stage, part, kind, nanos, length);
        block.put(block.position(), bytes, at, length);
    }

    /** To all who have to know how much there was. */
    void arrived(Arrived what) {
        for (int part = 0; part < used[Stage.HOPS.ordinal()].length; part++) {
            arrived(Stage.HOPS, part, what);
        }
        arrived(Stage.VERDICTS, 0, what);
    }

    private void arrived(Stage stage, int part, Arrived what) {
        room(stage, part, ARRIVED, what.nanos(), 2 * Long.BYTES + 2 * Integer.BYTES)
                .putLong(what.exporter())
                .putInt(what.numbers())
                .putInt(what.gap())
                .putLong(what.lastNanos());
    }

    void teller(Teller who) {
        room(Stage.VERDICTS, 0, TELLER, who.nanos(), 2 * Long.BYTES)
                .putLong(who.node())
                .putLong(who.exporter());
    }

    /** To all who count packets where they come in. */
    void inner(Inner told) {
        for (int part = 0; part < used[Stage.ATTACKS.ordinal()].length; part++) {
            room(Stage.ATTACKS, part, INNER, told.nanos(), 2 * Long.BYTES)
                    .putLong(told.place())
                    .putLong(told.untilNanos());
        }
    }

    /** To all who are not told of what arrived. */
    void last(long nanos) {
        for (int part = 0; part < used[Stage.ATTACKS.ordinal()].length; part++) {
            room(Stage.ATTACKS, part, LAST, nanos, 0);
        }
    }

    void found(Stage stage, int part, long nanos, Object what) {
        byte[] octets = State.of(what);
        room(stage, part, FOUND, nanos, octets.length).put(octets);
    }

    /** Is told what stands in a block. */
    interface Reader {
        /** Borrowed. */
        void report(ReportRow report);

        default void packet(long nanos, byte[] row) {
            throw new IllegalStateException("a packet, for somebody who knows none");
        }

        default void arrived(Arrived what) {
            throw new IllegalStateException("what arrived, for somebody who does not ask");
        }

        default void teller(Teller who) {
            throw new IllegalStateException("who tells of a node, for somebody who does not ask");
        }

        default void inner(Inner told) {
            throw new IllegalStateException("where packets come in, for somebody who does not ask");
        }

        default void last(long nanos) {
            throw new IllegalStateException("the end, for somebody who hears of it otherwise");
        }

        default void found(long nanos, Object what) {
            throw new IllegalStateException("something found, for somebody who wants none: " + what);
        }
    }

    static void read(byte[] block, ReportRow row, Reader to) {
        ByteBuffer in = ByteBuffer.wrap(block);
        while (in.hasRemaining()) {
            int length = in.getInt();
            byte kind = in.get();
            long nanos = in.getLong();
            int at = in.position();
            in.position(at + length);
            switch (kind) {
                case REPORT -> to.report(row.wrap(in, at));
                case PACKET -> to.packet(nanos, Arrays.copyOfRange(block, at, at + length));
                case FOUND -> to.found(nanos, State.value(Arrays.copyOfRange(block, at, at + length)));
                case ARRIVED ->
                    to.arrived(new Arrived(
                            nanos, in.getLong(at), in.getInt(at + 8), in.getInt(at + 12), in.getLong(at + 16)));
                case INNER -> to.inner(new Inner(nanos, in.getLong(at), in.getLong(at + 8)));
                case LAST -> to.last(nanos);
                case TELLER -> to.teller(new Teller(nanos, in.getLong(at), in.getLong(at + 8)));
                default -> throw new IllegalStateException("a block with a " + kind);
            }
        }
    }

    // ---- what comes of it

    void event(Event event) {
        outlet.event(event.id().toString(), json.line(event).strip());
    }

    void burst(Burst burst) {
        Row.Episode episode = TableFeed.episode(burst);
        if (episode != null) {
            row(episode);
        }
    }

    private void row(Row row) {
        Row.Told told = row.told();
        outlet.row(RollupJson.key(told), RollupJson.json(told));
    }

    /** Rows of one source. */
    RowSink rows(int source) {
        return new RowSink() {
            @Override
            public void row(Row row) {
                Outbox.this.row(row);
            }

            @Override
            public void complete(long untilNanos) {
                outlet.complete(source, untilNanos);
            }
        };
    }
}
