package io.pathlore.engine.state;

/**
 * What objects remember, as octets, and back into objects that were made the same way. State is every field of our classes that is neither static
 * nor {@code transient}: what a constructor is given, be it settings or somebody to tell, is transient and stays that of the new object. What was
 * written by a program whose classes have other fields is refused, and never guessed at. docs/adr/0009.
 */
public final class State {
    private State() {}

    public static byte[] of(Object... objects) {
        return new StateWriter().write(objects);
    }

    /** {@code objects} as those that were written, in the same order. */
    public static void restore(byte[] state, Object... objects) {
        new StateReader(state).read(objects);
    }

    /** One value, a record mostly, that {@link #of} wrote. */
    public static Object value(byte[] state) {
        return new StateReader(state).value();
    }
}
