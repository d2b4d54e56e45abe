package io.pathlore.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** How long a JVM held up its threads, for garbage or anything else, as its safepoint log tells. */
record Pauses(long[] sortedNanos) {
    private static final Pattern TOTAL = Pattern.compile("Total: +(\\d+) ns");

    static Pauses of(Path log) throws IOException {
        LongStream.Builder nanos = LongStream.builder();
        for (String line : Files.readAllLines(log)) {
            Matcher total = TOTAL.matcher(line);
            if (total.find()) {
                nanos.add(Long.parseLong(total.group(1)));
            }
        }
        long[] all = nanos.build().toArray();
        Arrays.sort(all);
        return new Pauses(all);
    }

    int count() {
        return sortedNanos.length;
    }

    /** As long as all but this share of them, or shorter; 0 where there was none. */
    long quantile(double share) {
        int count = sortedNanos.length;
        return count == 0 ? 0 : sortedNanos[Math.min(count - 1, (int) Math.ceil(share * count) - 1)];
    }
}
