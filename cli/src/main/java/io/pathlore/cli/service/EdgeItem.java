package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.model.TimeText;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report as an edge answered it: where it is, when it was received, and its JSON, which is one object whatever it says. */
record EdgeItem(ReportId id, long timeNanos, String json) {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** A part of an edge's list. {@code next} is empty at its end. */
    record Page(List<EdgeItem> items, String next, long datagrams, long reports, long octets, long damaged) {}

    /** The page as it stands, object by object, without a tree of all of it; null where it is none. */
    static @Nullable Page page(String text) {
        List<EdgeItem> items = new ArrayList<>();
        String next = "";
        long[] scanned = new long[4];
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            boolean listed = false;
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (key.equals("items") && value == JsonToken.START_ARRAY && !listed) {
                    listed = true;
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        EdgeItem item = item(parser, text);
                        if (item == null) {
                            return null;
                        }
                        items.add(item);
                    }
                } else if (key.equals("next") && value == JsonToken.VALUE_STRING) {
                    next = parser.getText();
                } else if (key.equals("scanned") && value == JsonToken.START_OBJECT) {
                    scanned(parser, scanned);
                } else {
                    parser.skipChildren();
                }
            }
            return !listed || parser.nextToken() != null
                    ? null
                    : new Page(items, next, scanned[0], scanned[1], scanned[2], scanned[3]);
        } catch (IOException e) {
            return null;
        }
    }

    private static void scanned(JsonParser parser, long[] into) throws IOException {
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            boolean number = parser.nextToken() == JsonToken.VALUE_NUMBER_INT;
            int at = List.of("datagrams", "reports", "octets", "damaged").indexOf(key);
            if (number && at >= 0) {
                into[at] = Math.max(0, parser.getLongValue());
            } else {
                parser.skipChildren();
            }
        }
    }

    private static @Nullable EdgeItem item(JsonParser parser, String text) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return null;
        }
        int begin = (int) parser.currentTokenLocation().getCharOffset();
        ReportId id = null;
        Long time = null;
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
            if (isText && key.equals("id")) {
                id = ReportId.parse(parser.getText());
            } else if (isText && key.equals("time")) {
                time = TimeText.parse(parser.getText());
            } else {
                parser.skipChildren();
            }
        }
        int end = (int) parser.currentLocation().getCharOffset();
        return id == null || time == null ? null : new EdgeItem(id, time, text.substring(begin, end));
    }

    /** The datagram of a report that was told with its {@code raw}; null where it is not told as it should be. */
    static @Nullable Envelope datagram(ReportId id, JsonNode report) {
        Long time = TimeText.parse(report.path("time").asText(""));
        JsonNode exporter = report.path("exporter");
        JsonNode collector = report.path("collector");
        byte[] raw;
        InetAddress from;
        InetAddress to;
        try {
            raw = HexFormat.of().parseHex(report.path("raw").asText(""));
            from = InetAddress.ofLiteral(exporter.path("address").asText(""));
            String destination = collector.path("address").asText("");
            to = destination.isEmpty() ? null : InetAddress.ofLiteral(destination);
        } catch (IllegalArgumentException e) {
            return null;
        }
        boolean v6 = from instanceof Inet6Address;
        if (time == null || raw.length > Envelope.MAX_DATAGRAM || to != null && to instanceof Inet6Address != v6) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.allocate(Envelope.LENGTH + raw.length);
        int start = Envelope.encode(
                buffer,
                0,
                0,
                raw.length,
                time,
                id.edge(),
                id.position(),
                v6,
                half(from, 0),
                half(from, Long.BYTES),
                exporter.path("port").asInt(),
                half(to, 0),
                half(to, Long.BYTES),
                collector.path("port").asInt());
        buffer.put(start, raw);
        Envelope envelope = new Envelope();
        return envelope.wrap(buffer, 0, buffer.capacity()) ? envelope : null;
    }

    private static long half(@Nullable InetAddress address, int at) {
        if (address == null) {
            return 0;
        }
        ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
        return octets.capacity() == Integer.BYTES
                ? at == 0 ? 0 : Integer.toUnsignedLong(octets.getInt(0))
                : octets.getLong(at);
    }
}
