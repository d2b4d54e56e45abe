/** What every way into the collector shares: the ledger in which each datagram has exactly one outcome. */
@NullMarked
package io.pathlore.ingest;

import org.jspecify.annotations.NullMarked;
