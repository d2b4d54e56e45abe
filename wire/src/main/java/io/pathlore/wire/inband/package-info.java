/** INT headers inside the reported packet, of every version. */
@NullMarked
package io.pathlore.wire.inband;

import org.jspecify.annotations.NullMarked;
