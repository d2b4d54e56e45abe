package io.pathlore.dataplane.inband;

/**
 * What to collect: the bitmap of the INT version in use, and the domain specific part of INT 2.x (zeros without one).
 *
 * @param bitmap 16 bits, bit 0 is the highest
 * @param dsFlags what the source writes there; others may change it
 */
public record Instructions(int bitmap, int domainId, int dsInstructions, int dsFlags) {
    public static Instructions of(int bitmap) {
        return new Instructions(bitmap, 0, 0, 0);
    }

    public Instructions {
        if ((bitmap | domainId | dsInstructions | dsFlags) >>> 16 != 0) {
            throw new IllegalArgumentException("instructions wider than 16 bits");
        }
    }
}
