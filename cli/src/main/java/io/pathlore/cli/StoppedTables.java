package io.pathlore.cli;

import io.pathlore.store.tables.TableException;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The tables of a collector that does not run. */
final class StoppedTables {
    private StoppedTables() {}

    /** In this directory, or in that of the data; null if there are none. */
    static @Nullable Path find(Path named) {
        for (Path directory : new Path[] {named.resolve("store"), named}) {
            if (TableReader.areIn(directory)) {
                return directory;
            }
        }
        return null;
    }

    /** As the user named them with this option. */
    static TableReader open(Path named, String option) {
        Path found = find(named);
        if (found == null) {
            throw new Failure(named + (Files.isDirectory(named) ? ": no tables in it" : ": no such directory") + "; "
                    + option + " is the data directory of a collector, or its store");
        }
        return open(found);
    }

    static TableReader open(Path directory) {
        try {
            return TableReader.open(directory, TableOptions.DEFAULT);
        } catch (TableException e) {
            String why = String.valueOf(e.getMessage());
            boolean taken = why.contains("lock") || why.contains("already attached");
            throw new Failure(taken ? "tables " + directory + ": a collector has them open; ask it" : why);
        }
    }
}
