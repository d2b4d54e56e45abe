package io.pathlore.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C and SIGTERM, for commands that want to end in good order and say what they did. */
public interface Interruption {
    /** For callers who are not interrupted. */
    Interruption NEVER = stop -> () -> {};

    /** Until this is closed {@code stop} is called, from another thread, when the process is asked to end. */
    Watch onInterrupt(Runnable stop);

    /** Until this is closed {@code again} is called, from another thread, at each SIGHUP, which otherwise ends the process. */
    default Watch onHangup(Runnable again) {
        return () -> {};
    }

    /** Closing it is what the command does last. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** That of this process. A shutdown waits until the command has ended, and then has its exit code. */
    final class OfProcess implements Interruption {
        private static final int PATIENCE_SECONDS = 20;

        /** As shells have it: 128 and the number of SIGINT. */
        private static final int INTERRUPTED = 130;

        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile int status = INTERRUPTED;

        @Override
        public Watch onInterrupt(Runnable stop) {
            Thread hook = new Thread(() -> shutDown(stop), "pathlore-shutdown");
            Runtime.getRuntime().addShutdownHook(hook);
            return () -> {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException e) {
                    // It runs already, and waits for ended().
                }
            };
        }

        @Override
        public Watch onHangup(Runnable again) {
            Object former = Signals.handle("HUP", again);
            return () -> Signals.restore("HUP", former);
        }

        private void shutDown(Runnable stop) {
            stop.run();
            try {
                boolean inTime = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                Runtime.getRuntime().halt(inTime ? status : INTERRUPTED);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Everything is written; the process may end. */
        void ended(int status) {
            this.status = status;
            ended.countDown();
        }
    }
}
