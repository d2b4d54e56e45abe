package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.Enforcer;
import io.pathlore.mitigate.ledger.LedgerListener.Alert;
import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every mitigation and what is to be done about it. A function of what it is told and of time: it does nothing itself but write its file, and
 * what has to be done is read from the entries, so that to start again is the same as to go on. Each call ends in {@link #settle}: what
 * changed is written and synced, then orders go out. An install waits for the disk; a withdrawal does not need it.
 *
 * <p>Belongs to one thread.
 */
final class Ledger {
    /** Entries that are not over: what is in force is capped long before. */
    static final int CAPACITY = 1024;

    /** Entries that are over, for people to look at. */
    static final int HISTORY = 1024;

    static final int ORPHANS = 256;

    static final long SECOND = 1_000_000_000L;
    static final long MINUTE = 60 * SECOND;

    /** Controllers report every ten seconds; three of them missing is no accident. */
    static final long PROOF_NANOS = 30 * SECOND;

    /** Reports that come closer together are one report told twice. */
    private static final long DROP_INTERVAL_NANOS = 5 * SECOND;

    private static final int FLAT_REPORTS = 3;
    private static final long FLAT_NANOS = 15 * SECOND;
    private static final long WRAP = 1L << 32;
    /** One may be a report that came late; a total does not fall so often. */
    private static final int FALLS = 3;

    /** After so many in a row a person is told; it is tried on. */
    private static final int ATTEMPTS = 5;

    private static final long LONGEST_WAIT_NANOS = MINUTE;
    private static final long KILL_NANOS = 25 * SECOND;
    private static final long LIST_NANOS = 30 * SECOND;
    private static final long RENEWAL_NANOS = 10 * SECOND;
    private static final long FLAP_NANOS = 10 * MINUTE;
    private static final long HOLD_NANOS = MINUTE;
    private static final int MOST_FLAPS = 7;
    private static final long LONGEST_HOLD_NANOS = 60 * MINUTE;
    private static final int STOP_KIND = 2;
    private static final Operator AUTO = Operator.named("auto");
    private static final Operator SELF = Operator.named("pathlore");

    private final LedgerClock clock;
    private final Limits limits;
    private final Map<String, Enforcer> enforcers;
    private final Judge judge;
    private final Orders orders;
    private final LedgerListener listener;
    private final LedgerFile file;
    private final Mode mode;

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /** The youngest of each key. */
    private final Map<String, Entry> byKey = new LinkedHashMap<>();

    private final Set<Entry> unwritten = new LinkedHashSet<>();
    private final Map<Long, Orphan> orphans = new LinkedHashMap<>();
    private final Map<String, Long> errors = new LinkedHashMap<>();
    private final Deque<Long> approvals = new ArrayDeque<>();
    private final Map<String, Long> listedNanos = new LinkedHashMap<>();
    private final long startNanos;
    private boolean stopped;
    private boolean stopUnwritten;
    private long killNanos = Long.MIN_VALUE;
    private boolean capTold;
    private boolean diskTold;
    private String diskTrouble = "";
    private long orderNumber;
    private long turnedAway;
    private long disbelieved;

    /**
     * Opens the ledger that is there.
     *
     * @param mode as configured; stays at {@link Mode#OBSERVE} after a kill switch until another one is configured or {@link #resume}
     */
    Ledger(
            LedgerFiles files,
            LedgerClock clock,
            Limits limits,
            Mode mode,
            Map<String, Enforcer> enforcers,
            Judge judge,
            Orders orders,
            LedgerListener listener)
            throws IOException {
        this.clock = clock;
        this.limits = limits;
        this.mode = mode;
        this.enforcers = new LinkedHashMap<>(enforcers);
        this.judge = judge;
        this.orders = orders;
        this.listener = listener;
        this.enforcers.keySet().forEach(name -> errors.put(name, 0L));
        startNanos = clock.nanoTime();
        List<byte[]> records = new ArrayList<>();
        file = LedgerFile.open(files, records);
        for (byte[] record : records) {
            recover(record);
        }
        List.copyOf(entries.values()).forEach(this::begin);
        try {
            file.replace(everything());
            file.reserve();
        } catch (IOException e) {
            diskFailed(e);
        }
    }

    private void recover(byte[] record) throws IOException {
        if (record.length == 3 && record[0] == STOP_KIND) {
            // Who configures another mode than the one that was stopped means it.
            stopped = record[1] != 0 && record[2] == mode.ordinal();
            return;
        }
        Entry entry = Entry.decode(record, clock);
        entries.remove(entry.id);
        entries.put(entry.id, entry);
    }

    /** Nobody knows what happened since it was written: what is wanted is sent again, and what is not is withdrawn again. */
    private void begin(Entry entry) {
        Entry other = byKey.get(entry.key);
        if (other == null || other.state.isOver()) {
            byKey.put(entry.key, entry);
        }
        if (entry.state == State.SENT || entry.state == State.PROVEN) {
            entry.become(State.APPROVED);
        }
        learn(entry);
        if (entry.wanted && !entry.state.isOver()) {
            String refusal = judge.refusal(entry.rule, false);
            if (refusal != null) {
                end(entry, Ending.NOT_ALLOWED, SELF, refusal);
            }
        }
    }

    private void learn(Entry entry) {
        Enforcer enforcer = enforcers.get(entry.enforcer);
        if (enforcer != null && enforcer.cannot(entry.rule) == null) {
            entry.dropKey = enforcer.dropKey(entry.rule);
            entry.deltas = enforcer.countsDeltas();
        }
    }

    // What planning says.

    /** The entry of this key: one that is there, with its evidence renewed, or a new one. */
    Mitigation propose(Proposal proposal) {
        long now = clock.nanoTime();
        String key = Entry.key(proposal.enforcer(), proposal.rule());
        Entry last = byKey.get(key);
        if (last != null && (!last.state.isOver() || last.state == State.REFUSED && now < last.expiresNanos)) {
            last.impact = Math.max(last.impact, proposal.impact());
            last.automatic |= mayActAlone(proposal, key);
            if (last.state == State.OBSERVED && mode() != Mode.OBSERVE) {
                last.become(State.PROPOSED);
                changed(last, SELF, "proposed", last.reason);
            }
            renew(last, now);
            settle();
            return last.shown(clock);
        }
        Entry entry = entry(proposal, now);
        Enforcer enforcer = enforcers.get(proposal.enforcer());
        String refusal = enforcer == null ? "there is no enforcer " + proposal.enforcer() : enforcer.cannot(entry.rule);
        if (refusal == null) {
            refusal = judge.refusal(entry.rule, mode() == Mode.AUTO);
        }
        if (refusal == null && !makeRoom(entry)) {
            turnedAway++;
            entry.trouble = "more is proposed than can be listed";
            return entry.shown(clock);
        }
        if (last != null && last.ending.calm() && now - last.endedNanos < FLAP_NANOS) {
            entry.flaps = Math.min(MOST_FLAPS, last.flaps + 1);
        }
        learn(entry);
        entries.put(entry.id, entry);
        byKey.put(key, entry);
        entry.state = mode() == Mode.OBSERVE ? State.OBSERVED : State.PROPOSED;
        if (refusal != null) {
            refuse(entry, refusal);
        } else {
            changed(entry, SELF, entry.state.label(), entry.reason);
            orders.blastRadius(entry.id, entry.rule);
        }
        settle();
        return entry.shown(clock);
    }

    private Entry entry(Proposal proposal, long now) {
        long created = clock.epochNanos();
        Entry entry = new Entry(
                id(proposal, created),
                proposal.attack(),
                proposal.rule(),
                proposal.enforcer(),
                proposal.node(),
                proposal.reason(),
                created,
                now + Limits.CEILING.toNanos());
        entry.impact = proposal.impact();
        entry.automatic = mayActAlone(proposal, entry.key);
        entry.expiresNanos = now + limits.expiry().toNanos();
        entry.holdNanos = now;
        return entry;
    }

    /** What an operator withdrew is not made to hold against that attack again unless an operator says so. */
    private boolean mayActAlone(Proposal proposal, String key) {
        return proposal.automatic()
                && entries.values().stream()
                        .noneMatch(entry -> entry.ending == Ending.OPERATOR
                                && entry.key.equals(key)
                                && entry.attack.equals(proposal.attack()));
    }

    private String id(Proposal proposal, long created) {
        try {
            String text = Entry.key(proposal.enforcer(), proposal.rule()) + "|" + created;
            for (int again = 0; ; again++) {
                byte[] hash = MessageDigest.getInstance("SHA-256")
                        .digest((text + (again == 0 ? "" : "|" + again)).getBytes(StandardCharsets.UTF_8));
                String id = HexFormat.of().toHexDigits(ByteBuffer.wrap(hash).getLong());
                if (!entries.containsKey(id)) {
                    return id;
                }
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Where too much is proposed, what would stop least goes. */
    private boolean makeRoom(Entry wanted) {
        List<Entry> live =
                entries.values().stream().filter(entry -> !entry.state.isOver()).toList();
        if (live.size() < CAPACITY) {
            return true;
        }
        Entry least = live.stream()
                .filter(entry -> !entry.counts())
                .min(Comparator.comparingLong(entry -> entry.impact))
                .orElse(null);
        if (least == null || least.impact >= wanted.impact) {
            return false;
        }
        turnedAway++;
        end(least, Ending.EXPIRY, SELF, "others matter more");
        return true;
    }

    /** The attack goes on, as telemetry of bound exporters shows at the threshold. */
    void evidence(EventId attack) {
        long now = clock.nanoTime();
        for (Entry entry : entries.values()) {
            if (entry.attack.equals(attack) && !entry.state.isOver()) {
                renew(entry, now);
            }
        }
        settle();
    }

    private void renew(Entry entry, long now) {
        entry.flat = 0;
        extend(entry, now);
    }

    private void extend(Entry entry, long now) {
        long until = Math.min(
                entry.ceilingNanos,
                Math.max(entry.holdNanos, now + limits.expiry().toNanos()));
        entry.expiresNanos = entry.wanted || !entry.touched ? Math.max(entry.expiresNanos, until) : entry.expiresNanos;
        if (entry.expiresNanos - entry.writtenExpiresNanos > RENEWAL_NANOS) {
            unwritten.add(entry);
        }
    }

    /**
     * What a rule dropped, as a report says. Only an exporter that is bound to its node is believed, and only of the node that the rule is
     * for: whoever can send a datagram, or has taken over another switch, could else say that an attack is over.
     */
    void dropReport(long node, long key, long count, boolean bound) {
        if (!bound) {
            disbelieved++;
            return;
        }
        long now = clock.nanoTime();
        Entry entry = ofDropKey(key);
        if (entry == null) {
            stray(node, key, count);
        } else if (entry.node >= 0 && entry.node != node) {
            disbelieved++;
        } else if (entry.state.isOver()) {
            if (now - entry.endedNanos > PROOF_NANOS) {
                stray(node, key, count);
            }
        } else if (entry.touched) {
            dropped(entry, count, now);
        }
        settle();
    }

    private @Nullable Entry ofDropKey(long key) {
        Entry found = null;
        for (Entry entry : entries.values()) {
            boolean better = found == null || found.state.isOver();
            if (better && Objects.equals(entry.dropKey, key)) {
                found = entry;
            }
        }
        return found;
    }

    private void stray(long node, long key, long count) {
        Orphan known = orphans.get(key);
        if (known == null && orphans.size() >= ORPHANS) {
            orphans.remove(orphans.keySet().iterator().next());
        }
        orphans.put(key, new Orphan(node, key, count, known == null ? 1 : known.reports() + 1, clock.epochNanos()));
        if (known == null) {
            String text = "a rule that is not in the ledger drops packets: key "
                    + HexFormat.of().toHexDigits(key);
            listener.onAlert(Alert.ORPHAN, text, null);
        }
    }

    private void dropped(Entry entry, long count, long now) {
        boolean first = entry.dropCount < 0;
        long passed = now - entry.dropNanos;
        long more = count;
        if (!first && !entry.deltas) {
            long difference = count - entry.dropCount & WRAP - 1;
            boolean backwards = difference >= WRAP / 2;
            // A total only falls when the controller starts again, and then it has to be asked again first.
            if (backwards && entry.askedNanos <= entry.dropNanos) {
                entry.deltas = ++entry.falls >= FALLS;
            }
            more = backwards ? count : difference;
        }
        if (!first && passed < DROP_INTERVAL_NANOS && more == 0) {
            return;
        }
        long since = first ? entry.countedSinceNanos : entry.dropNanos;
        if (since != 0 && more > 0) {
            long epoch = clock.epochNanos();
            listener.onStopped(entry.shown(clock), epoch - (now - since), epoch, more);
        }
        entry.packetsPerSecond = first || passed <= 0 ? entry.packetsPerSecond : Math.round(more * 1e9 / passed);
        entry.dropCount = count;
        entry.dropNanos = now;
        if (entry.wanted && entry.state != State.PROVEN) {
            if (entry.state != State.SENT) {
                entry.become(State.SENT);
                entry.sent = true;
            }
            entry.become(State.PROVEN);
            entry.proven = true;
            entry.trouble = "";
            changed(entry, SELF, "proven", "a drop report tells of " + count + " packets");
        }
        boolean quiet = entry.deltas ? count == 0 : !first && more == 0;
        if (!quiet) {
            entry.flat = entry.deltas ? 0 : 1;
            entry.flatNanos = now;
            if (!first || count > 0) {
                extend(entry, now);
            }
        } else {
            if (entry.flat == 0) {
                entry.flatNanos = now;
            }
            entry.flat++;
        }
        boolean over = entry.flat >= FLAT_REPORTS && now - entry.flatNanos >= FLAT_NANOS && now - entry.holdNanos >= 0;
        if (over && entry.wanted) {
            end(entry, Ending.ATTACK_OVER, SELF, "the same count in " + entry.flat + " drop reports running");
        }
    }

    /** What else it would hit. */
    void blastRadius(String id, int share) {
        Entry entry = entries.get(id);
        if (entry != null && share != BlastRadius.UNKNOWN) {
            entry.blastRadius = share;
            settle();
        }
    }

    // What people say.

    Answer approve(String id, long revision, Operator by) {
        Entry entry = entries.get(id);
        if (entry == null) {
            return new Answer.Unknown(id);
        }
        if (entry.revision != revision) {
            return new Answer.Stale(entry.shown(clock));
        }
        if (entry.state != State.PROPOSED && entry.state != State.OBSERVED) {
            return new Answer.Refused("it is " + entry.state.label() + " already");
        }
        if (mode() == Mode.OBSERVE) {
            return new Answer.Refused("the mode is observe: nothing is installed");
        }
        String refusal = judge.refusal(entry.rule, false);
        if (refusal != null) {
            refuse(entry, refusal);
            settle();
            return new Answer.Refused(refusal);
        }
        String cap = cap(entry.enforcer);
        if (cap != null) {
            return new Answer.Refused(cap);
        }
        boolean written = approve(entry, by);
        settle();
        return written
                ? new Answer.Done(entry.shown(clock))
                : new Answer.Refused("the ledger cannot be written: " + diskTrouble);
    }

    Answer withdraw(String id, long revision, Operator by) {
        Entry entry = entries.get(id);
        if (entry == null) {
            return new Answer.Unknown(id);
        }
        if (entry.revision != revision) {
            return new Answer.Stale(entry.shown(clock));
        }
        if (entry.state.isOver()) {
            return new Answer.Refused("it is " + entry.state.label() + " already");
        }
        if (entry.wanted || !entry.touched) {
            end(entry, Ending.OPERATOR, by, entry.touched ? "an operator withdrew it" : "an operator said no to it");
        } else {
            listener.onAct(by, "withdraw", "to be tried again at once", entry.shown(clock));
        }
        entry.tryNanos = clock.nanoTime();
        settle();
        return new Answer.Done(entry.shown(clock));
    }

    /** The kill switch. What is in force is withdrawn at once, whatever the disk says; after {@link #KILL_NANOS} what is left has failed. */
    List<Mitigation> withdrawAll(Operator by) {
        long now = clock.nanoTime();
        stopped = true;
        stopUnwritten = true;
        killNanos = now;
        listener.onAct(by, "withdraw-all", "the kill switch", null);
        List<Entry> live =
                entries.values().stream().filter(entry -> !entry.state.isOver()).toList();
        for (Entry entry : live) {
            if (entry.wanted || !entry.touched) {
                end(entry, Ending.KILL_SWITCH, by, "the kill switch");
            }
            entry.attempts = 0;
            entry.tryNanos = now;
        }
        settle();
        return live.stream().map(entry -> entry.shown(clock)).toList();
    }

    /** After a kill switch: the configured mode again. */
    void resume(Operator by) {
        if (stopped) {
            stopped = false;
            stopUnwritten = true;
            killNanos = Long.MIN_VALUE;
            listener.onAct(by, "resume", "mode " + mode.label() + " again", null);
            settle();
        }
    }

    /** Takes away a rule that only drop reports know of. */
    Answer removeOrphan(long key, String enforcer, Operator by) {
        if (!orphans.containsKey(key)) {
            return new Answer.Unknown(HexFormat.of().toHexDigits(key));
        }
        if (!enforcers.containsKey(enforcer)) {
            return new Answer.Refused("there is no enforcer " + enforcer);
        }
        listener.onAct(by, "remove-orphan", "key " + HexFormat.of().toHexDigits(key) + " at " + enforcer, null);
        orphans.remove(key);
        orders.withdrawKey(enforcer, key);
        return new Answer.Asked("if it drops on, it will be shown again");
    }

    // What enforcers say.

    /** How an order went; null where it was done. */
    void done(long number, String id, @Nullable String failure) {
        Entry entry = entries.get(id);
        if (entry == null || entry.order != number) {
            return;
        }
        entry.order = 0;
        if (entry.installs && !entry.wanted) {
            // Whatever came of it, it is to be taken back now.
            entry.tryNanos = clock.nanoTime();
        } else if (failure != null) {
            failed(entry, failure);
        } else if (entry.installs) {
            entry.attempts = 0;
            entry.trouble = "";
            entry.sent = true;
            if (entry.state == State.APPROVED || entry.state == State.FAILED) {
                entry.become(State.SENT);
                changed(entry, SELF, "sent", entry.enforcer + " said yes");
            }
        } else {
            gone(entry);
        }
        settle();
    }

    private void failed(Entry entry, String failure) {
        long now = clock.nanoTime();
        errors.merge(entry.enforcer, 1L, Long::sum);
        entry.attempts++;
        entry.trouble = failure;
        int doublings = Math.min(6, entry.attempts - 1);
        entry.tryNanos = now + Math.min(LONGEST_WAIT_NANOS, SECOND << doublings);
        boolean hopeless = entry.attempts >= ATTEMPTS;
        if (hopeless && (entry.state == State.APPROVED || entry.state == State.DECAYING)) {
            giveUp(entry);
        }
    }

    private void giveUp(Entry entry) {
        String what = entry.wanted ? "cannot be installed" : "cannot be withdrawn";
        entry.become(State.FAILED);
        changed(entry, SELF, "failed", what + ": " + entry.trouble);
        listener.onAlert(Alert.FAILED, what + ": " + entry.trouble, entry.shown(clock));
    }

    /** What an enforcer has: what is missing is sent again. Orders that are out may or may not be in it. */
    void listed(String enforcer, Set<Rule> rules) {
        for (Entry entry : entries.values()) {
            boolean missing = entry.enforcer.equals(enforcer)
                    && entry.order == 0
                    && entry.wanted
                    && entry.sent
                    && !rules.contains(entry.rule);
            if (missing) {
                entry.sent = false;
                entry.proven = false;
                entry.become(State.APPROVED);
                changed(entry, SELF, "approved", enforcer + " does not have it any more");
            }
        }
        settle();
    }

    // Time.

    void tick() {
        settle();
    }

    /** Decides what time decides, writes what changed, and sends what is due. */
    private void settle() {
        long now = clock.nanoTime();
        for (Entry entry : entries.values()) {
            if (!entry.state.isOver()) {
                age(entry, now);
            }
        }
        if (mode() == Mode.AUTO) {
            approveByImpact();
        }
        forget();
        List<Entry> due = due(now);
        for (Entry entry : due) {
            if (entry.wanted && !entry.touched) {
                entry.touched = true;
                unwritten.add(entry);
            }
        }
        write();
        for (Entry entry : due) {
            if (!entry.wanted || !unwritten.contains(entry)) {
                send(entry, now);
            } else {
                entry.tryNanos = now + SECOND;
            }
        }
        enforcers.forEach((name, enforcer) -> {
            if (now - listedNanos.getOrDefault(name, startNanos) >= LIST_NANOS) {
                listedNanos.put(name, now);
                orders.list(name);
            }
        });
    }

    private void age(Entry entry, long now) {
        if (entry.expires() && now - Math.min(entry.expiresNanos, entry.ceilingNanos) >= 0) {
            end(entry, Ending.EXPIRY, SELF, "its time was over");
            return;
        }
        long reported = Math.max(entry.dropNanos, entry.askedNanos);
        if (entry.state == State.PROVEN && now - reported > PROOF_NANOS) {
            entry.become(State.SENT);
            entry.proven = false;
            changed(entry, SELF, "sent", "no drop report any more");
        }
        boolean killed = stopped && killNanos != Long.MIN_VALUE && now - killNanos >= KILL_NANOS;
        if (killed && entry.state == State.DECAYING) {
            if (entry.trouble.isEmpty()) {
                entry.trouble = "no answer in time";
            }
            giveUp(entry);
        }
    }

    private void approveByImpact() {
        List<Entry> waiting = entries.values().stream()
                .filter(entry -> entry.state == State.PROPOSED && entry.automatic)
                .sorted(Comparator.comparingLong((Entry entry) -> entry.impact).reversed())
                .toList();
        Map<String, String> caps = new LinkedHashMap<>(); // of many that wait, each would count all the others
        for (Entry entry : waiting) {
            String cap = caps.computeIfAbsent(entry.enforcer, name -> Objects.requireNonNullElse(cap(name), ""));
            if (!cap.isEmpty()) {
                entry.trouble = cap;
                if (!capTold) {
                    capTold = true;
                    listener.onAlert(Alert.CAP, "mitigations wait: " + cap, entry.shown(clock));
                }
                continue;
            }
            String refusal = judge.refusal(entry.rule, true);
            if (refusal != null) {
                refuse(entry, refusal);
            } else if (!approve(entry, AUTO)) {
                return;
            }
            caps.clear();
        }
        if (waiting.isEmpty()) {
            capTold = false;
        }
    }

    /** Why there may not be one more, or null. */
    private @Nullable String cap(String enforcer) {
        long now = clock.nanoTime();
        while (!approvals.isEmpty() && now - approvals.getFirst() >= MINUTE) {
            approvals.removeFirst();
        }
        if (approvals.size() >= limits.newPerMinute()) {
            return "no more than " + limits.newPerMinute() + " new rules in a minute";
        }
        List<Entry> inForce = entries.values().stream().filter(Entry::counts).toList();
        if (inForce.size() >= limits.rules()) {
            return "no more than " + limits.rules() + " rules";
        }
        long here = inForce.stream()
                .filter(entry -> entry.enforcer.equals(enforcer))
                .count();
        return here >= limits.rulesPerEnforcer()
                ? "no more than " + limits.rulesPerEnforcer() + " rules at " + enforcer
                : null;
    }

    /** False, and nothing changed, where it could not be written. */
    private boolean approve(Entry entry, Operator by) {
        long now = clock.nanoTime();
        State before = entry.state;
        if (before == State.OBSERVED) {
            entry.become(State.PROPOSED);
        }
        entry.become(State.APPROVED);
        entry.wanted = true;
        entry.owner = by.name();
        entry.trouble = "";
        entry.tryNanos = now;
        if (entry.flaps > 0) {
            entry.holdNanos = now + Math.min(LONGEST_HOLD_NANOS, HOLD_NANOS << entry.flaps - 1);
        } else {
            entry.holdNanos = now;
        }
        extend(entry, now);
        unwritten.add(entry);
        if (!write()) {
            // Not by the book, because it never happened.
            entry.state = before;
            entry.wanted = false;
            entry.owner = "";
            entry.trouble = "the ledger cannot be written";
            return false;
        }
        approvals.addLast(now);
        listener.onAct(by, "approved", entry.reason, entry.shown(clock));
        return true;
    }

    private void refuse(Entry entry, String refusal) {
        entry.become(State.REFUSED);
        entry.trouble = refusal;
        entry.endedNanos = clock.nanoTime();
        changed(entry, SELF, "refused", refusal);
    }

    private void end(Entry entry, Ending ending, Operator by, String why) {
        entry.wanted = false;
        entry.ending = ending;
        entry.attempts = 0;
        entry.trouble = "";
        entry.tryNanos = clock.nanoTime();
        if (entry.touched) {
            entry.become(State.DECAYING);
            changed(entry, by, "decaying", why);
        } else {
            entry.become(ending.state());
            entry.endedNanos = clock.nanoTime();
            changed(entry, by, entry.state.label(), why);
        }
    }

    private void gone(Entry entry) {
        entry.become(entry.ending.state());
        entry.touched = false;
        entry.sent = false;
        entry.proven = false;
        entry.trouble = "";
        entry.endedNanos = clock.nanoTime();
        changed(entry, SELF, entry.state.label(), entry.ending.words());
    }

    private void changed(Entry entry, Operator by, String what, String why) {
        unwritten.add(entry);
        listener.onAct(by, what, why, entry.shown(clock));
    }

    private List<Entry> due(long now) {
        List<Entry> due = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (entry.state.isOver() || entry.order != 0 || now - entry.tryNanos < 0) {
                continue;
            }
            boolean install = entry.wanted && (!entry.sent || unproven(entry, now));
            if (install || !entry.wanted && entry.touched) {
                due.add(entry);
            }
        }
        return due;
    }

    /** A controller that says yes to everything, and forgets, is asked again until a drop report comes. */
    private static boolean unproven(Entry entry, long now) {
        return entry.dropKey != null
                && now - Math.max(entry.askedNanos, entry.dropNanos) > PROOF_NANOS
                && entry.state != State.PROVEN;
    }

    private void send(Entry entry, long now) {
        if (!enforcers.containsKey(entry.enforcer)) {
            entry.tryNanos = now + LONGEST_WAIT_NANOS;
            String why = "the enforcer " + entry.enforcer + " is not configured any more";
            if (!entry.trouble.equals(why)) {
                entry.trouble = why;
                listener.onAlert(Alert.FAILED, why, entry.shown(clock));
            }
            return;
        }
        entry.order = ++orderNumber;
        entry.installs = entry.wanted;
        if (entry.wanted) {
            // A recovered entry was asked for before, nobody knows when.
            entry.countedSinceNanos = entry.askedNanos == 0 && !entry.recovered ? now : entry.countedSinceNanos;
            entry.askedNanos = now;
        }
        orders.order(new Orders.Order(entry.order, entry.id, entry.enforcer, entry.rule, entry.wanted));
    }

    /** What is over is kept for a while. */
    private void forget() {
        List<Entry> over =
                entries.values().stream().filter(entry -> entry.state.isOver()).toList();
        for (int i = 0; i < over.size() - HISTORY; i++) {
            Entry entry = over.get(i);
            entries.remove(entry.id);
            byKey.remove(entry.key, entry);
            unwritten.remove(entry);
        }
    }

    // The disk.

    /** True when nothing is left unwritten. */
    private boolean write() {
        if (unwritten.isEmpty() && !stopUnwritten) {
            return true;
        }
        List<byte[]> records = new ArrayList<>();
        if (stopUnwritten) {
            records.add(stop());
        }
        unwritten.forEach(entry -> records.add(entry.encode(clock)));
        try {
            append(records);
        } catch (IOException e) {
            diskFailed(e);
            return false;
        }
        diskTold = false;
        diskTrouble = "";
        stopUnwritten = false;
        unwritten.forEach(entry -> entry.writtenExpiresNanos = entry.expiresNanos);
        unwritten.clear();
        return true;
    }

    private void append(List<byte[]> records) throws IOException {
        try {
            if (file.isMostlyOld()) {
                file.replace(everything());
            } else {
                file.append(records);
            }
        } catch (IOException e) {
            if (!stopUnwritten) {
                throw e;
            }
            file.useReserve();
            file.append(records);
        }
    }

    private List<byte[]> everything() {
        List<byte[]> all = new ArrayList<>();
        all.add(stop());
        entries.values().forEach(entry -> all.add(entry.encode(clock)));
        return all;
    }

    private byte[] stop() {
        return new byte[] {STOP_KIND, (byte) (stopped ? 1 : 0), (byte) mode.ordinal()};
    }

    private void diskFailed(IOException e) {
        diskTrouble = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (!diskTold) {
            diskTold = true;
            String text = "the ledger cannot be written, so nothing new is installed: " + diskTrouble;
            listener.onAlert(Alert.DISK, text, null);
        }
    }

    // For people.

    Mode mode() {
        return stopped ? Mode.OBSERVE : mode;
    }

    List<Mitigation> shown() {
        return entries.values().stream().map(entry -> entry.shown(clock)).toList();
    }

    List<Orphan> orphans() {
        return List.copyOf(orphans.values());
    }

    long turnedAway() {
        return turnedAway;
    }

    /** Drop reports nobody believed. */
    long disbelieved() {
        return disbelieved;
    }

    /** Orders that were not carried out, by enforcer. */
    Map<String, Long> errors() {
        return new LinkedHashMap<>(errors);
    }

    /** Why the ledger is not on the disk, empty where it is. */
    String diskTrouble() {
        return diskTrouble;
    }
}
