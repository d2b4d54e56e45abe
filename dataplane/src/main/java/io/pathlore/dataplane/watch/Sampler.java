package io.pathlore.dataplane.watch;

/** Takes the packets {@link Sampling} says. Hot path. */
final class Sampler {
    private final Sampling sampling;
    private int left;

    Sampler(Sampling sampling) {
        this.sampling = sampling;
    }

    boolean needsIdentity() {
        return sampling.method() == Sampling.Method.IDENTITY && sampling.oneIn() > 1;
    }

    /** {@code identity} is looked at where {@link #needsIdentity} says so. */
    boolean takes(long identity) {
        if (sampling.oneIn() == 1) {
            return true;
        }
        return switch (sampling.method()) {
            case COUNT -> countdown();
            case IDENTITY -> (identity >>> 32) * sampling.oneIn() >>> 32 == 0;
        };
    }

    private boolean countdown() {
        if (left > 0) {
            left--;
            return false;
        }
        left = sampling.oneIn() - 1;
        return true;
    }
}
