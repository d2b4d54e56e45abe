package io.pathlore.model;

import java.util.Locale;
import java.util.Optional;

/** How an exporter writes its reports: by the specification, or in one of the dialects known from the field. */
public enum Profile {
    /** Not pinned: recognised from the bytes. */
    AUTO,
    SPEC,
    TRANSPARENT_SECURITY,
    GEANT,
    ONOS_BASIC,
    ONOS_FABRIC,
    P4_INT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The word used in JSON, configuration and on the command line. */
    public String label() {
        return label;
    }

    public static Optional<Profile> ofLabel(String label) {
        for (Profile profile : values()) {
            if (profile.label().equals(label)) {
                return Optional.of(profile);
            }
        }
        return Optional.empty();
    }
}
