/** Telemetry Report 2.0. */
@NullMarked
package io.pathlore.wire.tr20;

import org.jspecify.annotations.NullMarked;
