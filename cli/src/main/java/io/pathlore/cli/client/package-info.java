/** Asking a running collector: where it is, what it is shown to let us in, and what it answers. */
@NullMarked
package io.pathlore.cli.client;

import org.jspecify.annotations.NullMarked;
