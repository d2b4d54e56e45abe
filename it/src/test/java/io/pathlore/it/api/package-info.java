/** The API of a running process against its own document, its clients and its enemies. */
@NullMarked
package io.pathlore.it.api;

import org.jspecify.annotations.NullMarked;
