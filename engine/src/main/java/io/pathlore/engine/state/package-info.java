/** What operators remember, as octets: for hosts that keep it elsewhere, or move it to another machine. */
@NullMarked
package io.pathlore.engine.state;

import org.jspecify.annotations.NullMarked;
