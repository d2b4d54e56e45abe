package io.pathlore.cli;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Signals other than those that end a process. Java has them only in a module that the compiler warns about, so it is reached by
 * its name; where it is missing, signals do what they always do.
 */
final class Signals {
    private Signals() {}

    /** Returns what handled it before, for {@link #restore}; null where signals cannot be handled. */
    static @Nullable Object handle(String signal, Runnable action) {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(),
                    new Class<?>[] {handler},
                    (self, method, args) -> switch (method.getName()) {
                        case "handle" -> {
                            action.run();
                            yield null;
                        }
                        case "hashCode" -> signal.hashCode();
                        case "equals" -> false;
                        default -> "pathlore " + signal;
                    });
            return set(signal, handler, proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    static void restore(String signal, @Nullable Object former) {
        if (former == null) {
            return;
        }
        try {
            set(signal, Class.forName("sun.misc.SignalHandler"), former);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // It was there when the handler was set; a process that ends needs none.
        }
    }

    private static @Nullable Object set(String signal, Class<?> handler, Object value)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        Object named = type.getConstructor(String.class).newInstance(signal);
        return type.getMethod("handle", type, handler).invoke(null, named, value);
    }
}
