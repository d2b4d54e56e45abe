package io.pathlore.it.collect;

import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to be counted for a datagram, by the reference decoder and the page of names. */
final class Expectation {
    private static final Path PAGE =
            Path.of(System.getProperty("pathlore.root", ".."), "docs", "reference", "faults.md");
    private static final Pattern DROPS = Pattern.compile("^\\| `(\\w+)` \\| drop \\|", Pattern.MULTILINE);

    private final ReferenceDecoder reference;
    private final Set<String> drops = new HashSet<>();

    Expectation(ReferenceOptions options) throws IOException {
        reference = new ReferenceDecoder(options);
        Matcher matcher = DROPS.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            drops.add(matcher.group(1));
        }
    }

    /** Terms of the ledger. */
    SortedMap<String, Long> of(byte[] datagram) {
        SortedMap<String, Long> terms = new TreeMap<>();
        add(terms, "datagramsRead", 1);
        add(terms, "bytesRead", datagram.length);
        if (datagram.length == 0) {
            add(terms, "rejected.empty", 1);
            return terms;
        }
        add(terms, "accepted", 1);
        add(terms, "journalled", 1);
        List<Map<String, Object>> results = reference.decode(datagram);
        if (results.size() == 1 && results.getFirst().get("error") instanceof String error && drops.contains(error)) {
            add(terms, "undecodable." + error, 1);
            return terms;
        }
        add(terms, "decodedDatagrams", 1);
        for (Map<String, Object> result : results) {
            add(terms, "reportsSeen", 1);
            if (result.get("error") instanceof String error) {
                add(terms, "reportsRejected." + error, 1);
            } else {
                add(terms, "reportsDecoded", 1);
                add(terms, "analysed", 1);
            }
        }
        return terms;
    }

    static void add(SortedMap<String, Long> terms, String term, long more) {
        if (more != 0) {
            terms.merge(term, more, Long::sum);
        }
    }

    static void addAll(SortedMap<String, Long> terms, SortedMap<String, Long> more) {
        more.forEach((term, number) -> add(terms, term, number));
    }
}
