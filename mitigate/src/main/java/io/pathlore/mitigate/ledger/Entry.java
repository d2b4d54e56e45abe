package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.RuleText;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A mitigation while it lives. Belongs to the ledger's thread. Times are of the clock that only goes forward unless they say otherwise. */
final class Entry {
    static final int KIND = 1;
    private static final int VERSION = 1;

    final String id;
    final EventId attack;
    final Rule rule;
    final String enforcer;
    final long node;
    final String reason;
    final long createdEpochNanos;
    final long ceilingNanos;
    final String key;

    State state = State.PROPOSED;
    boolean wanted;
    /** An install may have reached the network, whatever was answered: it has to be withdrawn. Written before the first order. */
    boolean touched;

    boolean sent;
    boolean proven;
    boolean automatic;
    String owner = "";
    String trouble = "";
    Ending ending = Ending.NONE;
    long impact;
    int blastRadius = BlastRadius.UNKNOWN;
    long revision = 1;
    long expiresNanos;
    int flaps;
    /** Before then a quiet attack does not lift it. */
    long holdNanos;

    // What follows is not written down: a restart begins anew with it.
    /** The order that is out, or 0. */
    long order;

    boolean installs;
    int attempts;
    long tryNanos;
    long askedNanos;
    /** Since when its drops are counted; 0 where that was before this process, or it was not asked for yet. */
    long countedSinceNanos;

    long endedNanos;
    long writtenExpiresNanos;
    long packetsPerSecond = JsonLine.ABSENT;

    boolean recovered;

    @Nullable
    Long dropKey;

    // Of drop reports.
    long dropCount = -1;
    long dropNanos;
    boolean deltas;
    int falls;
    int flat;
    long flatNanos;
    long countedNanos;

    Entry(
            String id,
            EventId attack,
            Rule rule,
            String enforcer,
            long node,
            String reason,
            long createdEpochNanos,
            long ceilingNanos) {
        this.id = id;
        this.attack = attack;
        this.rule = rule;
        this.enforcer = enforcer;
        this.node = node;
        this.reason = reason;
        this.createdEpochNanos = createdEpochNanos;
        this.ceilingNanos = ceilingNanos;
        key = key(enforcer, rule);
    }

    static String key(String enforcer, Rule rule) {
        return enforcer + "|" + RuleText.of(rule);
    }

    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a mitigation that is " + state.label() + " cannot be " + next.label());
        }
        state = next;
        revision++;
    }

    /** In force, or about to be, or not surely gone. */
    boolean counts() {
        return !state.isOver() && (wanted || touched);
    }

    /** What is being taken back has no time left, however long that takes. */
    boolean expires() {
        return !state.isOver() && (wanted || !touched);
    }

    Mitigation shown(LedgerClock clock) {
        return new Mitigation(
                id,
                attack,
                state,
                rule,
                enforcer,
                node,
                reason,
                owner,
                trouble,
                ending.words(),
                createdEpochNanos,
                expires() ? clock.epochNanos() + (expiresNanos - clock.nanoTime()) : JsonLine.NO_TIME,
                wanted,
                sent,
                proven,
                proven ? packetsPerSecond : JsonLine.ABSENT,
                blastRadius,
                revision);
    }

    /** With what is left of its time, and when that was. */
    byte[] encode(LedgerClock clock) {
        long now = clock.nanoTime();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(KIND);
            out.writeByte(VERSION);
            out.writeLong(clock.epochNanos());
            out.writeUTF(id);
            out.writeLong(attack.bits());
            write(out, rule);
            out.writeUTF(enforcer);
            out.writeLong(node);
            out.writeUTF(reason);
            out.writeLong(createdEpochNanos);
            out.writeLong(ceilingNanos - now);
            out.writeUTF(state.name());
            out.writeBoolean(wanted);
            out.writeBoolean(touched);
            out.writeBoolean(automatic);
            out.writeUTF(owner);
            out.writeUTF(trouble);
            out.writeUTF(ending.name());
            out.writeLong(impact);
            out.writeInt(blastRadius);
            out.writeLong(revision);
            out.writeLong(expiresNanos - now);
            out.writeInt(flaps);
            out.writeLong(holdNanos - now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Time passed while nobody ran: what the world's clock says of it is believed where it shortens a life, never where it lengthens one. */
    static Entry decode(byte[] record, LedgerClock clock) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
            int kind = in.readByte();
            int version = in.readByte();
            if (kind != KIND || version != VERSION) {
                throw new IOException("a record of kind " + kind + ", version " + version);
            }
            long passed = Math.max(0, clock.epochNanos() - in.readLong());
            long base = clock.nanoTime() - passed;
            Entry entry = new Entry(
                    in.readUTF(),
                    new EventId(in.readLong()),
                    readRule(in),
                    in.readUTF(),
                    in.readLong(),
                    in.readUTF(),
                    in.readLong(),
                    base + in.readLong());
            entry.state = State.valueOf(in.readUTF());
            entry.wanted = in.readBoolean();
            entry.touched = in.readBoolean();
            entry.automatic = in.readBoolean();
            entry.owner = in.readUTF();
            entry.trouble = in.readUTF();
            entry.ending = Ending.valueOf(in.readUTF());
            entry.impact = in.readLong();
            entry.blastRadius = in.readInt();
            entry.revision = in.readLong();
            entry.expiresNanos = base + in.readLong();
            entry.writtenExpiresNanos = entry.expiresNanos;
            entry.flaps = in.readInt();
            entry.holdNanos = base + in.readLong();
            entry.tryNanos = clock.nanoTime();
            entry.recovered = true;
            entry.endedNanos = base;
            return entry;
        } catch (IllegalArgumentException e) {
            throw new IOException("a record that makes no sense: " + e.getMessage(), e);
        }
    }

    private static void write(DataOutputStream out, Rule rule) throws IOException {
        RuleMatch match = rule.match();
        out.writeLong(match.device());
        write(out, match.source());
        write(out, match.destination());
        out.writeInt(match.protocol());
        out.writeInt(match.destinationPort());
        out.writeLong(rule.bytesPerSecond());
    }

    private static void write(DataOutputStream out, @Nullable Prefix prefix) throws IOException {
        out.writeBoolean(prefix != null);
        if (prefix != null) {
            out.writeBoolean(prefix.v6());
            out.writeLong(prefix.high());
            out.writeLong(prefix.low());
            out.writeByte(prefix.length());
        }
    }

    private static Rule readRule(DataInputStream in) throws IOException {
        RuleMatch match = new RuleMatch(in.readLong(), readPrefix(in), readPrefix(in), in.readInt(), in.readInt());
        return new Rule(match, in.readLong());
    }

    private static @Nullable Prefix readPrefix(DataInputStream in) throws IOException {
        return in.readBoolean()
                ? new Prefix(in.readBoolean(), in.readLong(), in.readLong(), in.readUnsignedByte())
                : null;
    }
}
