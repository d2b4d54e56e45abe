package io.pathlore.cli;

import java.io.ByteArrayOutputStream;

/** Bytes as people write them: digits in pairs, with spaces, colons or line feeds between, and comments behind #. */
final class HexText {
    private HexText() {}

    /** The message of the exception is for the user. */
    static byte[] parse(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int high = -1;
        boolean comment = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || comment) {
                comment = comment && c != '\n';
                continue;
            }
            if (c == '#') {
                comment = true;
            } else if (c == '0' && i + 1 < text.length() && (text.charAt(i + 1) | 0x20) == 'x' && high < 0) {
                i++; // a leading 0x
            } else if (!Character.isWhitespace(c) && c != ':' && c != ',') {
                int digit = Character.digit(c, 16);
                if (digit < 0) {
                    throw new IllegalArgumentException("'" + c + "' is not a hex digit");
                }
                if (high < 0) {
                    high = digit;
                } else {
                    bytes.write(high << 4 | digit);
                    high = -1;
                }
            }
        }
        if (high >= 0) {
            throw new IllegalArgumentException("an odd number of digits");
        }
        return bytes.toByteArray();
    }
}
