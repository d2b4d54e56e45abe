package io.pathlore.cli.explain;

import java.util.List;
import java.util.Locale;

/** Why packets are dropped, as far as it matters for what to do next. Reasons have hundreds of names; causes are few. */
public enum DropCause {
    TTL(
            "ttl",
            "The packet had passed as many nodes as it was allowed to. One such packet is a traceroute; many of one flow are a"
                    + " routing loop, or a sender with a small TTL.",
            "the path of the flow: does a node come twice? pathlore observe events --last 50 --filter 'kind = loop'",
            "the routes of the nodes on the circle, which point at each other",
            "the initial TTL of the sender, where the path is merely long"),
    MTU(
            "mtu",
            "The packet was longer than the link it had to leave by, and could not be cut.",
            "the MTU of the egress interface, against those before it",
            "tunnels and INT itself, which make packets longer on the way: leave room for them",
            "whether ICMP 'packet too big' reaches the sender; where it is filtered, connections hang"),
    ROUTE(
            "no-route",
            "The node did not know where to send the packet: no route, no next hop, or no entry for its address or label.",
            "the route to the destination on this node, and whether it was withdrawn at that time",
            "path changes and links that went down then: pathlore get events",
            "whether the next hop resolves (ARP, neighbour discovery, labels)"),
    POLICY(
            "policy",
            "A rule said so: an access list, a filter, a meter, a block. The node did what it was told.",
            "the rule: which one, since when, on which ports",
            "who sends what it stops: pathlore observe --filter dropped",
            "for a meter: the rate it allows against the rate of the flow"),
    QUEUE(
            "queue",
            "There was no room: the queue was full, or the traffic manager dropped early to keep it from filling.",
            "congestion on this node at that time, and who filled the queue: pathlore observe events --last 50"
                    + " --filter 'kind = congestion'",
            "the load of the egress interface: a burst, or more than the link can carry",
            "queue limits, buffer sharing and early-drop thresholds of the class"),
    PARSE(
            "broken",
            "The packet could not be read or was damaged: a checksum, a length or a header was wrong.",
            "errors of the link the packet came in by: cable, optics, clock",
            "the sender, where packets of one source only are wrong",
            "headers this node does not know how to parse"),
    PORT(
            "port",
            "The packet came in, or would have left, where it may not: the VLAN or interface is unknown, down or blocked there.",
            "the state of the interface, its VLANs and spanning tree at that time",
            "the configuration of the neighbour: do both ends agree on tags?",
            "hosts that were moved, and tables that still point at the old port"),
    SESSION(
            "session",
            "The mobile core function in the switch had no session or no rule for the packet, or was told to drop or buffer it.",
            "the session of the subscriber in the control plane: was it there at that time?",
            "whether rules of the user plane and of the control plane agree",
            "uplink or downlink: the name tells which table missed"),
    UNKNOWN(
            "unknown",
            "The node does not say why, or by a number that has no name here.",
            "the documentation of the node: give its numbers names with drop-reasons in the inventory",
            "a packet that was dropped: pathlore observe --filter dropped -o json",
            "counters of the node for the same time");

    private final String label;
    private final String meaning;
    private final String next;

    DropCause(String label, String meaning, String... next) {
        this.label = label;
        this.meaning = meaning;
        this.next = String.join("\n", next);
    }

    public String label() {
        return label;
    }

    public String meaning() {
        return meaning;
    }

    /** What to look at next. */
    public List<String> next() {
        return next.lines().toList();
    }

    /** By the words of a name, whoever gave it. */
    public static DropCause of(String name) {
        String words = " " + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", " ") + " ";
        if (has(words, " upf ", " session ", " pdr ", " tunnel endpoint ")) {
            return SESSION;
        }
        if (has(words, " ttl ", " hop limit ", " time to live ", " loop ")) {
            return TTL;
        }
        if (has(words, " mtu ", " too big ", " too long ", " oversize", " fragment")) {
            return MTU;
        }
        if (has(words, " acl ", " deny ", " denied ", " policy ", " filter", " blacklist", " block", " firewall ")
                || has(words, " meter ", " police", " rate limit", " storm control ", " mitigation ", " urpf ")) {
            return POLICY;
        }
        if (has(words, " queue", " tail ", " traffic manager ", " buffer", " congest", " wred ", " no memory ")) {
            return QUEUE;
        }
        if (has(
                words,
                " checksum ",
                " parse",
                " malformed ",
                " invalid ",
                " crc ",
                " bad ",
                " error ",
                " truncated ")) {
            return PARSE;
        }
        if (has(words, " vlan", " port ", " interface ", " link down ", " stp ", " spanning ")) {
            return PORT;
        }
        if (has(
                words,
                " rout",
                " miss ",
                " next id ",
                " next hop ",
                " nexthop ",
                " no match ",
                " unreachable ",
                " arp ")) {
            return ROUTE;
        }
        return UNKNOWN;
    }

    private static boolean has(String words, String... parts) {
        for (String part : parts) {
            if (words.contains(part)) {
                return true;
            }
        }
        return false;
    }
}
