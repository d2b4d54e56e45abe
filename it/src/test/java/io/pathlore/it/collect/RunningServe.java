package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code pathlore serve} in a process of its own. */
public final class RunningServe implements AutoCloseable {
    private final JavaProcess java;
    private final Api api;

    private RunningServe(JavaProcess java, Api api) {
        this.java = java;
        this.api = api;
    }

    /** Waits until it answers. */
    public static RunningServe start(Path directory, Path data, String... sets) throws IOException {
        int port = RunningCollector.freeTcpPort();
        JavaProcess java = run(directory, data, port, sets);
        RunningServe serve = new RunningServe(java, new Api(port));
        boolean ready = false;
        try {
            RunningCollector.until("it answers", serve::isReady);
            ready = true;
            return serve;
        } finally {
            if (!ready) {
                serve.close();
            }
        }
    }

    static JavaProcess run(Path directory, Path data, int port, String... sets) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("serve", "--data", data.toString(), "--http-port", Integer.toString(port)));
        for (String set : sets) {
            words.addAll(List.of("--set", set));
        }
        return JavaProcess.start(directory, List.of(), RunningCollector.JVM, RunningCollector.MAIN, words);
    }

    private boolean isReady() throws IOException {
        assertThat(java.process().isAlive()).as("it ended: %s", java.errors()).isTrue();
        try {
            return api.get("/readyz").status() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    public Api api() {
        return api;
    }

    JavaProcess.Ended kill() throws IOException {
        java.process().destroyForcibly(); // SIGKILL
        return java.await();
    }

    public JavaProcess.Ended stop() throws IOException {
        java.process().destroy(); // SIGTERM
        return java.await();
    }

    @Override
    public void close() {
        java.process().destroyForcibly();
    }
}
