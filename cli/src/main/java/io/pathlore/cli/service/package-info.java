/** The process that stays: ingest, sequence accounting, journal, engine and HTTP, joined. */
@NullMarked
package io.pathlore.cli.service;

import org.jspecify.annotations.NullMarked;
