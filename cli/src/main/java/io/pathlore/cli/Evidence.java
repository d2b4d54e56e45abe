package io.pathlore.cli;

import io.pathlore.model.Fault;
import io.pathlore.wire.inband.HopLayout;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Shows a fault in the bytes: at which field, and with which numbers. The decoder only says in which report or header it
 * gave up; a person wants to see what was compared.
 */
final class Evidence {
    private final ByteBuffer buffer;
    private final int start;
    private final int end;

    /** Of the datagram in {@code [start, end)}. */
    Evidence(ByteBuffer buffer, int start, int end) {
        this.buffer = buffer;
        this.start = start;
        this.end = end;
    }

    /**
     * Where the field is that the fault is about. A fault that ends a report is told with the place where that
     * {@code report} starts; then the field is a few bytes further on.
     */
    int place(Fault fault, int at, int report) {
        if (at != report) {
            return at;
        }
        int field = switch (fault) {
            case TR05_RESERVED_NONZERO, TR10_RESERVED_NPROT -> 1;
            case TR20_REPORT_LENGTH_OVERRUN, TR20_FF_TOO_SHORT, TR20_MAIN_CONTENTS_TRUNCATED -> 1;
            case TR20_MD_LENGTH_MISMATCH, TR20_MD_OVERRUNS_REPORT -> 2;
            case TR20_RESERVED_MDBIT -> 4;
            case TR20_DS_ON_DEFAULT_DOMAIN -> 8;
            default -> 0;
        };
        return at + field < end ? at + field : at;
    }

    /** The numbers behind the meaning, or an empty text. {@code report} is where the report starts. */
    String numbers(Fault fault, int at, int report) {
        return switch (fault) {
            case TR_UNKNOWN_VERSION -> "Ver " + (u8(start) >> 4);
            case TR_TRUNCATED_HEADER, TR20_NO_REPORTS, TS_DROP_TOO_SHORT, TR05_TRUNCATED_SUBHEADER -> bytes();
            case TR05_RESERVED_NPROTO -> "NProto " + (u8(start) & 0xF);
            case TR10_LENGTH_TOO_SMALL, TR10_LENGTH_OVERRUN -> "Length " + (u8(start) & 0xF) + " words, " + bytes();
            case TR10_LENGTH_BITMAP_MISMATCH -> lengthAndBitmap();
            case TR10_RESERVED_NPROT -> "NProt " + (u8(start + 1) >> 5);
            case TR20_REPORT_LENGTH_OVERRUN ->
                "Report Length " + u8(report + 1) + " words, " + (end - report - 4) + " bytes follow";
            case TR20_FF_TOO_SHORT -> (end - report - 4) + " bytes follow";
            case TR20_RESERVED_REPTYPE -> "RepType " + (u8(report) >> 4);
            case TR20_RESERVED_INTYPE -> "InType " + (u8(report) & 0xF);
            case TR20_MD_LENGTH_MISMATCH -> mdLength(report);
            case TR20_MD_OVERRUNS_REPORT, TR20_MAIN_CONTENTS_TRUNCATED ->
                "Report Length " + u8(report + 1) + ", MD Length " + u8(report + 2);
            case TR20_RESERVED_MDBIT -> "RepMdBits " + hex16(report + 4);
            case TR20_DS_ON_DEFAULT_DOMAIN -> "DSMdBits " + hex16(report + 8);
            case TR20_TRAILING_BYTES -> Input.count(end - at, "byte", "bytes");
            case INT_HOP_ML_MISMATCH -> hopMl(at);
            default -> "";
        };
    }

    private String bytes() {
        return (end - start) + " bytes";
    }

    private String lengthAndBitmap() {
        int words = u8(start) & 0xF;
        int bits = (u8(start + 1) << 8 | u8(start + 2)) >> 7 & 0x3F;
        return "Length " + words + ", needs " + (4 + Integer.bitCount(bits));
    }

    private String mdLength(int report) {
        int base = HopLayout.reportWords(u16(report + 4));
        int domainBits = u16(report + 8);
        String needs = domainBits == 0 ? Integer.toString(base) : (base + Integer.bitCount(domainBits)) + " or more";
        return "MD Length " + u8(report + 2) + ", needs " + needs;
    }

    /** Only behind a shim: {@code at} is where it stands. */
    private String hopMl(int at) {
        boolean shim = end - at >= 10 && u8(at) > 0 && u8(at) < 0x40;
        int version = shim ? u8(at + 4) >> 4 : 0;
        if (version != 1 && version != 2) {
            return "";
        }
        int needed = HopLayout.words(u16(at + 8), version, 2);
        return "Hop ML " + (u8(at + 6) & 0x1F) + ", the instructions need " + needed;
    }

    private String hex16(int at) {
        return String.format(Locale.ROOT, "0x%04x", u16(at));
    }

    private int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    /** 0 beyond the end: what is shown is only shown. */
    private int u8(int at) {
        return at >= start && at < end ? Byte.toUnsignedInt(buffer.get(at)) : 0;
    }
}
