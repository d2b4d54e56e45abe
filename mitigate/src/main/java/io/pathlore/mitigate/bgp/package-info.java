/** A speaker of BGP that only announces: as much of RFC 4271 as flow specifications (RFC 8955, RFC 8956) need. */
@NullMarked
package io.pathlore.mitigate.bgp;

import org.jspecify.annotations.NullMarked;
