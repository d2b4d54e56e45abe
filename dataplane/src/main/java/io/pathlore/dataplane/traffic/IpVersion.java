package io.pathlore.dataplane.traffic;

/** Which IP a source speaks. */
public enum IpVersion {
    V4,
    V6,
    /** Either, flow by flow. */
    BOTH;

    boolean v6(Dice dice) {
        return switch (this) {
            case V4 -> false;
            case V6 -> true;
            case BOTH -> dice.below(2) == 1;
        };
    }
}
