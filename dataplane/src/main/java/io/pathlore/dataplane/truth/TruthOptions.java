package io.pathlore.dataplane.truth;

import io.pathlore.wire.DecodeOptions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the recorder must be told.
 *
 * @param decode how reports of this network are read; read leniently whatever this says
 * @param silentAfterNanos the collector's time-out: a shorter silence shows to nobody
 * @param mergeNanos drops, and lost reports, with smaller gaps than this are one fact
 * @param congestionMergeNanos episodes of one queue with smaller gaps than this are one fact
 * @param ttlReason the drop reason of a packet that has lived too long
 * @param reasonNames names of drop reasons, where there are any
 */
public record TruthOptions(
        DecodeOptions decode,
        long silentAfterNanos,
        long mergeNanos,
        long congestionMergeNanos,
        int ttlReason,
        Map<Integer, String> reasonNames) {
    /** That of fabric-tna. */
    public static final int TTL_REASON = 26;

    private static final long NANOS_PER_MILLI = 1_000_000;

    public TruthOptions {
        decode = decode.withStrict(false);
        reasonNames = Map.copyOf(reasonNames);
    }

    public static TruthOptions of(DecodeOptions decode) {
        return new TruthOptions(
                decode, 30_000 * NANOS_PER_MILLI, 5_000 * NANOS_PER_MILLI, 100 * NANOS_PER_MILLI, TTL_REASON, Map.of());
    }

    public TruthOptions withReasonNames(Map<Integer, String> reasonNames) {
        return new TruthOptions(decode, silentAfterNanos, mergeNanos, congestionMergeNanos, ttlReason, reasonNames);
    }

    @Nullable
    String reasonName(int reason) {
        return reasonNames.get(reason);
    }
}
