package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.Enforcer;
import io.pathlore.mitigate.enforcer.EnforcerException;
import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ledger at work: one thread owns it, everybody else leaves word. Telemetry may be turned away when too much of it waits, and is
 * counted; people and enforcers are heard first. Enforcers are called from threads that may wait.
 */
public final class Mitigations implements AutoCloseable {
    /**
     * The whole of it, as it was after the last change.
     *
     * @param errors orders that were not carried out, by enforcer
     */
    public record View(
            Mode mode,
            List<Mitigation> mitigations,
            List<Orphan> orphans,
            String diskTrouble,
            long turnedAway,
            long disbelievedDropReports,
            long heardNot,
            Map<String, Long> errors) {}

    /** What the ledger needs of others. */
    public record Parts(
            Limits limits,
            Mode mode,
            List<Enforcer> enforcers,
            Judge judge,
            BlastRadius blastRadius,
            LedgerListener listener,
            LedgerClock clock) {}

    private static final int WAITING = 4096;
    private static final long TICK_MILLIS = 100;
    private static final long ANSWER_SECONDS = 30;
    private static final Duration LONGEST_ORDER = Duration.ofSeconds(10);

    private final DirectoryFiles files;
    private final Ledger ledger;
    private final Map<String, Enforcer> enforcers = new LinkedHashMap<>();
    private final BlastRadius blastRadius;
    private final LedgerListener listener;
    private final Thread thread;
    private final Object lock = new Object();
    private final Deque<Runnable> first = new ArrayDeque<>();
    private final Deque<Runnable> telemetry = new ArrayDeque<>();
    private long heardNot;
    private boolean closed;
    private volatile View view;

    public Mitigations(Path directory, Parts parts) throws IOException {
        files = new DirectoryFiles(directory);
        for (Enforcer enforcer : parts.enforcers()) {
            enforcers.put(enforcer.name(), enforcer);
        }
        blastRadius = parts.blastRadius();
        listener = parts.listener();
        try {
            ledger = new Ledger(
                    files,
                    parts.clock(),
                    parts.limits(),
                    parts.mode(),
                    enforcers,
                    parts.judge(),
                    new Errands(),
                    parts.listener());
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
        view = look();
        thread = Thread.ofPlatform().name("pathlore-mitigate").unstarted(this::run);
        thread.start();
    }

    /** Planning would like this. False where too much waits. */
    public boolean propose(Proposal proposal) {
        return tell(() -> ledger.propose(proposal));
    }

    /** The attack goes on: telemetry of bound exporters shows it at the threshold. */
    public boolean evidence(EventId attack) {
        return tell(() -> ledger.evidence(attack));
    }

    /**
     * A report says how many packets a rule dropped.
     *
     * @param node that dropped them
     * @param bound the exporter is the one that may speak for the node
     */
    public boolean dropReport(long node, long key, long count, boolean bound) {
        return tell(() -> ledger.dropReport(node, key, count, bound));
    }

    public Answer approve(String id, long revision, Operator by) {
        return ask(ledger -> ledger.approve(id, revision, by));
    }

    public Answer withdraw(String id, long revision, Operator by) {
        return ask(ledger -> ledger.withdraw(id, revision, by));
    }

    /** The kill switch: what it set about to withdraw. How it went is seen in {@link #view}, within 30 seconds. */
    public List<Mitigation> withdrawAll(Operator by) {
        return ask(ledger -> ledger.withdrawAll(by));
    }

    /** After a kill switch, the configured mode again. */
    public Mode resume(Operator by) {
        return ask(ledger -> {
            ledger.resume(by);
            return ledger.mode();
        });
    }

    public Answer removeOrphan(long key, String enforcer, Operator by) {
        return ask(ledger -> ledger.removeOrphan(key, enforcer, by));
    }

    public View view() {
        return view;
    }

    private boolean tell(Runnable what) {
        synchronized (lock) {
            if (closed || telemetry.size() >= WAITING) {
                heardNot++;
                return false;
            }
            telemetry.addLast(what);
            lock.notifyAll();
            return true;
        }
    }

    /** Not bounded: enforcers answer as often as they were asked, and people are few. */
    private void tellFirst(Runnable what) {
        synchronized (lock) {
            first.addLast(what);
            lock.notifyAll();
        }
    }

    private <T> T ask(Function<Ledger, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("the ledger is closed");
            }
        }
        tellFirst(() -> {
            try {
                T said = question.apply(ledger);
                view = look(); // whoever acted sees what came of it
                answer.complete(said);
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
                throw e;
            }
        });
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("the ledger does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void run() {
        while (true) {
            Runnable next;
            synchronized (lock) {
                if (first.isEmpty() && telemetry.isEmpty() && !closed) {
                    try {
                        lock.wait(TICK_MILLIS);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                if (closed) {
                    return;
                }
                next = first.isEmpty() ? telemetry.pollFirst() : first.pollFirst();
            }
            try {
                if (next == null) {
                    ledger.tick();
                } else {
                    next.run();
                }
            } catch (RuntimeException e) {
                // The kill switch has to work after a bug, too.
                listener.onAlert(LedgerListener.Alert.FAILED, "a bug in the ledger: " + e, null);
            }
            view = look();
        }
    }

    private View look() {
        long unheard;
        synchronized (lock) {
            unheard = heardNot;
        }
        return new View(
                ledger.mode(),
                ledger.shown(),
                ledger.orphans(),
                ledger.diskTrouble(),
                ledger.turnedAway(),
                ledger.disbelieved(),
                unheard,
                ledger.errors());
    }

    /** Rules stay as they are, but for those that live with the session of their enforcer; the next process goes on with them. */
    @Override
    public void close() throws IOException {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        enforcers.values().forEach(Enforcer::close);
        files.close();
    }

    /** Runs to the enforcers, each errand in a thread that may wait, for at most {@link #LONGEST_ORDER}. */
    private final class Errands implements Orders {
        @Override
        public void order(Order order) {
            Enforcer enforcer = enforcers.get(order.enforcer());
            if (enforcer == null) {
                return;
            }
            errand(
                    () -> {
                        if (order.install()) {
                            enforcer.install(order.rule());
                        } else {
                            enforcer.withdraw(order.rule());
                        }
                    },
                    failure -> ledger.done(order.number(), order.id(), failure));
        }

        @Override
        public void list(String name) {
            Enforcer enforcer = enforcers.get(name);
            if (enforcer != null) {
                errand(
                        () -> {
                            Set<Rule> rules = enforcer.list();
                            if (rules != null) {
                                tellFirst(() -> ledger.listed(name, rules));
                            }
                        },
                        _ -> {});
            }
        }

        @Override
        public void withdrawKey(String name, long key) {
            Enforcer enforcer = enforcers.get(name);
            if (enforcer != null) {
                errand(() -> enforcer.withdrawKey(key), _ -> {});
            }
        }

        @Override
        public void blastRadius(String id, Rule rule) {
            Thread.ofVirtual().name("pathlore-mitigate-blast-radius").start(() -> {
                int share = blastRadius.share(rule);
                tellFirst(() -> ledger.blastRadius(id, share));
            });
        }

        private void errand(Errand what, Result result) {
            Thread worker = Thread.ofVirtual()
                    .name("pathlore-mitigate-errand")
                    .start(() -> tellFirst(report(result, failure(what))));
            Thread.ofVirtual().start(() -> watch(worker));
        }

        private Runnable report(Result result, @Nullable String failure) {
            return () -> result.on(failure);
        }

        private @Nullable String failure(Errand what) {
            try {
                what.run();
                return null;
            } catch (EnforcerException e) {
                return e.getMessage();
            } catch (InterruptedException e) {
                return "no answer within " + LONGEST_ORDER.toSeconds() + " s";
            } catch (RuntimeException e) {
                return "a bug: " + e;
            }
        }

        // An enforcer has time-outs of its own; one that does not keep to them must not keep the rule either.
        private void watch(Thread worker) {
            try {
                if (!worker.join(LONGEST_ORDER)) {
                    worker.interrupt();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Errand {
        void run() throws EnforcerException, InterruptedException;
    }

    private interface Result {
        void on(@Nullable String failure);
    }
}
