package io.pathlore.cli;

import io.pathlore.cli.config.Nearest;
import io.pathlore.model.Profile;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code --profile} pins: {@code NAME} for everyone, {@code ADDRESS=NAME} for one exporter. */
final class Profiles {
    private final Map<InetAddress, Profile> byAddress = new HashMap<>();
    private @Nullable Profile all;

    /** The message of the exception is for the user. */
    static Profiles parse(List<String> options) {
        Profiles profiles = new Profiles();
        for (String option : options) {
            int equals = option.indexOf('=');
            Profile profile = profile(option.substring(equals + 1));
            if (equals < 0) {
                profiles.all = profile;
            } else {
                profiles.byAddress.put(address(option.substring(0, equals)), profile);
            }
        }
        return profiles;
    }

    private static Profile profile(String label) {
        List<String> known = Arrays.stream(Profile.values()).map(Profile::label).toList();
        return Profile.ofLabel(label).orElseThrow(() -> {
            String nearest = Nearest.to(label, known);
            return new IllegalArgumentException("--profile: unknown profile '" + label + "'; "
                    + (nearest == null ? "known: " + String.join(", ", known) : "did you mean '" + nearest + "'?"));
        });
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--profile: '" + text + "' is not an IPv4 or IPv6 address");
        }
    }

    boolean isEmpty() {
        return all == null && byAddress.isEmpty();
    }

    /** Null when nothing is pinned. */
    @Nullable
    Profile of(@Nullable InetAddress address) {
        Profile own = address == null ? null : byAddress.get(address);
        return own == null ? all : own;
    }
}
