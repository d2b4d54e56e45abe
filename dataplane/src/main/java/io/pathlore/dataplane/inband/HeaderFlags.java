package io.pathlore.dataplane.inband;

import io.pathlore.wire.inband.IntVersion;

/**
 * Where the flags stand in the first 16 bits of an INT header. Transparent Security has kept the places of the January 2020
 * draft; 0 where a version has no such flag.
 */
final class HeaderFlags {
    private HeaderFlags() {}

    static int discard(IntVersion version, boolean transparentSecurity) {
        return version != IntVersion.V2 ? 0 : transparentSecurity ? 0x0200 : 0x0800;
    }

    static int hopLimitExceeded(IntVersion version, boolean transparentSecurity) {
        return switch (version) {
            case JUNE_2016 -> 0x0400;
            case V0_5, V1_0 -> 0x0100;
            case V2 -> transparentSecurity ? 0x0100 : 0x0400;
        };
    }

    static int mtuExceeded(IntVersion version, boolean transparentSecurity) {
        return switch (version) {
            case JUNE_2016, V0_5 -> 0;
            case V1_0 -> 0x0080;
            case V2 -> transparentSecurity ? 0x0080 : 0x0200;
        };
    }

    static int replica(IntVersion version) {
        return switch (version) {
            case JUNE_2016 -> 0x0800;
            case V0_5, V1_0 -> 0x0200;
            case V2 -> 0;
        };
    }

    static int replicate(IntVersion version, int replicate) {
        return switch (version) {
            case JUNE_2016 -> replicate << 12;
            case V0_5, V1_0 -> replicate << 10;
            case V2 -> 0;
        };
    }
}
