package io.pathlore.ingest;

import io.pathlore.model.Fault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The accounting of every datagram. Each thread that decides about datagrams has a {@link Worker} to itself; a
 * {@link Snapshot} is their sum, taken at a moment between publications, so that what one thread does to a batch is in it
 * whole or not at all. What stands between threads is in {@code inFlight}: whoever holds datagrams for another thread says
 * how many.
 */
public final class Ledger {
    /** The terms without a reason beside them. */
    public enum Term {
        DATAGRAMS_READ("datagramsRead"),
        BYTES_READ("bytesRead"),
        ACCEPTED("accepted"),
        QUEUE_DROPPED("queueDropped"),
        DECODED_DATAGRAMS("decodedDatagrams"),
        JOURNALLED("journalled"),
        REPORTS_SEEN("reportsSeen"),
        REPORTS_DECODED("reportsDecoded"),
        ANALYSED("analysed"),
        DUPLICATES("duplicates"),
        SEQUENCE_LOST("sequenceLost");

        private final String label;

        Term(String label) {
            this.label = label;
        }

        /** Its name in JSON; in metrics the same in snake case. */
        public String label() {
            return label;
        }
    }

    private static final int FAULTS = Fault.values().length;
    private static final int REJECTED_AT = Term.values().length;
    private static final int JOURNAL_DROPPED_AT = REJECTED_AT + Rejection.values().length;
    private static final int SHED_AT = JOURNAL_DROPPED_AT + JournalDrop.values().length;
    private static final int UNDECODABLE_AT = SHED_AT + Shed.values().length;
    private static final int REPORTS_REJECTED_AT = UNDECODABLE_AT + FAULTS;
    private static final int SIZE = REPORTS_REJECTED_AT + FAULTS;

    private static final int MAX_COLLECTS = 1_000;

    private final boolean journal;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<LongSupplier> holders = new CopyOnWriteArrayList<>();
    private final List<Elsewhere> elsewhere = new CopyOnWriteArrayList<>();

    private record Elsewhere(int slot, LongSupplier count) {}

    private record Socket(String label, KernelDrops drops) {}

    /** With {@code journal}, every accepted datagram must be journalled or be counted as not. */
    public Ledger(boolean journal) {
        this.journal = journal;
    }

    /** For one more thread that counts. */
    public Worker addWorker() {
        var worker = new Worker();
        workers.add(worker);
        return worker;
    }

    /** Several sockets, one after the other or at a time, may have one label: they are added up. */
    public void addSocket(String label, KernelDrops drops) {
        sockets.add(new Socket(label, drops));
    }

    /** A queue between threads, and how many datagrams or reports are in it now. */
    public void addHolder(LongSupplier held) {
        holders.add(held);
    }

    /**
     * What somebody else counts, beside what workers do: the journal what it kept. It may only count what a holder has said it
     * holds.
     */
    public void addCount(Term term, LongSupplier count) {
        elsewhere.add(new Elsewhere(term.ordinal(), count));
    }

    /** As {@link #addCount(Term, LongSupplier)}. */
    public void addCount(JournalDrop reason, LongSupplier count) {
        elsewhere.add(new Elsewhere(JOURNAL_DROPPED_AT + reason.ordinal(), count));
    }

    /**
     * The counters of one thread. Hot path: counting is plain addition, seen by others after {@link #publish}, which is
     * called once per batch and before waiting.
     */
    public static final class Worker {
        private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
        private static final VarHandle VERSION;

        static {
            try {
                VERSION = MethodHandles.lookup().findVarHandle(Worker.class, "version", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final long[] counts = new long[SIZE];
        private final long[] published = new long[SIZE];

        @SuppressWarnings("FieldMayBeFinal") // written through the handle
        private long version; // odd while a publication is under way

        private boolean faulty; // a fault was counted since the last publication

        private Worker() {}

        public void count(Term term) {
            counts[term.ordinal()]++;
        }

        public void add(Term term, long more) {
            counts[term.ordinal()] += more;
        }

        public void rejected(Rejection reason) {
            counts[REJECTED_AT + reason.ordinal()]++;
        }

        public void journalDropped(JournalDrop reason) {
            counts[JOURNAL_DROPPED_AT + reason.ordinal()]++;
        }

        public void shed(Shed reason) {
            counts[SHED_AT + reason.ordinal()]++;
        }

        public void shed(Shed reason, long reports) {
            counts[SHED_AT + reason.ordinal()] += reports;
        }

        /** A datagram of which no report can be told apart. */
        public void undecodable(Fault fault) {
            counts[UNDECODABLE_AT + fault.ordinal()]++;
            faulty = true;
        }

        public void reportRejected(Fault fault) {
            counts[REPORTS_REJECTED_AT + fault.ordinal()]++;
            faulty = true;
        }

        /** Shows all that was counted so far, at once. */
        public void publish() {
            long now = version;
            VERSION.setOpaque(this, now + 1);
            VarHandle.storeStoreFence();
            int end = faulty ? SIZE : UNDECODABLE_AT;
            faulty = false;
            for (int i = 0; i < end; i++) {
                SLOT.setOpaque(published, i, counts[i]);
            }
            VERSION.setRelease(this, now + 2);
        }

        private long version() {
            return (long) VERSION.getAcquire(this);
        }

        private void addTo(long[] sum) {
            for (int i = 0; i < SIZE; i++) {
                sum[i] += (long) SLOT.getOpaque(published, i);
            }
            VarHandle.loadLoadFence();
        }
    }

    /** All workers at one moment. */
    public Snapshot snapshot() {
        Worker[] all = workers.toArray(Worker[]::new);
        long[] versions = new long[all.length];
        long[] sum = new long[SIZE];
        long held = 0;
        boolean atOnce = false;
        // Read twice the same means nothing was published in between. Publications are microseconds apart at most
        // rates,
        // and reading takes less than that.
        for (int attempt = 0; !atOnce && attempt < MAX_COLLECTS; attempt++) {
            if (attempt > 0) {
                Thread.onSpinWait();
            }
            Arrays.fill(sum, 0);
            boolean quiet = true;
            for (int i = 0; i < all.length; i++) {
                versions[i] = all[i].version();
                quiet &= (versions[i] & 1) == 0;
            }
            long counted = addElsewhere(sum);
            for (Worker worker : all) {
                worker.addTo(sum);
            }
            held = 0;
            for (LongSupplier holder : holders) {
                held += holder.getAsLong();
            }
            for (int i = 0; i < all.length; i++) {
                quiet &= versions[i] == all[i].version();
            }
            atOnce = quiet && counted == addElsewhere(new long[SIZE]);
        }
        Map<String, Long> kernelDropped = new TreeMap<>();
        for (Socket socket : sockets) {
            kernelDropped.merge(socket.label(), socket.drops().total(), Long::sum);
        }
        return new Snapshot(sum, kernelDropped, held, atOnce, journal);
    }

    /** Returns their sum, which only grows: seen twice the same, nothing was counted in between. */
    private long addElsewhere(long[] sum) {
        long all = 0;
        for (Elsewhere other : elsewhere) {
            long count = other.count().getAsLong();
            sum[other.slot()] += count;
            all += count;
        }
        return all;
    }

    /** One of the ledger's equations with what stands on its two sides. */
    public record Equation(String text, long left, long right) {
        /** What the left side has and the right side has not yet. */
        public long remainder() {
            return left - right;
        }
    }

    /** The ledger at one moment. */
    public static final class Snapshot {
        private final long[] sum;
        private final Map<String, Long> kernelDropped;
        private final long inFlight;
        private final boolean atOnce;
        private final boolean journal;

        private Snapshot(long[] sum, Map<String, Long> kernelDropped, long inFlight, boolean atOnce, boolean journal) {
            this.sum = sum;
            this.kernelDropped = kernelDropped;
            this.inFlight = inFlight;
            this.atOnce = atOnce;
            this.journal = journal;
        }

        public long read(Term term) {
            return sum[term.ordinal()];
        }

        public long rejected(Rejection reason) {
            return sum[REJECTED_AT + reason.ordinal()];
        }

        public long journalDropped(JournalDrop reason) {
            return sum[JOURNAL_DROPPED_AT + reason.ordinal()];
        }

        public long shed(Shed reason) {
            return sum[SHED_AT + reason.ordinal()];
        }

        public long undecodable(Fault fault) {
            return sum[UNDECODABLE_AT + fault.ordinal()];
        }

        public long reportsRejected(Fault fault) {
            return sum[REPORTS_REJECTED_AT + fault.ordinal()];
        }

        /** Of all sockets. */
        public long kernelDropped() {
            return kernelDropped.values().stream().mapToLong(Long::longValue).sum();
        }

        /** By label of the socket. */
        public Map<String, Long> kernelDroppedBySocket() {
            return Map.copyOf(kernelDropped);
        }

        /** What waits between threads. */
        public long inFlight() {
            return inFlight;
        }

        /** False when threads published too often to be seen standing still together: remainders may then be off. */
        public boolean atOnce() {
            return atOnce;
        }

        private long sum(int from, int end) {
            long total = 0;
            for (int i = from; i < end; i++) {
                total += sum[i];
            }
            return total;
        }

        public List<Equation> equations() {
            List<Equation> all = new ArrayList<>();
            all.add(new Equation(
                    "datagramsRead = accepted + queueDropped + rejected",
                    read(Term.DATAGRAMS_READ),
                    read(Term.ACCEPTED) + read(Term.QUEUE_DROPPED) + sum(REJECTED_AT, JOURNAL_DROPPED_AT)));
            all.add(new Equation(
                    "accepted = decodedDatagrams + undecodable",
                    read(Term.ACCEPTED),
                    read(Term.DECODED_DATAGRAMS) + sum(UNDECODABLE_AT, REPORTS_REJECTED_AT)));
            if (journal) {
                all.add(new Equation(
                        "accepted = journalled + journalDropped",
                        read(Term.ACCEPTED),
                        read(Term.JOURNALLED) + sum(JOURNAL_DROPPED_AT, SHED_AT)));
            }
            all.add(new Equation(
                    "reportsSeen = reportsDecoded + reportsRejected",
                    read(Term.REPORTS_SEEN),
                    read(Term.REPORTS_DECODED) + sum(REPORTS_REJECTED_AT, SIZE)));
            all.add(new Equation(
                    "reportsDecoded = analysed + duplicates + shed",
                    read(Term.REPORTS_DECODED),
                    read(Term.ANALYSED) + read(Term.DUPLICATES) + sum(SHED_AT, UNDECODABLE_AT)));
            return all;
        }

        /** A line for each equation that does not hold, up to what is in flight; at rest that is nothing. */
        public List<String> check() {
            List<String> wrong = new ArrayList<>();
            for (Equation equation : equations()) {
                if (equation.remainder() < 0 || equation.remainder() > inFlight) {
                    wrong.add("%s does not hold: %d against %d, %d in flight"
                            .formatted(equation.text(), equation.left(), equation.right(), inFlight));
                }
            }
            return wrong;
        }

        /** Terms by their names, those with reasons as objects; of faults only those that were counted. */
        public String toJson() {
            var out = new StringBuilder(512).append('{');
            term(out, Term.DATAGRAMS_READ);
            term(out, Term.BYTES_READ);
            term(out, Term.ACCEPTED);
            term(out, Term.QUEUE_DROPPED);
            open(out, "rejected");
            for (Rejection reason : Rejection.values()) {
                number(out, reason.label(), rejected(reason));
            }
            close(out);
            term(out, Term.DECODED_DATAGRAMS);
            faults(out, "undecodable", UNDECODABLE_AT);
            if (journal) {
                term(out, Term.JOURNALLED);
                open(out, "journalDropped");
                for (JournalDrop reason : JournalDrop.values()) {
                    number(out, reason.label(), journalDropped(reason));
                }
                close(out);
            }
            term(out, Term.REPORTS_SEEN);
            term(out, Term.REPORTS_DECODED);
            faults(out, "reportsRejected", REPORTS_REJECTED_AT);
            term(out, Term.ANALYSED);
            term(out, Term.DUPLICATES);
            open(out, "shed");
            for (Shed reason : Shed.values()) {
                number(out, reason.label(), shed(reason));
            }
            close(out);
            open(out, "kernelDropped");
            kernelDropped.forEach((label, drops) -> number(out, label, drops));
            close(out);
            term(out, Term.SEQUENCE_LOST);
            number(out, "inFlight", inFlight);
            return out.append('}').toString();
        }

        private void term(StringBuilder out, Term term) {
            number(out, term.label(), read(term));
        }

        private void faults(StringBuilder out, String name, int at) {
            open(out, name);
            for (Fault fault : Fault.values()) {
                if (sum[at + fault.ordinal()] != 0) {
                    number(out, fault.name(), sum[at + fault.ordinal()]);
                }
            }
            close(out);
        }

        // Names are our own, and labels are addresses and ports: nothing in them needs escaping.
        private static void number(StringBuilder out, String name, long value) {
            key(out, name).append(value);
        }

        private static void open(StringBuilder out, String name) {
            key(out, name).append('{');
        }

        private static void close(StringBuilder out) {
            out.append('}');
        }

        private static StringBuilder key(StringBuilder out, String name) {
            if (out.charAt(out.length() - 1) != '{') {
                out.append(',');
            }
            return out.append('"').append(name).append("\":");
        }
    }
}
