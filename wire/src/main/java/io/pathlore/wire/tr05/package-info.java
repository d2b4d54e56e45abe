/** Telemetry Report 0.5. */
@NullMarked
package io.pathlore.wire.tr05;

import org.jspecify.annotations.NullMarked;
