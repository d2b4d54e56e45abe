package io.pathlore.cli.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The word a user probably meant. */
public final class Nearest {
    private Nearest() {}

    /** Null when nothing is near enough to be worth a guess. */
    public static @Nullable String to(String word, Collection<String> known) {
        String best = null;
        int bestDistance = 1 + word.length() / 3;
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < bestDistance || (distance == bestDistance && best == null)) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Insertions, deletions, replacements, and swaps of neighbours, each one step. */
    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + cost);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
