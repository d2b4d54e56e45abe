package io.pathlore.model;

import java.util.List;

/** One JSON object on one line. Keys need no escaping; what is absent is left out. */
public final class JsonLine {
    /** In place of a number that is not known; it is left out. */
    public static final int ABSENT = EventIdentity.ABSENT;

    /** In place of a time that is not known. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final int TEN_THOUSAND = 10_000;

    private final StringBuilder text = new StringBuilder(512);
    private boolean first;

    public JsonLine begin() {
        text.setLength(0);
        text.append('{');
        first = true;
        return this;
    }

    public String end() {
        return text.append("}\n").toString();
    }

    private JsonLine separate() {
        if (!first) {
            text.append(',');
        }
        first = false;
        return this;
    }

    private void key(String name) {
        separate();
        text.append('"').append(name).append("\":");
    }

    public JsonLine open(String name) {
        key(name);
        return opened('{');
    }

    public JsonLine openElement() {
        return separate().opened('{');
    }

    public JsonLine openArray(String name) {
        key(name);
        return opened('[');
    }

    private JsonLine opened(char bracket) {
        text.append(bracket);
        first = true;
        return this;
    }

    public JsonLine close() {
        return closed('}');
    }

    public JsonLine closeArray() {
        return closed(']');
    }

    private JsonLine closed(char bracket) {
        text.append(bracket);
        first = false;
        return this;
    }

    public JsonLine text(String name, String value) {
        key(name);
        quoted(value);
        return this;
    }

    public JsonLine texts(String name, List<String> values) {
        openArray(name);
        for (String value : values) {
            separate();
            quoted(value);
        }
        return closeArray();
    }

    public JsonLine bool(String name, boolean value) {
        key(name);
        text.append(value);
        return this;
    }

    /** Any value. */
    public JsonLine integer(String name, long value) {
        key(name);
        text.append(value);
        return this;
    }

    /** Left out when {@link #ABSENT}. */
    public JsonLine number(String name, long value) {
        return value == ABSENT ? this : integer(name, value);
    }

    public JsonLine numbers(String name, List<Long> values) {
        openArray(name);
        for (long value : values) {
            separate();
            text.append(value);
        }
        return closeArray();
    }

    public JsonLine numbers(String name, long[] values, int count) {
        openArray(name);
        for (int i = 0; i < count; i++) {
            separate();
            text.append(values[i]);
        }
        return closeArray();
    }

    /** Ten-thousandths as a fraction, without needless zeros. */
    public JsonLine share(String name, int share) {
        key(name);
        text.append(share / TEN_THOUSAND);
        int rest = share % TEN_THOUSAND;
        if (rest != 0) {
            text.append('.');
            for (int unit = TEN_THOUSAND / 10; rest != 0; unit /= 10) {
                text.append(rest / unit);
                rest %= unit;
            }
        }
        return this;
    }

    /** Left out when {@link #NO_TIME}. */
    public JsonLine time(String name, long epochNanos) {
        return epochNanos == NO_TIME ? this : text(name, TimeText.of(epochNanos));
    }

    public JsonLine flow(String name, FlowKey flow) {
        open(name);
        return flowItems(flow).close();
    }

    public JsonLine flows(String name, List<FlowKey> flows) {
        openArray(name);
        for (FlowKey flow : flows) {
            openElement().flowItems(flow).close();
        }
        return closeArray();
    }

    private JsonLine flowItems(FlowKey flow) {
        return text("id", flow.id().toString())
                .text("source", flow.source())
                .text("destination", flow.destination())
                .integer("protocol", flow.protocol())
                .number("sourcePort", flow.sourcePort())
                .number("destinationPort", flow.destinationPort())
                .number("icmpType", flow.icmpType())
                .number("icmpCode", flow.icmpCode())
                .number("vni", flow.vni());
    }

    private void quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 0xF, 16));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
