package io.pathlore.wire.decode;

import io.pathlore.model.Profile;
import org.jspecify.annotations.Nullable;

/**
 * What a decoder remembers of one exporter: the profile an operator pinned, and the layout that verified last, so that
 * recognising a dialect costs nothing the second time. The caller keeps one per source address, in a bounded table.
 */
public final class Exporter {
    private final Profile profile;
    Layout remembered = Layout.NONE;
    /** The version nibble under which it was found; another nibble is another question. */
    int rememberedNibble;

    /** The shape its last report had. */
    transient @Nullable Shape shape;

    /** What the last report without a known shape looked like from afar. */
    transient int lastLook;

    /** A look that was found not to be of a kind that can be remembered. */
    transient int unlearnable;

    public Exporter(Profile profile) {
        this.profile = profile;
    }

    /** An exporter nothing is known of. */
    public Exporter() {
        this(Profile.AUTO);
    }

    /** The pinned profile, or {@link Profile#AUTO}. */
    public Profile profile() {
        return profile;
    }

    /** Back to an exporter nothing is known of but its profile, so that a table can give its place to another. */
    public void forget() {
        remembered = Layout.NONE;
        rememberedNibble = 0;
        shape = null;
        lastLook = 0;
        unlearnable = 0;
    }

    /** Whether a datagram of version 2 that follows the specification would be read so, and remembered so. */
    boolean expects20() {
        if (profile == Profile.P4_INT) {
            return false;
        }
        if (remembered == Layout.REPORT_2_0 && rememberedNibble == 2) {
            return true;
        }
        if (remembered != Layout.NONE && rememberedNibble == 2) {
            return false;
        }
        remembered = Layout.REPORT_2_0;
        rememberedNibble = 2;
        return true;
    }
}
