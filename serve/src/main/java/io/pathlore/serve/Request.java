package io.pathlore.serve;

import io.pathlore.serve.access.Token;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that was let in. {@code token} is null where none was needed and none was given; {@code mayRead} tells whether
 * the caller may see what a viewer sees, which matters only on routes that are open to everybody.
 */
public record Request(
        Map<String, String> path,
        Map<String, String> query,
        byte[] body,
        @Nullable Token token,
        boolean mayRead) {}
