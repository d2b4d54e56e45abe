package io.pathlore.wire.decode;

/** Candidate readings of a datagram, tried in the order docs/spec-notes.md gives. */
enum Layout {
    NONE,
    REPORT_0_5,
    REPORT_1_0,
    REPORT_2_0,
    TRANSPARENT_SECURITY,
    /** v1.0 whose Length is wrong. */
    REPORT_1_0_LENGTH,
    /** v2.0 whose Report Length and MD Length are 0 though contents follow. */
    REPORT_2_0_ZERO_LENGTH,
    /** v2.0 without an individual report header. */
    GROUP_ONLY,
    /** v0.5 with version 1. */
    REPORT_0_5_AS_1
}
