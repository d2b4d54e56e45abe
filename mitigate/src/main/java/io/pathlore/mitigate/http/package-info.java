/** Calls to other people's HTTP servers: bounded in time and size, following nobody. */
@NullMarked
package io.pathlore.mitigate.http;

import org.jspecify.annotations.NullMarked;
