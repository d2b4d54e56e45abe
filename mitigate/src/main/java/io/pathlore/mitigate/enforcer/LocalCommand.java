package io.pathlore.mitigate.enforcer;

import io.pathlore.model.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A program on this machine: its words as they are, no shell between, the order as JSON on its standard input. Exit code 0 is a yes; of
 * anything else the first line it wrote to standard error is the reason.
 */
public final class LocalCommand implements Enforcer {
    private static final int ANSWER_BYTES = 512;
    private static final long KILL_SECONDS = 2;

    private final String name;
    private final List<String> words;
    private final Duration timeout;

    public LocalCommand(String name, List<String> words, Duration timeout) {
        if (words.isEmpty() || words.getFirst().isEmpty()) {
            throw new IllegalArgumentException("a command without a program");
        }
        this.name = name;
        this.words = List.copyOf(words);
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void install(Rule rule) throws EnforcerException, InterruptedException {
        run(Order.json("install", name, rule));
    }

    @Override
    public void withdraw(Rule rule) throws EnforcerException, InterruptedException {
        run(Order.json("withdraw", name, rule));
    }

    private void run(String order) throws EnforcerException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // Whatever secrets the collector was started with are not for others.
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(Set.of("PATH", "HOME", "LANG", "TZ"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new EnforcerException(words.getFirst() + " does not start: " + e.getMessage(), e);
        }
        try {
            AtomicReference<String> said = new AtomicReference<>("");
            Thread listener = Thread.ofVirtual().start(() -> listen(process.getErrorStream(), said));
            Thread.ofVirtual().start(() -> tell(process, order));
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EnforcerException(
                        words.getFirst() + " did not end within " + timeout.toMillis() + " ms and was stopped");
            }
            if (process.exitValue() != 0) {
                // It may have left somebody behind who holds the pipe open.
                listener.join(Duration.ofMillis(200));
                String line = said.get().lines().findFirst().orElse("");
                throw new EnforcerException(
                        words.getFirst() + " ended with " + process.exitValue() + (line.isBlank() ? "" : ": " + line));
            }
        } finally {
            end(process);
        }
    }

    private static void tell(Process process, String order) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(order.getBytes(StandardCharsets.UTF_8));
            in.write('\n');
        } catch (IOException e) {
            // It need not read; its exit code tells.
        }
    }

    /** Keeps the beginning and lets the rest go by, so that a talkative program does not wait. */
    private static void listen(InputStream from, AtomicReference<String> said) {
        byte[] buffer = new byte[ANSWER_BYTES];
        try (from) {
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                if (said.get().length() < ANSWER_BYTES) {
                    said.set(said.get() + new String(buffer, 0, length, StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            // It was stopped.
        }
    }

    private static void end(Process process) throws InterruptedException {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            boolean ended = process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                throw new IllegalStateException("a process that cannot be killed: " + process.pid());
            }
        }
    }

    @Override
    public void close() {
        // Nothing is held between orders.
    }
}
