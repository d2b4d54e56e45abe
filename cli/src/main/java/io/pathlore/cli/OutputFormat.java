package io.pathlore.cli;

import picocli.CommandLine.TypeConversionException;

/** What {@code -o} takes; {@code table} is another word for text. */
enum OutputFormat {
    TEXT,
    TABLE,
    JSON,
    JSONL,
    CSV;

    boolean isText() {
        return this == TEXT || this == TABLE;
    }

    /** As it is typed. */
    static OutputFormat of(String word) {
        for (OutputFormat format : values()) {
            if (format.name().equalsIgnoreCase(word)) {
                return format;
            }
        }
        throw new TypeConversionException("'" + word + "' is not one of text, json, jsonl, csv");
    }
}
