package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that was let in. */
public record Request(Map<String, String> path, Map<String, String> query, byte[] body, Caller caller) {
    /** Of somebody on this machine who showed no token. */
    public static Request local(Map<String, String> path, Map<String, String> query) {
        return new Request(path, query, new byte[0], Caller.LOCAL);
    }

    /** A parameter that the operation says is a number with a usual value. */
    public int number(String name) {
        return Integer.parseInt(query.getOrDefault(name, ""));
    }

    /** Null where none was needed and none was given. */
    public @Nullable Token token() {
        return caller.token();
    }

    /** Whether the caller may see what a viewer sees, which matters only on routes that are open to everybody. */
    public boolean mayRead() {
        return caller.may(Role.VIEWER);
    }
}
