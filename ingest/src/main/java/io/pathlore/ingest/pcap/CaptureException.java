package io.pathlore.ingest.pcap;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A capture that cannot be read, or not further. The message is one line, for the person who named the file. */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1;

    CaptureException(String name, String what) {
        this(name, what, null);
    }

    CaptureException(String name, String what, @Nullable Throwable cause) {
        super(oneLine(name + ": " + what), cause);
    }

    // A file name may hold anything, and so may what an operating system says about it.
    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
