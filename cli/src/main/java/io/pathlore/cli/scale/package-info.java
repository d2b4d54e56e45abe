/**
 * The analysis in parts that can be on different machines. What a part is told and tells are octets, and so is what it remembers: whoever
 * hosts parts moves both, and knows nothing of either.
 */
@NullMarked
package io.pathlore.cli.scale;

import org.jspecify.annotations.NullMarked;
