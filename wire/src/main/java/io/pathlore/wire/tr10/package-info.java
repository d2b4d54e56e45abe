/** Telemetry Report 1.0. */
@NullMarked
package io.pathlore.wire.tr10;

import org.jspecify.annotations.NullMarked;
