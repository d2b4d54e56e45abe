package io.pathlore.model;

import org.jspecify.annotations.Nullable;

/**
 * Which packets a rule is about; what is {@link #ANY} or null does not matter to it. Says what was asked for, sane or not: who judges
 * it is somebody else, and has to see it as it was.
 *
 * @param device the MAC address the packets come from
 */
public record RuleMatch(
        long device, @Nullable Prefix source, @Nullable Prefix destination, int protocol, int destinationPort) {
    public static final int ANY = -1;
}
