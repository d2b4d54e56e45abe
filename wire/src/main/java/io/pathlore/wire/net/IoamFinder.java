package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.wire.ioam.IoamView;

/** Finds IOAM options in IPv6 extension headers [RFC 9486 §3] and keeps what verifies. */
final class IoamFinder {
    private static final int MAY_CHANGE = 0x31;
    private static final int MUST_NOT_CHANGE = 0x11;

    private final Walk walk;

    IoamFinder(Walk walk) {
        this.walk = walk;
    }

    /** IPv6 options up to {@code end}, which may lie beyond the bytes present. False when the walk must end. */
    boolean options(int from, int end) {
        int at = from;
        int readable = Math.min(end, walk.limit);
        while (at < readable) {
            int type = walk.u8(at);
            if (type == 0) { // Pad1 has no length
                at++;
                continue;
            }
            if (at + 2 > end) {
                walk.warnings.add(Fault.PKT_IPV6_OPTION_OVERRUN, at);
                return false;
            }
            if (at + 2 > readable) {
                return true;
            }
            int next = at + 2 + walk.u8(at + 1);
            if (next > end) {
                walk.warnings.add(Fault.PKT_IPV6_OPTION_OVERRUN, at);
                return false;
            }
            if ((type == MAY_CHANGE || type == MUST_NOT_CHANGE) && walk.view.ioamCount < PacketView.MAX_IOAM_OPTIONS) {
                ioamOption(at, next);
            }
            at = next;
        }
        return true;
    }

    private void ioamOption(int option, int end) {
        if (end - option < 4) {
            walk.warnings.add(Fault.IOAM_OPTION_TRUNCATED, option);
            return;
        }
        if (walk.limit - option < 4) {
            return;
        }
        option(walk.u8(option + 3), option + 4, end);
    }

    void option(int type, int body, int end) {
        if (walk.view.ioamCount == PacketView.MAX_IOAM_OPTIONS) {
            return;
        }
        IoamView option = walk.view.nextIoam();
        Fault fault = option.wrap(walk.buffer, type, body, end, walk.limit);
        if (fault != Fault.NONE) {
            walk.warnings.add(fault, body);
        } else if (option.usable()) {
            walk.view.ioamCount++;
        }
    }
}
