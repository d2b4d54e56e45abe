package io.pathlore.wire.decode;

import io.pathlore.model.Profile;

/**
 * What a decoder remembers of one exporter: the profile an operator pinned, and the layout that verified last, so that
 * recognising a dialect costs nothing the second time. The caller keeps one per source address, in a bounded table.
 */
public final class Exporter {
    private final Profile profile;
    Layout remembered = Layout.NONE;
    /** The version nibble under which it was found; another nibble is another question. */
    int rememberedNibble;

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
}
