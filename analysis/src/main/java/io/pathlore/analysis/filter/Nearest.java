package io.pathlore.analysis.filter;

import java.util.Collection;
import java.util.Locale;

/** The word a user probably meant. */
final class Nearest {
    /** Nobody means a name by a longer word, and looking would take long. */
    private static final int LONGEST = 48;

    private Nearest() {}

    /** A question to put behind a message, or nothing when no word is near enough to be worth a guess. */
    static String hint(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return "";
        }
        String best = "";
        int bestDistance = 2 + word.length() / 4;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? "" : "; did you mean '" + best + "'?";
    }

    /** Insertions, deletions, replacements and swaps of neighbours; not less than {@code limit} if lengths alone say so. */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                steps[i][j] = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[a.length()][b.length()];
    }
}
