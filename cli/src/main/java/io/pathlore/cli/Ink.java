package io.pathlore.cli;

/**
 * Colours, or nothing where none are wanted. Red is for loss, drops and what is wrong; green and yellow only where a verdict is
 * given; the rest only recedes.
 */
record Ink(String wrong, String faint, String strong, String good, String doubtful, String end) {
    static final Ink NONE = new Ink("", "", "", "", "", "");
    static final Ink ANSI = new Ink("\u001b[31m", "\u001b[2m", "\u001b[1m", "\u001b[32m", "\u001b[33m", "\u001b[0m");
}
