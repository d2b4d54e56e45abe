/** The virtual network: events in virtual nanoseconds, links, queues, switches, hosts. */
@NullMarked
package io.pathlore.dataplane.lab;

import org.jspecify.annotations.NullMarked;
