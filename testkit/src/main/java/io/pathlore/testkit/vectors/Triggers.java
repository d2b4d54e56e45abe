package io.pathlore.testkit.vectors;

import io.pathlore.testkit.Hex;
import java.util.Arrays;
import java.util.List;

/** Reproducible bad inputs: each names the first error of spec-notes 9 that a decoder must raise on it. */
public final class Triggers {
    private static final String NO_VECTOR = "-";

    private Triggers() {}

    /**
     * One trigger.
     *
     * @param error the name of the fault that comes first
     * @param strict the mode to decode in, else lenient
     * @param vector the golden vector that is edited, or "-" where the edit is the whole input
     * @param edits {@code offset=hex}, {@code len=n}, {@code +hex}, {@code hex=…}, separated by commas
     */
    public record Trigger(String error, boolean strict, String vector, String edits) {
        public Start start() {
            return vector.equals(NO_VECTOR)
                    ? Start.REPORT
                    : GoldenVectors.vector(vector).start();
        }

        public byte[] bytes() {
            byte[] bytes = vector.equals(NO_VECTOR) ? new byte[0] : GoldenVectors.bytes(vector);
            for (String edit : edits.split(",", -1)) {
                bytes = apply(bytes, edit);
            }
            return bytes;
        }

        @Override
        public String toString() {
            return error + ": " + (strict ? "" : "lenient ") + vector + " " + edits;
        }
    }

    public static List<Trigger> all() {
        return TextResource.read("triggers.txt").lines().stream()
                .map(line -> line.split("\\s+", -1))
                .map(column -> new Trigger(column[0], column[1].equals("strict"), column[2], column[3]))
                .toList();
    }

    private static byte[] apply(byte[] bytes, String edit) {
        if (edit.startsWith("+")) {
            byte[] more = Hex.bytes(edit.substring(1));
            byte[] longer = Arrays.copyOf(bytes, bytes.length + more.length);
            System.arraycopy(more, 0, longer, bytes.length, more.length);
            return longer;
        }
        int equals = edit.indexOf('=');
        String what = edit.substring(0, equals);
        String value = edit.substring(equals + 1);
        return switch (what) {
            case "hex" -> Hex.bytes(value);
            case "len" -> Arrays.copyOf(bytes, Integer.parseInt(value));
            default -> {
                byte[] changed = bytes.clone();
                byte[] put = Hex.bytes(value);
                System.arraycopy(put, 0, changed, Integer.parseInt(what), put.length);
                yield changed;
            }
        };
    }
}
