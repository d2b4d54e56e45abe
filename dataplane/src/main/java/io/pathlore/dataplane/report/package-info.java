/** What a node says: report datagrams of every version, numbered and gathered. */
@NullMarked
package io.pathlore.dataplane.report;

import org.jspecify.annotations.NullMarked;
