package io.pathlore.dataplane.traffic;

/** How much is sent in one go: bounded Pareto between two sizes, or always the same where they are equal. */
public record FlowSizes(long leastBytes, long mostBytes, int shapeThousandths) {
    public FlowSizes {
        if (leastBytes < 0 || mostBytes < leastBytes) {
            throw new IllegalArgumentException("bytes: " + leastBytes + " to " + mostBytes + " is no range");
        }
        if (shapeThousandths <= 0) {
            throw new IllegalArgumentException("shape: must be more than 0");
        }
    }

    public static FlowSizes always(long bytes) {
        return new FlowSizes(bytes, bytes, 1_000);
    }

    long next(Dice dice) {
        return dice.pareto(leastBytes, mostBytes, shapeThousandths);
    }
}
