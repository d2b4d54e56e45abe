package io.pathlore.bench.decode;

import java.io.IOException;

/** What was decoded, as both languages write it. Equal tallies are the proof of equal work. */
record Tally(long reports, long rejected, long checksum) {
    static Tally parse(String line) throws IOException {
        try {
            String[] words = line.split(" ", -1);
            return new Tally(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseUnsignedLong(words[2], 16));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("expected reports, rejected reports and a checksum, not: " + line, e);
        }
    }

    @Override
    public String toString() {
        return "%d %d %016x".formatted(reports, rejected, checksum);
    }
}
