package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/** One way to make something of a datagram. Hot path. */
interface Reader {
    /** What it is called on the command line and in results. */
    enum Variant {
        /** {@link ViewsReader} */
        VIEWS,
        /** {@link LenientReader} */
        LENIENT,
        /** {@link JsonReader} */
        JSON;

        Reader over(Columns columns) {
            return switch (this) {
                case VIEWS -> new ViewsReader(columns);
                case LENIENT -> new LenientReader(columns);
                case JSON -> new JsonReader(columns);
            };
        }
    }

    /** Adds the report in {@code [from, end)} to the columns. */
    Fault read(ByteBuffer buffer, int from, int end);
}
