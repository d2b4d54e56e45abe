/**
 * What was found, in tables that SQL can ask: written in whole transactions that also say how far the stream is stored, kept
 * for as long as configured, read through a gate that lets nothing but questions pass. The tables are those of
 * docs/reference/tables.md.
 */
@NullMarked
package io.pathlore.store.tables;

import org.jspecify.annotations.NullMarked;
