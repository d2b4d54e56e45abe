/** Raw datagrams on disk: appended, recovered after a crash, read again. The files are those of docs/reference/journal.md. */
@NullMarked
package io.pathlore.store.journal;

import org.jspecify.annotations.NullMarked;
