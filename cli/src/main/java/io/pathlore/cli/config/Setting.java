package io.pathlore.cli.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value as it was written, before anyone knows what it means, and where it was written. */
sealed interface Setting {
    Origin origin();

    /** The text between the quotes, if there are any; null for YAML's null. */
    record Scalar(@Nullable String text, Origin origin) implements Setting {}

    record Items(List<Setting> items, Origin origin) implements Setting {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** Keys keep the order of the file. */
    record Section(Map<String, Setting> entries, Origin origin) implements Setting {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }

    /** {@code pathlore.yaml:12}, {@code PATHLORE_LISTEN_PORTS} or {@code --set}; what stands before an error message. */
    record Origin(String source, int line) {
        static final Origin DEFAULT = new Origin("defaults.yaml", 0);

        boolean isDefault() {
            return source.equals(DEFAULT.source);
        }

        ConfigException error(String message) {
            return new ConfigException(place() + ": " + message);
        }

        String place() {
            return line > 0 ? source + ":" + line : source;
        }
    }
}
