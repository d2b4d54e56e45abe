/** Every mitigation from its proposal to its end: written down before anything is done, changed by one thread. */
@NullMarked
package io.pathlore.mitigate.ledger;

import org.jspecify.annotations.NullMarked;
