package io.pathlore.cli;

import io.pathlore.cli.client.ApiClient;
import io.pathlore.model.TimeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** The reports of a time as one capture, from a server that has them or knows who has: asked for page by page. */
final class ReportDownload {
    /** An answer may take as long as a request has. */
    static final ApiClient.Patience PATIENCE = new ApiClient.Patience(Duration.ofSeconds(3), Duration.ofSeconds(20));

    private static final int FILE_HEADER = 24;

    private final ApiClient client;
    private final TimeSpan span;
    private final BooleanSupplier interrupted;
    private final Set<String> unreached = new TreeSet<>();
    private long octets;

    ReportDownload(ApiClient client, TimeSpan span, BooleanSupplier interrupted) {
        this.client = client;
        this.span = span;
        this.interrupted = interrupted;
    }

    void to(OutputStream out, StatusLine line) throws IOException {
        String cursor = "";
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        do {
            page.reset();
            HttpHeaders headers = client.fetch("/api/v1/reports?format=pcap" + ApiClient.query(question(cursor)), page);
            byte[] bytes = page.toByteArray();
            int from = octets == 0 ? 0 : Math.min(FILE_HEADER, bytes.length);
            out.write(bytes, from, bytes.length - from);
            octets += bytes.length - from;
            line.show(this::amount);
            headers.firstValue("Pathlore-Unreached").ifPresent(unreached::add);
            String next = headers.firstValue("Pathlore-Next").orElse("");
            if (next.equals(cursor) && !next.isEmpty()) {
                throw new Failure(client.server() + ": its list does not end");
            }
            cursor = next;
        } while (!cursor.isEmpty() && !interrupted.getAsBoolean());
        out.flush();
    }

    private Map<String, String> question(String cursor) {
        Map<String, String> question = new LinkedHashMap<>();
        question.put("since", TimeText.of(Math.max(0, span.since())));
        if (span.until() != Long.MAX_VALUE) {
            question.put("until", TimeText.of(span.until()));
        }
        if (!cursor.isEmpty()) {
            question.put("cursor", cursor);
        }
        return question;
    }

    /** Whether it has datagrams. */
    boolean isEmpty() {
        return octets <= FILE_HEADER;
    }

    String amount() {
        return String.format(Locale.ROOT, "%,d octets", octets);
    }

    /** Who has reports that are not in it, and why; empty: nobody that is known. */
    String unreached() {
        return String.join("; ", unreached);
    }
}
