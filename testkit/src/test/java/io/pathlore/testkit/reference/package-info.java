@NullMarked
package io.pathlore.testkit.reference;

import org.jspecify.annotations.NullMarked;
