package io.pathlore.testkit.reference;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An INT header that verified.
 *
 * @param json its object in {@code int} of the decoded report
 * @param warnings faults of action "part" and repairs, in the order they were met
 * @param end where the bytes of INT end
 * @param incomplete the fragment ends before that
 * @param restoredPort original destination port: NPT 1, INT 0.5 tail
 * @param restoredProtocol original IP protocol, whose header follows: NPT 2
 * @param nextProtocol of the GPE or GRE shim, -1 where there is none
 */
record IntFound(
        Map<String, Object> json,
        List<String> warnings,
        int end,
        boolean incomplete,
        @Nullable Integer restoredPort,
        @Nullable Integer restoredProtocol,
        int nextProtocol) {
    /** The end of a header whose length cannot be believed: nothing behind it is read. */
    static final int NOWHERE = -1;

    static IntFound of(Map<String, Object> json, List<String> warnings, int end, boolean incomplete) {
        return new IntFound(json, warnings, end, incomplete, null, null, -1);
    }

    IntFound withPort(int port) {
        return new IntFound(json, warnings, end, incomplete, port, restoredProtocol, nextProtocol);
    }

    IntFound withProtocol(int protocol) {
        return new IntFound(json, warnings, end, incomplete, restoredPort, protocol, nextProtocol);
    }

    IntFound withNextProtocol(int next) {
        return new IntFound(json, warnings, end, incomplete, restoredPort, restoredProtocol, next);
    }
}
