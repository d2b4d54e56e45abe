package io.pathlore.cli;

/** Prose in lines that are read easily. */
final class Paragraph {
    private static final int WIDTH = 100;

    private Paragraph() {}

    /** {@code mark} stands before the first line; the others are as far from the margin. */
    static void add(Text text, String mark, String prose) {
        text.add(mark);
        for (String word : prose.split(" ", -1)) {
            if (text.column() > mark.length() && text.column() + 1 + word.length() > WIDTH) {
                text.line().spaces(mark.length());
            } else if (text.column() > mark.length()) {
                text.add(' ');
            }
            text.add(word);
        }
        text.line();
    }
}
