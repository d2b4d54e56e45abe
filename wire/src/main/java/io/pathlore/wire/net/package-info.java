/** The layers around the telemetry: Ethernet, IP, transport, tunnels. */
@NullMarked
package io.pathlore.wire.net;

import org.jspecify.annotations.NullMarked;
