package io.pathlore.wire.net;

/** What a packet found in a frame starts with, and so which parser takes it on. */
public enum PacketStart {
    ETHERNET,
    IPV4,
    IPV6,
    /** Something that carries no IP, or that we do not know. */
    OTHER
}
