/** The journal a second time, written from docs/reference/journal.md and envelope.md alone. */
@NullMarked
package io.pathlore.testkit.journal;

import org.jspecify.annotations.NullMarked;
