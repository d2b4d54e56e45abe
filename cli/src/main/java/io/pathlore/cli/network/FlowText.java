package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Protocols;

/** A flow of the API in words: {@code 10.0.1.1:45678 > 10.0.2.2:80 tcp}. */
public final class FlowText {
    private FlowText() {}

    public static String of(JsonNode flow) {
        int protocol = flow.path("protocol").asInt();
        String name = Protocols.name(protocol);
        return side(flow, "source", "sourcePort") + " > " + side(flow, "destination", "destinationPort") + " "
                + (name == null ? "protocol " + protocol : name)
                + (flow.has("icmpType") ? " type " + flow.path("icmpType").asInt() : "")
                + (flow.has("vni") ? " vni " + flow.path("vni").asLong() : "");
    }

    private static String side(JsonNode flow, String address, String port) {
        String text = flow.path(address).asText("?");
        String host = text.indexOf(':') >= 0 ? "[" + text + "]" : text;
        return flow.has(port) ? host + ":" + flow.path(port).asInt() : host;
    }
}
