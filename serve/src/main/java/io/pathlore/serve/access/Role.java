package io.pathlore.serve.access;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a token lets its bearer do. Each role may do what those before it may. */
public enum Role {
    VIEWER,
    OPERATOR,
    ADMIN;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** As it is written in files, in JSON and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static @Nullable Role of(String text) {
        for (Role role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        return null;
    }
}
