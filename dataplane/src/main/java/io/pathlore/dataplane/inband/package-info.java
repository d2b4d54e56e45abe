/** What an INT node does to a packet: put INT in, add a hop, take it out. */
@NullMarked
package io.pathlore.dataplane.inband;

import org.jspecify.annotations.NullMarked;
