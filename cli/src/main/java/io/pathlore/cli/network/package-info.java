/** What the network looks like, asked of the tables: lists, one flow, and why it is slow or loses packets. */
@NullMarked
package io.pathlore.cli.network;

import org.jspecify.annotations.NullMarked;
