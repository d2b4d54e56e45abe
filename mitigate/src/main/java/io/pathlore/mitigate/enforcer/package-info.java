/** Ways to make a network obey a rule. All can be asked again without harm; they answer or fail, and leave trying again to the ledger. */
@NullMarked
package io.pathlore.mitigate.enforcer;

import org.jspecify.annotations.NullMarked;
